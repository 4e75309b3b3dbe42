// What the fake answers: an object, or a Status in the words of a real server.
import { type Kind, resourceName } from '../../../src/model/kind.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is; anything else as JSON. */
  readonly body: unknown;
}

export const json = (status: number, body: unknown): Answer => ({ status, body });

interface Failure {
  readonly status: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A metav1.Status. */
export const failure = ({ status, reason, message, details = {}, metadata = {} }: Failure): Answer =>
  json(status, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    details,
    code: status,
  });

const naming = (kind: Kind, name: string, word = kind.resource) => ({
  name,
  ...(kind.group === '' ? {} : { group: kind.group }),
  kind: word,
});
const qualified = (kind: Kind): string => (kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`);

export const notFound = (kind: Kind, name: string): Answer =>
  failure({
    status: 404,
    reason: 'NotFound',
    message: `${resourceName(kind)} "${name}" not found`,
    details: naming(kind, name),
  });

export const notServed: Answer = failure({
  status: 404,
  reason: 'NotFound',
  message: 'the server could not find the requested resource',
});

/** Preconditions name the kind with its capital letter, stale writes the resource: a real server does so too. */
export const preconditionFailed = (kind: Kind, name: string, why: string): Answer =>
  failure({
    status: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(kind)} "${name}": ${why}`,
    details: naming(kind, name, kind.kind),
  });

export const modified = (kind: Kind, name: string): Answer =>
  failure({
    status: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${resourceName(kind)} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    details: naming(kind, name),
  });

export const alreadyExists = (kind: Kind, name: string): Answer =>
  failure({
    status: 409,
    reason: 'AlreadyExists',
    message: `${resourceName(kind)} "${name}" already exists`,
    details: naming(kind, name),
  });

export interface Cause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

export function invalid(kind: Pick<Kind, 'group' | 'kind'>, name: string, causes: readonly Cause[]): Answer {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const word = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  return failure({
    status: 422,
    reason: 'Invalid',
    message: `${word} "${name}" is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`,
    details: { name, group: kind.group, kind: kind.kind, causes },
  });
}

export const badRequest = (message: string): Answer =>
  failure({ status: 400, reason: 'BadRequest', message });
