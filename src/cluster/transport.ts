// One transport for everything: deadlines, throttling, broken connections, logins that expire, warnings, -v.
// A write is never lost and never repeated: what may have arrived is sent again only if sending it twice does no harm.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Problem } from '../model/problem.ts';
import type { Destination } from './destination.ts';
import { type Login, logIn } from './login.ts';
import { type Clock, type Patience, patience } from './patience.ts';
import { causeOf, problemOfFailure } from './problem.ts';
import { ServerClock } from './server-clock.ts';
import { Warnings } from './warnings.ts';
import { Wire } from './wire.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly accept?: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Whether it may be sent again although it may have arrived: reads, and deletes pinned by uid. */
  readonly repeatable: boolean;
  /** The server's warnings about it are not passed on: the user did not ask for this kind. */
  readonly unasked?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** More than one: an earlier try may have had its effect. */
  readonly tries: number;
}

export type Sent = { readonly answer: Answer } | { readonly problem: Problem };

export interface Sinks {
  readonly onWarning: (text: string) => void;
  /** `GET /api/v1/pods 200 12ms`: never a header, a token or a body. */
  readonly onRequest: (line: string) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly userAgent: string;
}

const standardDeadlineMs = 30_000;
const unzip = promisify(gunzip);

interface Raw {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: string;
}

type Attempt =
  | { readonly is: 'answered'; readonly raw: Raw }
  | {
      readonly is: 'failed';
      readonly failure: unknown;
      readonly timedOut: boolean;
      readonly arrived: 'no' | 'maybe';
    };

export class Transport {
  readonly serverClock: ServerClock;
  throttled = 0;
  readonly #to: Destination;
  readonly #sinks: Sinks;
  readonly #warnings: Warnings;
  readonly #deadlineMs: number;
  #session: Promise<Session> | undefined;
  #hasAnswered = false;

  constructor(to: Destination, requestTimeoutMs: number | undefined, sinks: Sinks) {
    this.#to = to;
    this.#sinks = sinks;
    this.#deadlineMs =
      requestTimeoutMs === undefined || requestTimeoutMs === 0 ? standardDeadlineMs : requestTimeoutMs;
    this.#warnings = new Warnings(sinks.onWarning);
    this.serverClock = new ServerClock(sinks.clock.elapsedMs);
  }

  async send(request: Request): Promise<Sent> {
    const how = patience(this.#sinks.clock, this.#hasAnswered);
    let refreshed = false;
    for (let tries = 1; ; tries++) {
      if (this.#sinks.signal.aborted)
        return { problem: { code: 'interrupted', text: 'interrupted before it was sent' } };
      const session = await this.#openSession();
      const attempt = await this.#attempt(request, session);
      if (attempt.is === 'answered' && attempt.raw.status === 401 && !refreshed) {
        refreshed = true;
        this.#expire(session);
        continue;
      }
      const waitMs = this.#waitBeforeRetry(request, attempt, how);
      if (waitMs === undefined) return toSent(attempt, tries, this.#to.server);
      await this.#sinks.pause(waitMs, this.#sinks.signal);
    }
  }

  async close(): Promise<void> {
    await (await this.#session)?.wire.close();
  }

  /** One login serves all requests; those that meet its end together share the next one. */
  #openSession(): Promise<Session> {
    this.#session ??= logIn(this.#to).then(login => ({ login, wire: new Wire(this.#to, login), answers: 0 }));
    return this.#session;
  }

  #expire(old: Session): void {
    const current = this.#session;
    void current?.then(session => {
      if (session === old && this.#session === current) this.#session = undefined;
    });
  }

  #waitBeforeRetry(request: Request, attempt: Attempt, how: Patience): number | undefined {
    if (attempt.is === 'failed') {
      return request.repeatable || attempt.arrived === 'no' ? how.afterFailure() : undefined;
    }
    const { status, headers } = attempt.raw;
    const retryAfter = firstOf(headers['retry-after']);
    if (status === 429 || (status === 503 && retryAfter !== undefined)) {
      this.throttled += 1;
      return how.afterThrottling(retryAfter);
    }
    // a server that is starting or stopping answers 503 without Retry-After
    if (status === 503 && request.repeatable) return how.afterFailure();
    return status >= 500 && request.repeatable ? how.afterServerError() : undefined;
  }

  async #attempt(request: Request, session: Session): Promise<Attempt> {
    const startedMs = this.#sinks.clock.elapsedMs();
    const dispatcher = session.wire.dispatcher();
    const answersBefore = session.answers;
    const deadline = AbortSignal.timeout(this.#deadlineMs);
    // a read may be given up at once; a write that is under way is waited for
    const signal = request.method === 'GET' ? AbortSignal.any([deadline, this.#sinks.signal]) : deadline;
    const tell = (outcome: string) => {
      const ms = Math.round(this.#sinks.clock.elapsedMs() - startedMs);
      this.#sinks.onRequest(`${request.method} ${request.path} ${outcome} ${ms}ms`);
    };
    try {
      const raw = await this.#exchange(dispatcher, request, session.login, signal);
      session.answers += 1;
      this.#hasAnswered = true;
      tell(String(raw.status));
      return { is: 'answered', raw };
    } catch (failure) {
      const { code } = causeOf(failure);
      tell(deadline.aborted ? 'timed out' : code || 'failed');
      // nothing came on this connection since: it is dead, and only a new one can answer
      if (deadline.aborted && session.answers === answersBefore) await session.wire.retire(dispatcher);
      return {
        is: 'failed',
        failure,
        timedOut: deadline.aborted,
        arrived: neverConnected.has(code) ? 'no' : 'maybe',
      };
    }
  }

  async #exchange(dispatcher: Dispatcher, request: Request, login: Login, signal: AbortSignal): Promise<Raw> {
    const answer = await dispatcher.request({
      origin: new URL(this.#to.server).origin,
      method: request.method,
      path: this.#prefix() + request.path,
      headers: this.#headers(request, login),
      ...(request.body === undefined ? {} : { body: request.body }),
      signal,
      headersTimeout: this.#deadlineMs,
      bodyTimeout: this.#deadlineMs,
    });
    const { statusCode, headers } = answer;
    this.serverClock.learn(firstOf(headers['date']));
    if (request.unasked !== true) this.#warnings.add(headers['warning']);
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const body = headers['content-encoding'] === 'gzip' ? await unzip(bytes) : bytes;
    return { status: statusCode, headers, body: body.toString('utf8') };
  }

  /** A server behind a path (`https://gateway/k8s/clusters/x`) keeps it. */
  #prefix(): string {
    return new URL(this.#to.server).pathname.replace(/\/+$/, '');
  }

  #headers(request: Request, login: Login): string[] {
    const single: Record<string, string> = {
      accept: request.accept ?? 'application/json',
      'user-agent': this.#sinks.userAgent,
      ...(this.#to.disableCompression ? {} : { 'accept-encoding': 'gzip' }),
      ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      ...login.headers,
    };
    return [...Object.entries(single), ...this.#to.impersonation].flat();
  }
}

interface Session {
  readonly login: Login;
  readonly wire: Wire;
  answers: number;
}

/** No connection was made, so nothing can have arrived. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

function toSent(attempt: Attempt, tries: number, server: string): Sent {
  if (attempt.is === 'failed')
    return { problem: problemOfFailure(attempt.failure, server, attempt.timedOut) };
  return { answer: { status: attempt.raw.status, body: attempt.raw.body, tries } };
}
