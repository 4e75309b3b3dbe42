// One transport for everything: deadlines, throttling, broken connections, logins that expire, warnings, -v.
// A write is never lost and never repeated: what may have arrived is sent again only if sending it twice does no harm.
import type { Problem } from '../model/problem.ts';
import type { Destination } from './destination.ts';
import { type Clock, type Patience, patience } from './patience.ts';
import { causeOf, problemOfFailure } from './problem.ts';
import type { Opened, Request, Sent } from './request.ts';
import { ServerClock } from './server-clock.ts';
import { type Attempt, Session } from './session.ts';
import { Warnings } from './warnings.ts';

export interface Sinks {
  readonly onWarning: (text: string) => void;
  /** `GET /api/v1/pods 200 12ms`: never a header, a token or a body. */
  readonly onRequest: (line: string) => void;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly userAgent: string;
  /** No login may ask, and no request is sent again. */
  readonly unattended?: boolean;
}

const standardDeadlineMs = 30_000;
const silentMs = 60_000;
/** How long after a broken connection a server may be on its way up. */
const startingMs = 10_000;

export class Transport {
  readonly serverClock: ServerClock;
  throttled = 0;
  readonly #to: Destination;
  readonly #sinks: Sinks;
  readonly #warnings: Warnings;
  readonly #deadlineMs: number;
  #opening: Promise<Session> | undefined;
  #session: Session | undefined;
  readonly #expired: Session[] = [];
  readonly #over = new AbortController();
  /** The user's Ctrl-C, or our own end: nothing is sent again after either. */
  readonly #signal: AbortSignal;
  #lastAnswerMs: number | undefined;
  #brokenAtMs: number | undefined;

  constructor(to: Destination, requestTimeoutMs: number | undefined, sinks: Sinks) {
    this.#to = to;
    this.#sinks = sinks;
    this.#signal = AbortSignal.any([sinks.signal, this.#over.signal]);
    this.#deadlineMs =
      requestTimeoutMs === undefined || requestTimeoutMs === 0 ? standardDeadlineMs : requestTimeoutMs;
    this.#warnings = new Warnings(sinks.onWarning);
    this.serverClock = new ServerClock(sinks.clock.elapsedMs);
  }

  async send(request: Request): Promise<Sent> {
    const end = await this.#insist(request, session => session.attempt(request));
    return 'problem' in end ? end : toSent(end, this.#to.server);
  }

  /** As `send` until the first byte of a 200 has come; what breaks after that is for who reads the chunks. */
  async open(request: Request): Promise<Opened> {
    const end = await this.#insist(request, session => session.open(request));
    if ('problem' in end) return end;
    const { attempt } = end;
    const chunks = attempt.is === 'answered' ? attempt.raw.chunks : undefined;
    return chunks === undefined ? toSent(end, this.#to.server) : { chunks };
  }

  /** The problem of chunks that broke off. */
  problemOf(failure: unknown): Problem {
    if (this.#signal.aborted) return { code: 'interrupted', text: 'interrupted' };
    return problemOfFailure(failure, this.#to.server, causeOf(failure).code === 'UND_ERR_BODY_TIMEOUT');
  }

  async #insist(request: Request, once: Once): Promise<End | { readonly problem: Problem }> {
    const how = patience(this.#sinks.clock, this.#isWorthWaitingFor());
    let refreshed = false;
    for (let arrived = false; ; ) {
      if (this.#signal.aborted) return { problem: interrupted(arrived) };
      const session = await this.#openSession();
      if ('problem' in session) return session;
      const attempt = await this.#attempt(request, () => once(session));
      if (attempt.is === 'answered' && attempt.raw.status === 401 && !refreshed && !this.#sinks.unattended) {
        refreshed = true;
        this.#expire(session);
        continue;
      }
      const waitMs = this.#sinks.unattended ? undefined : this.#waitBeforeRetry(request, attempt, how);
      if (waitMs === undefined) return { attempt, mayHaveArrivedBefore: arrived };
      arrived ||= mayHaveArrived(attempt);
      await this.#sinks.pause(waitMs, this.#signal);
    }
  }

  /** What is under way then fails, and is not sent again: a run that ended early would be kept alive by it. */
  async close(): Promise<void> {
    this.#over.abort();
    await Promise.all([...this.#expired, this.#session].map(session => session?.close()));
  }

  /**
   * One login serves all requests; those that meet its end together share the next one. A first login that fails ends the run; one
   * that fails in the middle is a problem of each request, so that the account of what was done is still given.
   */
  async #openSession(): Promise<Session | { problem: Problem }> {
    const { userAgent, signal, clock, unattended = false } = this.#sinks;
    const settings = {
      deadlineMs: this.#deadlineMs,
      userAgent,
      signal,
      unattended,
      elapsedMs: clock.elapsedMs,
      onHeard: () => {
        this.#lastAnswerMs = clock.elapsedMs();
      },
    };
    const opening = this.#opening ?? Session.open(this.#to, settings);
    this.#opening = opening;
    try {
      const session = await opening;
      // a login that was given up meanwhile must not come back as the current one
      if (this.#opening === opening) this.#session = session;
      return session;
    } catch (failure) {
      // the next request may ask again: a plugin that failed once need not fail for ever
      if (this.#opening === opening) this.#opening = undefined;
      if (this.#lastAnswerMs === undefined) throw failure;
      return {
        problem: { code: 'unauthorized', text: failure instanceof Error ? failure.message : String(failure) },
      };
    }
  }

  /** A server that never answered is a mistyped address; one that is silent for a minute will not be waited for a minute by each request. */
  #isWorthWaitingFor(): boolean {
    return this.#lastAnswerMs !== undefined && this.#sinks.clock.elapsedMs() - this.#lastAnswerMs < silentMs;
  }

  #expire(old: Session): void {
    if (this.#session !== old) return;
    this.#expired.push(old);
    this.#session = undefined;
    this.#opening = undefined;
  }

  #waitBeforeRetry(request: Request, attempt: Attempt, how: Patience): number | undefined {
    const nowMs = this.#sinks.clock.elapsedMs();
    if (attempt.is === 'failed') {
      this.#brokenAtMs = nowMs;
      return request.repeatable || attempt.arrived === 'no' ? how.afterFailure() : undefined;
    }
    const { status, headers } = attempt.raw;
    const retryAfter = firstOf(headers['retry-after']);
    if (status === 429 || (status === 503 && retryAfter !== undefined)) {
      this.throttled += 1;
      return how.afterThrottling(retryAfter);
    }
    if (request.onlyIfBroken === true) return undefined;
    // one that has just started knows no roles for a moment: 403 for what is allowed (measured on 1.37.2)
    const justBack = this.#brokenAtMs !== undefined && nowMs - this.#brokenAtMs < startingMs;
    if (status === 403 && justBack && request.repeatable) return how.afterFailure();
    // a server that is starting or stopping answers 503 without Retry-After
    if (status === 503 && request.repeatable) return how.afterFailure();
    return status >= 500 && request.repeatable ? how.afterServerError() : undefined;
  }

  async #attempt(request: Request, once: () => Promise<Attempt>): Promise<Attempt> {
    const startedMs = this.#sinks.clock.elapsedMs();
    const attempt = await once();
    const ms = Math.round(this.#sinks.clock.elapsedMs() - startedMs);
    this.#sinks.onRequest(`${request.method} ${request.path} ${outcomeOf(attempt)} ${ms}ms`);
    if (attempt.is === 'answered') {
      this.#lastAnswerMs = this.#sinks.clock.elapsedMs();
      this.serverClock.learn(firstOf(attempt.raw.headers['date']));
      if (request.unasked !== true) this.#warnings.add(attempt.raw.headers['warning']);
    }
    return attempt;
  }
}

function interrupted(arrived: boolean): Problem {
  const text = !arrived ? 'interrupted before it was sent' : 'interrupted; whether it arrived is not known';
  return { code: 'interrupted', text };
}

/** A throttled request was turned away at the door; a broken one, or a 5xx, may have been carried out. */
function mayHaveArrived(attempt: Attempt): boolean {
  return attempt.is === 'failed' ? attempt.arrived === 'maybe' : attempt.raw.status >= 500;
}

function outcomeOf(attempt: Attempt): string {
  if (attempt.is === 'answered') return String(attempt.raw.status);
  return attempt.timedOut ? 'timed out' : causeOf(attempt.failure).code || 'failed';
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

type Once = (session: Session) => Promise<Attempt>;

/** The last attempt, and whether one before it may have had its effect. */
interface End {
  readonly attempt: Attempt;
  readonly mayHaveArrivedBefore: boolean;
}

function toSent({ attempt, mayHaveArrivedBefore }: End, server: string): Sent {
  if (attempt.is === 'failed')
    return { problem: problemOfFailure(attempt.failure, server, attempt.timedOut) };
  return { answer: { status: attempt.raw.status, body: attempt.raw.body, mayHaveArrivedBefore } };
}
