import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobPod } from '../../../src/model/job-pod.ts';
import type { PrunePodsOptions } from '../../../src/model/options.ts';
import type { DeletePlan, Verdict } from '../../../src/model/plan.ts';
import type { ReasonCode } from '../../../src/model/why.ts';
import { planPrunePods } from '../../../src/plan/prune-pods.ts';
import {
  aLeakedPod,
  aLeakedRunningPod,
  aLivingJob,
  prunePodsOptions,
  prunePodsSnapshot,
} from '../leak-nouns.ts';
import { ago } from '../nouns.ts';

const planOf = (pods: readonly JobPod[], options: Partial<PrunePodsOptions> = {}): DeletePlan =>
  planPrunePods(prunePodsSnapshot(pods, { jobs: [aLivingJob('alive')] }), prunePodsOptions(options));

const hour = 3_600_000;
const rows: readonly [string, JobPod, Partial<PrunePodsOptions>, Verdict, ReasonCode][] = [
  ['W01: leaked', aLeakedPod('p'), {}, 'delete', 'leaked'],
  ['its Job lives', aLeakedPod('p', { jobUids: ['uid-alive'] }), {}, 'stays', 'job-exists'],
  ['W05: still runs', aLeakedRunningPod('p'), {}, 'stays', 'leaked-running'],
  ['W05: still runs, asked for', aLeakedRunningPod('p'), { includeRunning: true }, 'delete', 'leaked'],
  [
    'Failed, and a container runs',
    aLeakedPod('p', { phase: 'Failed', runningContainers: 1 }),
    {},
    'stays',
    'leaked-running',
  ],
  [
    'a Pending one',
    aLeakedRunningPod('p', { phase: 'Pending', runningContainers: 0 }),
    {},
    'stays',
    'leaked-running',
  ],
  ['terminating', aLeakedPod('p', { deletingSince: ago('5m') }), {}, 'already-terminating', 'terminating'],
  [
    'terminating, its Job lives',
    aLeakedPod('p', { deletingSince: ago('5m'), jobUids: ['uid-alive'] }),
    {},
    'stays',
    'job-exists',
  ],
  ['marked', aLeakedPod('p', { marks: ['jobctl-keep'] }), {}, 'stays', 'protected'],
  ['kept by a stop', aLeakedPod('p', { marks: ['jobctl-stopped'] }), {}, 'stays', 'protected'],
  [
    'marked, taken',
    aLeakedPod('p', { marks: ['jobctl-keep'] }),
    { includeProtected: true },
    'delete',
    'leaked',
  ],
  ['a hook', aLeakedPod('p', { marks: ['helm-hook'] }), {}, 'stays', 'hook'],
  ['old enough', aLeakedPod('p'), { olderThanMs: hour }, 'delete', 'leaked'],
  ['too young', aLeakedPod('p', { endedAt: ago('59m') }), { olderThanMs: hour }, 'stays', 'younger-than'],
  [
    'running, made long ago',
    aLeakedRunningPod('p'),
    { includeRunning: true, olderThanMs: hour },
    'delete',
    'leaked',
  ],
  [
    'running, made just now',
    aLeakedRunningPod('p', { createdAt: ago('1m') }),
    { includeRunning: true, olderThanMs: hour },
    'stays',
    'made-later-than',
  ],
];
for (const [what, pod, options, verdict, code] of rows)
  test(`prune pods: ${what}: ${verdict}, ${code}`, () => {
    const plan = planOf([pod], options);
    assert.deepEqual(
      plan.findings.map(({ verdict, why }) => [verdict, why.code]),
      [[verdict, code]],
    );
    assert.equal(plan.actions.length, verdict === 'delete' ? 1 : 0);
  });

test('no end is known: with an age asked for it stays', () => {
  const { endedAt: _, ...pod } = aLeakedPod('p');
  assert.equal(planOf([pod], { olderThanMs: hour }).findings[0]?.why.code, 'end-unknown');
  assert.equal(planOf([pod]).findings[0]?.verdict, 'delete');
});

test('kube-* namespaces are left alone under -A', () => {
  const { ref, ...rest } = aLeakedPod('p');
  const pod = { ...rest, ref: { ...ref, namespace: 'kube-system' } };
  const snapshot = { ...prunePodsSnapshot([pod]), jobs: new Map([['kube-system', []]]) };
  const under = (allNamespaces: boolean) =>
    planPrunePods(snapshot, prunePodsOptions({ allNamespaces })).findings[0]?.why.code;
  assert.equal(under(true), 'kube-namespace');
  assert.equal(under(false), 'leaked');
});

test('each delete is pinned by version, on the word that its Job is gone', () => {
  const [action] = planOf([aLeakedPod('p')]).actions;
  assert.equal(action?.pin, 'version');
  assert.deepEqual(action?.whileGone, { uid: 'uid-gone', name: 'gone', namespace: 'batch' });
});

test('running work and more than 100 Pods ask for a typed word', () => {
  const many = Array.from({ length: 101 }, (_, at) => aLeakedPod(`p-${at}`));
  assert.deepEqual(planOf(many).dangers, ['many-objects']);
  assert.deepEqual(planOf(many.slice(1)).dangers, []);
  assert.deepEqual(planOf([aLeakedRunningPod('p')], { includeRunning: true }).dangers, ['running-work']);
});

test('the wait is long enough for the longest grace period', () => {
  const timeout = (pod: JobPod) => planOf([pod], { includeRunning: true }).settle.timeoutMs;
  assert.equal(timeout(aLeakedPod('p', { graceSeconds: 3600 })), 300_000, 'it has ended: it has no grace');
  assert.equal(timeout(aLeakedRunningPod('p', { graceSeconds: 3600 })), 3_660_000);
});

test('only what was picked goes', () => {
  const [one, other] = [aLeakedPod('one'), aLeakedPod('other')];
  const plan = planPrunePods(prunePodsSnapshot([one, other]), prunePodsOptions(), new Set([one.ref.uid]));
  assert.deepEqual(
    plan.actions.map(({ target }) => target.name),
    ['one'],
  );
  assert.deepEqual(
    plan.findings.map(({ why }) => why.code),
    ['leaked', 'not-chosen'],
  );
});
