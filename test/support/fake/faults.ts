// What goes wrong, on demand: rules that stand between a request and its answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, failure, json } from './answer.ts';
import { expired } from './list.ts';
import type { Asked } from './request.ts';

/** `silent`: no answer ever comes. `reset`: the connection breaks. */
export type Outcome = Answer | 'silent' | 'reset';
/** `pass` lets the request have its effect and gives the answer it would have had. */
export type Fault = (asked: Asked, pass: () => Promise<Answer>) => Promise<Outcome>;
export type Match =
  | ((asked: Asked) => boolean)
  | Partial<Pick<Asked, 'method' | 'path' | 'resource' | 'namespace' | 'name' | 'user'>>;

interface Rule {
  readonly matches: (asked: Asked) => boolean;
  /** Those still to be played, or one for ever. */
  readonly faults: Fault[] | Fault;
  readonly every: number;
  seen: number;
}

const asPredicate = (match: Match): ((asked: Asked) => boolean) =>
  typeof match === 'function'
    ? match
    : asked => Object.entries(match).every(([key, value]) => asked[key as keyof Asked] === value);

export class Faults {
  readonly #rules: Rule[] = [];

  /** A list is played once, one fault a request; a single fault stays. `every: 10` meets the 10th, 20th, … request that matches. */
  on(match: Match, faults: readonly Fault[] | Fault, { every = 1 }: { readonly every?: number } = {}): this {
    const own = typeof faults === 'function' ? faults : [...faults];
    this.#rules.push({ matches: asPredicate(match), faults: own, every, seen: 0 });
    return this;
  }

  clear(): void {
    this.#rules.length = 0;
  }

  pick(asked: Asked): Fault | undefined {
    for (const rule of this.#rules) {
      if (!rule.matches(asked)) continue;
      rule.seen += 1;
      if (rule.seen % rule.every !== 0) continue;
      const fault = typeof rule.faults === 'function' ? rule.faults : rule.faults.shift();
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
}

/** Instead of an effect, this answer. */
const answering =
  (answer: Answer): Fault =>
  async () =>
    answer;

/** Source: apiserver pkg/server/filters/priority-and-fairness.go and maxinflight.go. */
export const tooManyRequests = (retryAfterSeconds = 1): Fault =>
  answering({
    ...failure({
      status: 429,
      reason: 'TooManyRequests',
      message: 'Too many requests, please try again later.',
      details: { retryAfterSeconds },
    }),
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

export const unavailable = (retryAfterSeconds?: number): Fault =>
  answering({
    ...failure({
      status: 503,
      reason: 'ServiceUnavailable',
      message: 'the server is currently unable to handle the request',
      ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
    }),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  });

export const internalError = (message = 'Internal error occurred: etcdserver: no leader'): Fault =>
  answering(failure({ status: 500, reason: 'InternalError', message }));

export const gatewayTimeout = (): Fault =>
  answering(
    failure({
      status: 504,
      reason: 'Timeout',
      message: 'Timeout: request did not complete within the allotted timeout',
    }),
  );

/** Any other refusal, as an admission webhook or a policy gives it. */
export const refusing = (status: number, reason: string, message: string): Fault =>
  answering(failure({ status, reason, message }));

/** A proxy in between that answers with a page of its own. */
export const garbage = (status = 200, body = '<html><body>It works!</body></html>'): Fault =>
  answering({ status, body, headers: { 'content-type': 'text/html' } });

/** Well-formed, and not what was asked for. */
export const sending = (body: unknown): Fault => answering(json(200, body));

export const unauthorized = (): Fault =>
  answering(failure({ status: 401, reason: 'Unauthorized', message: 'Unauthorized' }));

export const slow =
  (ms: number): Fault =>
  async (_, pass) => {
    await sleep(ms);
    return pass();
  };

export const silent = (): Fault => async () => 'silent';

/** The connection breaks; `after`: the request had its effect. */
export const reset =
  (when: 'before' | 'after'): Fault =>
  async (_, pass) => {
    if (when === 'after') await pass();
    return 'reset';
  };

/** The effect takes place and the answer never comes. */
export const silentAfter = (): Fault => async (_, pass) => {
  await pass();
  return 'silent';
};

/** 410 for a request that carries a continue token; others pass. */
export const expiredToken = (): Fault => async (asked, pass) => {
  const token = asked.query['continue'];
  return token === undefined ? pass() : expired(token);
};

export const warning =
  (...texts: readonly string[]): Fault =>
  async (_, pass) => {
    const answer = await pass();
    return {
      ...answer,
      headers: {
        ...answer.headers,
        warning: texts.map(text => `299 - "${text.replace(/["\\]/g, '\\$&')}"`).join(', '),
      },
    };
  };
