import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addToMemory,
  type Change,
  type Memory,
  memoryKey,
  patchOf,
  pointer,
  readMemory,
  writeMemory,
} from '../../../src/model/memory.ts';
import { ago, now } from '../nouns.ts';

const uid = 'uid-1';
const suspend: Change = { path: '/spec/suspend', was: false, set: true };
const memory = (changes: readonly Change[], more: Partial<Memory> = {}): Memory => ({
  uid,
  at: now,
  by: 'anna',
  changes,
  ...more,
});

const aValue = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const aChange: fc.Arbitrary<Change> = fc
  .record({ path: fc.string().map(step => pointer('spec', step)), was: aValue, set: aValue })
  .map(change => ({ ...change }));
const aMemory: fc.Arbitrary<Memory> = fc
  .record({
    uid: fc.constant(uid),
    at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
    by: fc.string(),
    reason: fc.option(fc.string(), { nil: undefined }),
    changes: fc.array(aChange),
  })
  .map(({ reason, ...rest }) => ({ ...rest, ...(reason === undefined ? {} : { reason }) }));

test('what is written on an object is read again as it was, whatever stands in it', () => {
  fc.assert(
    fc.property(aMemory, one =>
      assert.deepEqual(readMemory(writeMemory(one), uid), { state: 'remembered', memory: one }),
    ),
  );
});

test('a memory of another object is foreign: KEDA copies annotations to the Jobs that it makes', () => {
  assert.deepEqual(readMemory(writeMemory(memory([suspend])), 'uid-2'), { state: 'foreign' });
});

test('without the annotation there is no memory', () => {
  assert.deepEqual(readMemory(undefined, uid), { state: 'none' });
});

const good = JSON.parse(writeMemory(memory([suspend])));
const unreadable: Record<string, unknown> = {
  'no JSON': undefined,
  'a newer format': { ...good, v: 2 },
  'no format': { ...good, v: undefined },
  'no uid': { ...good, uid: undefined },
  nobody: { ...good, by: undefined },
  'no moment': { ...good, at: 'yesterday' },
  'no list of changes': { ...good, changes: 'all' },
  'a change without a path': { ...good, changes: [{ was: 1, set: 2 }] },
  'a path that is no pointer': { ...good, changes: [{ path: 'spec', was: 1, set: 2 }] },
  'a value that is an object': { ...good, changes: [{ path: '/spec/x', was: {}, set: 2 }] },
  'a value that is missing': { ...good, changes: [{ path: '/spec/x', set: 2 }] },
  'a change that is nothing': { ...good, changes: [null] },
  null: null,
};
for (const [what, text] of Object.entries(unreadable)) {
  test(`a memory with ${what} is unreadable, not a crash and not "none"`, () => {
    const written = what === 'no JSON' ? '{"v":1' : JSON.stringify(text);
    assert.deepEqual(readMemory(written, uid), { state: 'unreadable' });
  });
}

test('any text at all is read without a crash', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), text => void readMemory(text, uid)));
});

const added = (first: Memory, later: Memory): Memory =>
  addToMemory({ state: 'remembered', memory: first }, later);

test('the first memory wins: who, when, why and how it was stay, and only what is set is as it is now', () => {
  const first = memory([{ path: '/spec/ttl', was: 60, set: null }], { at: ago('1h'), reason: 'first' });
  const later = memory([{ path: '/spec/ttl', was: 30, set: 5 }, suspend], { by: 'bert', reason: 'second' });
  assert.deepEqual(added(first, later), {
    ...first,
    changes: [{ path: '/spec/ttl', was: 60, set: 5 }, suspend],
  });
});

test('a field that was not there before the first stop is remembered so, whatever a later one finds', () => {
  const first = memory([{ path: '/spec/activeDeadlineSeconds', was: null, set: 1 }]);
  const later = memory([{ path: '/spec/activeDeadlineSeconds', was: 1, set: null }]);
  assert.deepEqual(added(first, later).changes, [
    { path: '/spec/activeDeadlineSeconds', was: null, set: null },
  ]);
});

test('however often it is added to, the first `was` of each field stays', () => {
  fc.assert(
    fc.property(fc.array(fc.array(aChange), { minLength: 1 }), rounds => {
      const [first = [], ...more] = rounds.map(changes => {
        const byPath = new Map(changes.map(change => [change.path, change]));
        return [...byPath.values()];
      });
      const last = more.reduce((known, changes) => added(known, memory(changes)), memory(first));
      for (const { path, was } of first)
        assert.deepEqual(last.changes.find(change => change.path === path)?.was, was);
    }),
  );
});

for (const state of ['none', 'foreign', 'unreadable'] as const)
  test(`what is ${state} is replaced by the memory of this stop`, () =>
    assert.deepEqual(addToMemory({ state }, memory([suspend])), memory([suspend])));

test('the change and its memory go into one merge patch', () => {
  const paused = {
    path: pointer('metadata', 'annotations', 'autoscaling.keda.sh/paused'),
    was: null,
    set: 'true',
  };
  assert.deepEqual(patchOf([suspend, paused, { path: '/spec/ttl', was: 1, set: null }], 'note'), {
    metadata: { annotations: { [memoryKey]: 'note', 'autoscaling.keda.sh/paused': 'true' } },
    spec: { suspend: true, ttl: null },
  });
  assert.deepEqual(patchOf([], null), { metadata: { annotations: { [memoryKey]: null } } });
});
