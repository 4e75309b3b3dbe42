// How long is waited before a request goes out again, and when it is given up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Patience, patience } from '../../../src/cluster/patience.ts';

interface Watch {
  nowMs: number;
  readonly how: Patience;
}

/** A clock that a test sets, and a spread of nothing unless told otherwise. */
function watch({ random = 0, known = true }: { random?: number; known?: boolean } = {}): Watch {
  const state = { nowMs: 1000 };
  const how = patience({ elapsedMs: () => state.nowMs, random: () => random }, known);
  return Object.assign(state, { how });
}

for (const [retryAfter, ms] of [
  ['1', 1000],
  ['30', 30_000],
  ['0', 200],
  [undefined, 1000],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 1000],
] as const) {
  test(`Retry-After ${retryAfter} is ${ms} ms, a little more for some`, () => {
    assert.equal(watch().how.afterThrottling(retryAfter), ms);
    assert.equal(watch({ random: 1 }).how.afterThrottling(retryAfter), ms * 1.25);
  });
}

test('a throttling server is waited for ten minutes', () => {
  const on = watch();
  on.nowMs += 599_000;
  assert.equal(on.how.afterThrottling('1'), 1000);
  on.nowMs += 1;
  assert.equal(on.how.afterThrottling('1'), undefined);
});

test('a connection that breaks is made again after growing pauses, for a minute', () => {
  const on = watch();
  const pauses = Array.from({ length: 8 }, () => on.how.afterFailure());
  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  on.nowMs += 55_001;
  assert.equal(on.how.afterFailure(), undefined);
});

test('a server that never answered is not waited for: its address may be mistyped', () => {
  assert.equal(watch({ known: false }).how.afterFailure(), undefined);
});

test('a server error is tried twice more', () => {
  const { how } = watch();
  assert.deepEqual(
    [how.afterServerError(), how.afterServerError(), how.afterServerError()],
    [100, 200, undefined],
  );
});
