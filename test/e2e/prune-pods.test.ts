// `prune pods` on a real control plane, which Pods go: those that a Job left behind and nothing else holds, compared by uid.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sharedControlPlane } from '../cluster/shared.ts';
import { createCronJob, cronJobPath } from '../cluster/state/cronjobs.ts';
import { podSpec } from '../cluster/state/draft.ts';
import { createConfigMap } from '../cluster/state/finalizers.ts';
import { createFinishedJob, createJobByHand, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { createLeakedPod, createPod, createPodOf } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import {
  aJobWithPods,
  aPlaceToPrune,
  assertGone,
  deleteTheOldWay,
  endedPod,
  leak,
  podsIn,
} from './prune-pods-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

test('W01: the Pods of Jobs that were deleted without a policy go, those of living Jobs stay, and the second run finds nothing', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  await aJobWithPods(admin, namespace, 'lives', [endedPod('lives-a'), endedPod('lives-b')]);
  await leak(admin, namespace, 'report', [endedPod('report-a'), endedPod('report-b', { phase: 'Failed' })]);
  await leak(admin, namespace, 'etl', [endedPod('etl-a')]);
  const before = await podsIn(admin, namespace);
  const looked = await run('prune pods --dry-run');
  assert.match(looked.stdout, /^report-b +Failed +60m ago +its Job report is gone$/m);
  assert.match(looked.stdout, /3 Pods would be deleted\. 2 stay: 2 whose Job is there\./);
  const done = await run('prune pods --yes');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['report-a', 'report-b', 'etl-a']);
  assert.match(done.stderr, /3 Pods deleted, 0 failed, 2 kept/);
  const again = await run('prune pods --yes');
  assert.deepEqual([again.code, again.stdout], [0, '']);
  assert.match(again.stderr, /No leaked Pods to prune\. 2 stay: 2 whose Job is there\./);
});

test('W01: a Job of the same name that was made anew keeps its Pods; those of the first one go', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  await leak(admin, namespace, 'nightly', [endedPod('old-a'), endedPod('old-b')]);
  const anew = await aJobWithPods(admin, namespace, 'nightly', [endedPod('new-a')]);
  // without an owner too: its label is enough
  await createLeakedPod(admin, {
    ...endedPod('new-b'),
    namespace,
    jobName: 'nightly',
    jobUid: anew.metadata.uid,
  });
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --yes');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['old-a', 'old-b']);
});

test('W02: labels in the short, the prefixed and both spellings count; where they disagree, or no Job controller wrote them so, the Pod stays and is shown', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const [uid, other] = [randomUUID(), randomUUID()];
  const short = { 'controller-uid': uid, 'job-name': 'gone' };
  const prefixed = { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': 'gone' };
  const labelled: Record<string, Record<string, string>> = {
    short,
    prefixed,
    both: { ...short, ...prefixed },
    'two-uids': { ...short, ...prefixed, 'controller-uid': other },
    'two-names': { ...short, ...prefixed, 'job-name': 'other' },
    'uid-only': { 'controller-uid': uid },
    'name-only': { 'job-name': 'gone' },
  };
  for (const [name, labels] of Object.entries(labelled))
    await createPod(admin, { ...endedPod(name), namespace, labels });
  const before = await podsIn(admin, namespace);
  const looked = await run('prune pods --dry-run');
  for (const name of ['two-uids', 'two-names'])
    assert.match(looked.stdout, new RegExp(`^${name} .*do not agree`, 'm'));
  for (const name of ['uid-only', 'name-only'])
    assert.match(looked.stdout, new RegExp(`^${name} .*both the name and the uid`, 'm'));
  const done = await run('prune pods --yes');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['short', 'prefixed', 'both']);
});

test('W07: a living owner wins over the label of a dead Job, as after a restore', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const restored = await createFinishedJob(admin, { name: 'restored', namespace, ended: '1h' });
  const dead = randomUUID();
  const labels = { 'controller-uid': dead, 'batch.kubernetes.io/controller-uid': dead };
  await createPodOf(admin, restored, endedPod('restored-a', { labels }));
  await leak(admin, namespace, 'gone', [endedPod('gone-a')]);
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['gone-a']);
  assert.match(done.stderr, /^restored-a .*stays +its Job restored is there$/m);
});

test('W09: names are not compared: "load" lives, "load-2" is gone, and only its own Pods go', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  await aJobWithPods(admin, namespace, 'load', [endedPod('load-a'), endedPod('load-2-a')]);
  await leak(admin, namespace, 'load-2', [endedPod('load-2-b'), endedPod('load-b')]);
  const before = await podsIn(admin, namespace);
  assert.equal((await run('prune pods --yes')).code, 0);
  assertGone(before, await podsIn(admin, namespace), ['load-2-b', 'load-b']);
});

test('W12: what no Job made is no candidate: bare Pods, Pods of other owners, whatever their labels', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const flow = await createConfigMap(admin, { name: 'flow', namespace });
  await createPod(admin, { ...endedPod('bare'), namespace });
  await createPod(admin, { ...endedPod('bare-labelled'), namespace, labels: { app: 'x' } });
  await createPod(admin, { ...endedPod('of-flow'), namespace, owner: flow });
  await createLeakedPod(admin, { ...endedPod('of-flow-with-labels'), namespace, owner: flow });
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), []);
  for (const [name, why] of [
    ['bare', 'made by no Job'],
    ['bare-labelled', 'made by no Job'],
    ['of-flow', 'belongs to configmap/flow'],
    ['of-flow-with-labels', 'belongs to configmap/flow'],
  ] as const)
    assert.match(done.stderr, new RegExp(`^${name} .* ${why}$`, 'm'));
});

test('D06: the Pods of a Job whose CronJob was orphaned away stay: their Job is there, and runs', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const cron = await createCronJob(admin, { name: 'cron', namespace });
  const job = await createRunningJob(admin, { name: 'cron-1', namespace, owner: cron });
  await createPodOf(admin, job, { name: 'cron-1-a', phase: 'Running' });
  await createPodOf(admin, job, endedPod('cron-1-b', { phase: 'Failed' }));
  await admin.delete(cronJobPath(namespace, 'cron'), { propagationPolicy: 'Orphan' });
  await until('the Job to be without its owner', 30_000, async () => {
    const { metadata } = await admin.get(jobPath(namespace, 'cron-1'));
    return metadata.ownerReferences === undefined;
  });
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --include-running --yes');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), []);
  assert.match(done.stderr, /2 stay: 2 whose Job is there/);
});

test('a Pod that the selector of a living Job chooses stays: the Job may take it for its own', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const spec = {
    manualSelector: true,
    selector: { matchLabels: { app: 'import' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
    template: { metadata: { labels: { app: 'import', tier: 'x' } }, spec: podSpec() },
  };
  await createJobByHand(admin, { name: 'chooser', namespace, spec });
  await leak(admin, namespace, 'gone', [
    endedPod('chosen', { labels: { app: 'import', tier: 'y' } }),
    endedPod('half-chosen', { labels: { app: 'import' } }),
  ]);
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['half-chosen']);
  assert.match(done.stderr, /^chosen .*stays +the selector of job\.batch\/chooser chooses it$/m);
});

test('marked Pods and hooks stay until --include-protected', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const job = await aJobWithPods(admin, namespace, 'gone', [
    endedPod('by-annotation', { annotations: { 'jobctl/keep': 'true' } }),
    endedPod('by-label', { labels: { 'jobctl/keep': 'audit' } }),
    endedPod('taken-back', { annotations: { 'jobctl/keep': 'false' } }),
    endedPod('hook', { annotations: { 'helm.sh/hook': 'post-install' } }),
    endedPod('plain'),
  ]);
  await deleteTheOldWay(admin, job);
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  const between = await podsIn(admin, namespace);
  assertGone(before, between, ['taken-back', 'plain']);
  assert.match(done.stderr, /^by-label .*stays +protected: jobctl\/keep \(--include-protected takes it\)$/m);
  assert.equal((await run('prune pods --yes --include-protected')).code, 0);
  assertGone(between, await podsIn(admin, namespace), ['by-annotation', 'by-label', 'hook']);
});
