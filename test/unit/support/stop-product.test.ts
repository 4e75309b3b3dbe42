// The combinations in which `stop` is tried on a real control plane: which there are, and whether those of a usual run are enough.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allPairs, pairsOf } from '../../e2e/stop-product/all-pairs.ts';
import { fullProduct, impossible, isPossible, nameOf } from '../../e2e/stop-product/combinations.ts';

const all = fullProduct();
const possible = all.filter(isPossible);
const pairs = allPairs(possible);

test('the full product of the nine factors is 2592 combinations, each once', () => {
  assert.equal(all.length, 2 * 3 * 2 * 2 * 2 * 3 * 2 * 3 * 3);
  assert.equal(new Set(all.map(nameOf)).size, all.length);
});

test('each reason for which a combination is impossible meets some', () => {
  for (const { because, is } of impossible) assert.ok(all.some(is), because);
  assert.ok(possible.length > all.length / 3, `${possible.length} possible`);
});

test('every pair of values that can meet does meet among all pairs', () => {
  const met = new Set(pairs.flatMap(pairsOf));
  const missing = possible.flatMap(pairsOf).filter(pair => !met.has(pair));
  assert.deepEqual(missing, []);
});

test('a pair that does not meet has no possible combination', () => {
  const met = new Set(pairs.flatMap(pairsOf));
  const never = new Set(all.flatMap(pairsOf).filter(pair => !met.has(pair)));
  for (const pair of never) {
    const meeting = all.filter(combination => pairsOf(combination).includes(pair));
    assert.ok(
      meeting.every(combination => !isPossible(combination)),
      pair,
    );
  }
});

test('all pairs are few, possible, and the same in every run', () => {
  assert.ok(pairs.every(isPossible));
  assert.deepEqual(allPairs(possible), pairs);
  // the two longest factors alone need nine
  assert.ok(pairs.length >= 9 && pairs.length <= 25, `${pairs.length} combinations`);
});
