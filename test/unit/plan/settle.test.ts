import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta } from '../../../src/model/object.ts';
import type { Dependent, Settle } from '../../../src/model/plan.ts';
import type { Sent, Step } from '../../../src/model/settling.ts';
import { settleStep, settleTimeoutMs } from '../../../src/plan/settle.ts';
import { ago, aJob, anObject, aPod, complete, kinds, now, ownedBy } from '../nouns.ts';

const job = aJob('j', complete('1d'));
const pod = aPod('p', job);
const shown = (object: ObjectMeta, by: Dependent['by'] = 'us'): Dependent => ({
  target: object.ref,
  owners: object.owners.map(owner => owner.uid),
  by,
});
const settle = (dependents: Dependent[]): Settle => ({
  wait: true,
  targets: [job.ref],
  dependents,
  kinds: [kinds.pod],
  timeoutMs: 1000,
});
const nothingSent: Sent = { versions: new Map(), failed: new Set() };

function step(
  dependents: Dependent[],
  present: ObjectMeta[],
  sent: Partial<Sent> = {},
  unknown: string[] = [],
): Step {
  const objects = new Map(present.map(object => [object.ref.uid, object]));
  return settleStep(
    settle(dependents),
    { objects, unknown: new Set(unknown) },
    { ...nothingSent, ...sent },
    now,
  );
}
const left = (made: Step): string[] => made.left.map(item => `${item.target.name} ${item.code}`);

test('a dependent is deleted once its owner is gone, at the version that was just read', () => {
  const changed = { ...pod, ref: { ...pod.ref, resourceVersion: '8' } };
  const made = step([shown(pod)], [changed]);
  assert.deepEqual(made.deletes, [{ target: changed.ref, propagation: 'Background', pin: 'version' }]);
});

test('while the owner is there its dependents are not touched: under Background they are not collected either', () => {
  const held = { ...job, deletingSince: ago('1m'), finalizers: ['example.com/hold'] };
  const made = step([shown(pod)], [held, pod]);
  assert.deepEqual(made.deletes, []);
  assert.deepEqual(left(made), ['j held-by-finalizers', 'p about-to-be-deleted']);
});

test('a dependent whose owner cannot be read now is not touched', () => {
  assert.deepEqual(step([shown(pod)], [pod], {}, [job.ref.uid]).deletes, []);
});

test('a dependent that got another owner since it was shown is not touched', () => {
  const adopted = { ...pod, owners: [...pod.owners, ...ownedBy(anObject(kinds.configMap, 'c'))] };
  assert.deepEqual(step([shown(pod)], [adopted]).deletes, []);
});

test('what was never shown is never deleted by us; it is waited for', () => {
  const stranger = aPod('new', job);
  const made = step([], [stranger]);
  assert.deepEqual(made.deletes, []);
  assert.deepEqual(left(made), ['new waits-for-collector']);
});

test('what is left to the collector is waited for, not deleted', () => {
  const made = step([shown(pod, 'collector')], [pod]);
  assert.deepEqual(made.deletes, []);
  assert.deepEqual(left(made), ['p waits-for-collector']);
});

test('a dependent that lost its owner was orphaned by somebody: it is neither deleted nor waited for', () => {
  const made = step([shown(pod)], [{ ...pod, owners: [] }]);
  assert.deepEqual([made.deletes, made.left], [[], []]);
  assert.deepEqual(left(step([], [{ ...aPod('new', job), owners: [] }])), [], 'nor one that was never shown');
});

test('a new Pod of a Job whose delete failed is not waited for: its Job lives', () => {
  const made = step([], [aPod('new', job)], { failed: new Set([job.ref.uid]) });
  assert.deepEqual(left(made), []);
});

test('a Namespace without finalizers waits for what is in it, not for a kubelet', () => {
  const namespace = anObject(kinds.namespace, 'old', { deletingSince: ago('1m') });
  const plan: Settle = { wait: true, targets: [namespace.ref], dependents: [], kinds: [], timeoutMs: 0 };
  const present = { objects: new Map([[namespace.ref.uid, namespace]]), unknown: new Set<string>() };
  assert.deepEqual(
    settleStep(plan, present, nothingSent, now).left.map(({ code }) => code),
    ['waits-for-contents'],
  );
});

test('the same delete is not sent twice for the same version', () => {
  assert.deepEqual(step([shown(pod)], [pod], { versions: new Map([[pod.ref.uid, '7']]) }).deletes, []);
});

test('levels go one after the other: the Pod waits until its Job is gone', () => {
  const cron = anObject(kinds.cronJob, 'c');
  const child = aJob('child', complete('1d'), { owners: ownedBy(cron) });
  const leaf = aPod('leaf', child);
  const plan: Settle = {
    wait: true,
    targets: [cron.ref],
    dependents: [shown(child), shown(leaf)],
    kinds: [],
    timeoutMs: 0,
  };
  const at = (present: ObjectMeta[]) =>
    settleStep(
      plan,
      { objects: new Map(present.map(object => [object.ref.uid, object])), unknown: new Set() },
      nothingSent,
      now,
    );
  assert.deepEqual(
    at([child, leaf]).deletes.map(action => action.target.name),
    ['child'],
  );
  assert.deepEqual(
    at([leaf]).deletes.map(action => action.target.name),
    ['leaf'],
  );
  assert.deepEqual(at([]).left, []);
});

test('nothing waits for what belongs to a target whose delete failed', () => {
  const made = step([shown(pod)], [job, pod], { failed: new Set([job.ref.uid]) });
  assert.deepEqual([made.left, made.deletes, made.gone], [[], [], []]);
});

test('each terminating object says why it is still there', () => {
  const dying = (more: Partial<ObjectMeta>): ObjectMeta => ({
    ...pod,
    deletingSince: ago('10s'),
    deletionGraceSeconds: 30,
    ...more,
  });
  const why = (object: ObjectMeta) =>
    step([shown(pod)], [object]).left.map(({ code, facts }) => ({ code, facts }));
  assert.deepEqual(why(dying({})), [{ code: 'in-grace', facts: { seconds: 20, of: 30 } }]);
  assert.deepEqual(why(dying({ deletingSince: ago('60s') })), [
    { code: 'past-grace', facts: { seconds: 30 } },
  ]);
  assert.deepEqual(why(dying({ finalizers: ['foregroundDeletion'] })), [
    { code: 'waits-for-dependents', facts: { finalizers: 'foregroundDeletion' } },
  ]);
  assert.deepEqual(why(dying({ finalizers: ['foregroundDeletion', 'a.b/c'] })), [
    { code: 'held-by-finalizers', facts: { finalizers: 'foregroundDeletion, a.b/c' } },
  ]);
});

test('an object that was not seen and not unreadable is gone', () => {
  assert.deepEqual(
    step([shown(pod)], []).gone.map(ref => ref.name),
    ['j', 'p'],
  );
  assert.deepEqual(left(step([shown(pod)], [], {}, [pod.ref.uid])), ['p unreadable']);
});

test('the wait is five minutes, a minute more than the longest grace period, and longer for what the collector has to take', () => {
  assert.equal(settleTimeoutMs([], []), 300_000);
  assert.equal(settleTimeoutMs([30, 3600], []), 3_660_000);
  assert.equal(
    settleTimeoutMs(
      [],
      Array.from({ length: 6000 }, () => shown(pod, 'collector')),
    ),
    900_000,
  );
});
