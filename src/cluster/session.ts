// One login and its connections: sends one request once, within its deadline, and says what came of it.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Destination } from './destination.ts';
import { type Login, logIn } from './login.ts';
import { causeOf } from './problem.ts';
import type { Request } from './request.ts';
import { Wire } from './wire.ts';

const unzip = promisify(gunzip);

export interface Raw {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: string;
  /** Of a request that was sent with `open`, where the answer is a 200: the body, still to come. */
  readonly chunks?: AsyncIterable<Uint8Array>;
}

export type Attempt =
  | { readonly is: 'answered'; readonly raw: Raw }
  /** `arrived`: whether the server may have seen it. */
  | {
      readonly is: 'failed';
      readonly failure: unknown;
      readonly timedOut: boolean;
      readonly arrived: 'no' | 'maybe';
    };

export interface SessionSettings {
  readonly deadlineMs: number;
  readonly userAgent: string;
  readonly elapsedMs: () => number;
  /** Gives up reads at once; a write that is under way is waited for. */
  readonly signal: AbortSignal;
  /** Nobody can answer a login plugin: it gets no terminal, and is ended by the signal. */
  readonly unattended: boolean;
  /** A part of a long answer has come. */
  readonly onHeard: () => void;
}

export class Session {
  readonly #to: Destination;
  readonly #login: Login;
  readonly #wire: Wire;
  readonly #settings: SessionSettings;
  #lastAnswerMs: number;

  private constructor(to: Destination, login: Login, settings: SessionSettings) {
    this.#to = to;
    this.#login = login;
    this.#wire = new Wire(to, login);
    this.#settings = settings;
    this.#lastAnswerMs = settings.elapsedMs();
  }

  /** Asks for credentials: may read files and run a login plugin. */
  static async open(to: Destination, settings: SessionSettings): Promise<Session> {
    return new Session(to, await logIn(to, settings.unattended ? settings.signal : undefined), settings);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  /** The deadline is one for the whole answer. */
  attempt(request: Request): Promise<Attempt> {
    return this.#within(request, (dispatcher, signal) => this.#exchange(dispatcher, request, signal));
  }

  /** The deadline is one for the first byte, and then for each silence: a log of gigabytes takes as long as it takes. */
  open(request: Request): Promise<Attempt> {
    return this.#within(request, (dispatcher, signal) => this.#begin(dispatcher, request, signal));
  }

  async #within(
    request: Request,
    exchange: (dispatcher: Dispatcher, signal: AbortSignal) => Promise<Raw>,
  ): Promise<Attempt> {
    const dispatcher = this.#wire.dispatcher();
    const { deadlineMs, elapsedMs } = this.#settings;
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = request.method === 'GET' ? AbortSignal.any([deadline, this.#settings.signal]) : deadline;
    try {
      const raw = await exchange(dispatcher, signal);
      this.#lastAnswerMs = elapsedMs();
      return { is: 'answered', raw };
    } catch (failure) {
      // nothing came for half a deadline: the connection is dead, and only a new one can answer. That something came since this
      // request began says nothing: it may have come just before the connection died, and the next deadline would be too late
      const isDead = deadline.aborted && elapsedMs() - this.#lastAnswerMs >= deadlineMs / 2;
      if (isDead) await this.#wire.retire(dispatcher);
      const arrived = neverConnected.has(causeOf(failure).code) ? 'no' : 'maybe';
      return { is: 'failed', failure, timedOut: deadline.aborted, arrived };
    }
  }

  async #exchange(dispatcher: Dispatcher, request: Request, signal: AbortSignal): Promise<Raw> {
    const { statusCode, headers, body } = await this.#send(dispatcher, request, signal);
    return await whole(statusCode, headers, body);
  }

  async #begin(dispatcher: Dispatcher, request: Request, signal: AbortSignal): Promise<Raw> {
    const opening = new AbortController();
    const giveUp = () => opening.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    const over = AbortSignal.any([opening.signal, this.#settings.signal]);
    const { statusCode, headers, body } = await this.#send(dispatcher, request, over);
    if (statusCode !== 200) return await whole(statusCode, headers, body);
    // the first byte has come: from here on the silences count, which undici measures
    signal.removeEventListener('abort', giveUp);
    return { status: statusCode, headers, body: '', chunks: this.#heard(body) };
  }

  /** A long log is a sign of life too. */
  async *#heard(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.#lastAnswerMs = this.#settings.elapsedMs();
      this.#settings.onHeard();
      yield chunk;
    }
  }

  async #send(
    dispatcher: Dispatcher,
    request: Request,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname } = new URL(this.#to.server);
    return await dispatcher.request({
      origin,
      method: request.method,
      // a server behind a path (https://gateway/k8s/clusters/x) keeps it
      path: pathname.replace(/\/+$/, '') + request.path,
      headers: this.#headers(request),
      ...(request.body === undefined ? {} : { body: request.body }),
      // undici closes an HTTP/1.1 connection after each DELETE that has a body, unless told not to; servers read that body
      reset: false,
      signal,
      headersTimeout: this.#settings.deadlineMs,
      bodyTimeout: this.#settings.deadlineMs,
    });
  }

  #headers(request: Request): string[] {
    const single: Record<string, string> = {
      accept: request.accept ?? 'application/json',
      'user-agent': this.#settings.userAgent,
      ...(this.#to.disableCompression || request.uncompressed ? {} : { 'accept-encoding': 'gzip' }),
      ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      ...this.#login.headers,
    };
    return [...Object.entries(single), ...this.#to.impersonation].flat();
  }
}

async function whole(
  status: number,
  headers: Raw['headers'],
  body: Dispatcher.ResponseData['body'],
): Promise<Raw> {
  const bytes = Buffer.from(await body.arrayBuffer());
  const text = headers['content-encoding'] === 'gzip' ? await unzip(bytes) : bytes;
  return { status, headers, body: text.toString('utf8') };
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
