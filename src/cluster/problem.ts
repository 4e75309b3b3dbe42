// Answers and network errors → Problem, in kubectl's wording. The one place that maps them; the core branches on the code.
import { given } from '../model/given.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import { plain } from '../model/ref.ts';
import { textOf } from './adapt-meta.ts';
import { rejectionIn } from './rejection.ts';

/** The fields of a metav1.Status that matter here. */
interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly name?: string; readonly kind?: string; readonly retryAfterSeconds?: number };
}

/** What was asked for, to tell a missing object from a resource that is not served. */
export interface Asked {
  readonly name?: string;
}

export function problemOfAnswer(status: number, body: string, asked: Asked = {}): Problem {
  const parsed = parseStatus(body);
  if (status === 401)
    return {
      code: 'unauthorized',
      status,
      text: 'error: You must be logged in to the server (Unauthorized)',
    };
  const reason = textOf(parsed?.reason) === undefined ? '' : ` (${parsed?.reason})`;
  const message =
    textOf(parsed?.message) ??
    (body.trim() === '' || /<html|<!doctype/i.test(body) ? `HTTP ${status}` : body.slice(0, 300));
  const rejection = rejectionIn(message);
  // a webhook picks its own code, 409 and 500 included (measured): a denial is no conflict and no fault of the server
  const isDenied = rejection?.by === 'webhook' || rejection?.by === 'policy';
  return {
    code: isDenied ? 'forbidden' : codeOf(status, parsed, asked),
    status,
    text: plain(`Error from server${reason}: ${message}`).trim(),
    ...given({ rejection }),
  };
}

function parseStatus(body: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Status) : undefined;
  } catch {
    return undefined;
  }
}

const byStatus: Readonly<Record<number, ProblemCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  409: 'changed-since-read',
  429: 'throttled',
  504: 'timeout',
};

function codeOf(status: number, parsed: Status | undefined, asked: Asked): ProblemCode {
  const known = byStatus[status];
  if (known !== undefined) return known;
  // details.name is the object's; a 404 of the mux ("the server could not find the requested resource") has none
  if (status === 404)
    return asked.name !== undefined && parsed?.details?.name === asked.name ? 'not-found' : 'not-served';
  if (status === 503 && parsed?.details?.retryAfterSeconds !== undefined) return 'throttled';
  return status >= 500 ? 'server-error' : 'invalid';
}

/** A request without an answer. `timedOut`: our own deadline passed. */
export function problemOfFailure(failure: unknown, server: string, timedOut: boolean): Problem {
  if (timedOut) {
    return {
      code: 'timeout',
      text: plain(`Unable to connect to the server: ${server} did not answer in time`),
    };
  }
  const { code, message } = causeOf(failure);
  const host = server.replace(/^https?:\/\//, '');
  if (code === 'ECONNREFUSED') {
    return {
      code: 'unreachable',
      text: `The connection to the server ${host} was refused - did you specify the right host or port?`,
    };
  }
  return {
    code: 'unreachable',
    text: plain(`Unable to connect to the server: ${code === '' ? '' : `${code}: `}${message}`),
  };
}

/** The innermost cause: undici wraps what the socket said. */
export function causeOf(failure: unknown): { code: string; message: string } {
  let at: unknown = failure;
  while (at instanceof Error && at.cause instanceof Error) at = at.cause;
  if (at instanceof AggregateError && at.errors[0] instanceof Error) at = at.errors[0];
  const code = at instanceof Error && 'code' in at && typeof at.code === 'string' ? at.code : '';
  return { code, message: at instanceof Error ? at.message : String(at) };
}
