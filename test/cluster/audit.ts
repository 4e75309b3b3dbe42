// What really arrived at the apiserver: its audit log, from a moment on.
import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fields } from './admin.ts';
import { until } from './until.ts';

interface AuditEvent {
  /** `delete`, `patch`, `list` … */
  readonly verb: string;
  readonly user: string;
  /** Whose token it was, if it was one of a Pod. */
  readonly pod?: string;
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly subresource?: string;
  };
  /** The body: for a delete its DeleteOptions. */
  readonly requestObject?: Fields;
  /** The status code of the answer. */
  readonly code: number;
  readonly dryRun: boolean;
  readonly at: Date;
}

interface AuditQuery {
  readonly namespace?: string;
  readonly verbs?: readonly string[];
  /** `jobs` */
  readonly resource?: string;
  readonly user?: string;
}

export interface AuditTrail {
  /** Everything since the trail was begun, in the order of the log. */
  events(query?: AuditQuery): Promise<readonly AuditEvent[]>;
  /** The same, once there are at least `count`: the log is written a moment after the answer is sent. */
  atLeast(count: number, query?: AuditQuery): Promise<readonly AuditEvent[]>;
  /** The same, once half a second has brought no more. */
  whole(query?: AuditQuery): Promise<readonly AuditEvent[]>;
}

interface Line {
  readonly verb: string;
  readonly user: { readonly username: string; readonly extra?: Readonly<Record<string, readonly string[]>> };
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: NonNullable<AuditEvent['objectRef']>;
  readonly requestObject?: Fields;
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

function toEvent(line: Line): AuditEvent {
  const [pod] = line.user.extra?.['authentication.kubernetes.io/pod-name'] ?? [];
  return {
    verb: line.verb,
    user: line.user.username,
    requestURI: line.requestURI,
    code: line.responseStatus?.code ?? 0,
    // Said in the query by most clients, in the body by some.
    dryRun: /[?&]dryRun=All/.test(line.requestURI) || Array.isArray(line.requestObject?.['dryRun']),
    at: new Date(line.requestReceivedTimestamp),
    ...(pod === undefined ? {} : { pod }),
    ...(line.userAgent === undefined ? {} : { userAgent: line.userAgent }),
    ...(line.objectRef === undefined ? {} : { objectRef: line.objectRef }),
    ...(line.requestObject === undefined ? {} : { requestObject: line.requestObject }),
  };
}

function fits(event: AuditEvent, query: AuditQuery): boolean {
  return (
    (query.namespace === undefined || event.objectRef?.namespace === query.namespace) &&
    (query.resource === undefined || event.objectRef?.resource === query.resource) &&
    (query.user === undefined || event.user === query.user) &&
    (query.verbs === undefined || query.verbs.includes(event.verb))
  );
}

async function readLines(path: string, from: number): Promise<readonly string[]> {
  const file = await open(path);
  try {
    const lines: string[] = [];
    for await (const line of file.readLines({ start: from, encoding: 'utf8' })) lines.push(line);
    return lines;
  } finally {
    await file.close();
  }
}

function parseLine(text: string): AuditEvent | undefined {
  try {
    return toEvent(JSON.parse(text) as Line);
  } catch {
    // The last line may be half written.
    return undefined;
  }
}

/** Begins now; ask it after the deed. */
export async function auditTrail(plane: { readonly auditLog: string }): Promise<AuditTrail> {
  const from = (await stat(plane.auditLog)).size;
  const events = async (query: AuditQuery = {}) =>
    (await readLines(plane.auditLog, from))
      .map(parseLine)
      .filter((event): event is AuditEvent => event !== undefined && fits(event, query));
  return {
    events,
    atLeast: (count, query) =>
      until(`${count} audit events of ${JSON.stringify(query ?? {})}`, 10_000, async () => {
        const seen = await events(query);
        return seen.length >= count && seen;
      }),
    whole: query =>
      until('the audit log to be whole', 120_000, async () => {
        const before = await events(query);
        await sleep(500);
        const now = await events(query);
        return now.length === before.length && now;
      }),
  };
}
