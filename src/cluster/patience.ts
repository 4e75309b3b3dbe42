// How long to wait before a request is sent again, and when to give up.

export interface Patience {
  /** Milliseconds until the next try, or undefined: give up. */
  afterThrottling(retryAfter: string | undefined): number | undefined;
  afterFailure(): number | undefined;
  afterServerError(): number | undefined;
}

export interface Clock {
  /** Milliseconds that only go forward. */
  readonly elapsedMs: () => number;
  /** 0 to 1: spreads what many clients would do at the same moment. */
  readonly random: () => number;
}

const throttledForMs = 600_000;
/** An apiserver that restarts is back within this. */
const brokenForMs = 60_000;
const serverErrors = 2;

/** One request's patience. `known`: the server has answered before, so that it is worth waiting for; a mistyped address is not. */
export function patience(clock: Clock, known: boolean): Patience {
  const startedMs = clock.elapsedMs();
  let tries = 0;
  let errors = 0;
  const spread = (ms: number) => ms * (1 + clock.random() / 4);
  const backOff = () => spread(Math.min(100 * 2 ** tries++, 5000));
  const within = (limitMs: number, ms: number) =>
    clock.elapsedMs() - startedMs + ms > limitMs ? undefined : ms;
  return {
    afterThrottling: retryAfter => {
      const seconds = Number(retryAfter ?? '1');
      return within(throttledForMs, spread(Math.max(Number.isFinite(seconds) ? seconds * 1000 : 1000, 200)));
    },
    afterFailure: () => (known ? within(brokenForMs, backOff()) : undefined),
    afterServerError: () => (errors++ < serverErrors ? backOff() : undefined),
  };
}
