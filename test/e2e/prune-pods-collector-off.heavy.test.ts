// `prune pods` where the garbage collector or the Job controller does not work. On a control plane of its own.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { startControlPlane } from '../cluster/control-plane.ts';
import { ownerReference } from '../cluster/state/draft.ts';
import { releaseObject } from '../cluster/state/finalizers.ts';
import { createFinishedJob, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { createLeakedPod, createPod, createPodOf, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { aJobWithPods, aPlaceToPrune, assertGone, endedPod, podsIn } from './prune-pods-place.ts';

// a Job controller that works takes its own finalizer off a Pod that has lost its Job
const controllers = '--controllers=*,-garbage-collector-controller,-job-controller,-cronjob-controller';
const plane = await startControlPlane({ controllerManagerFlags: [controllers] });
after(() => plane.stop());
const { admin } = plane;

test('a Job whose TTL has run out is deleted in the foreground: as long as it is terminating, its Pods are not leaked', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const spec = { ttlSecondsAfterFinished: 1 };
  const job = await createFinishedJob(admin, { name: 'old', namespace, ended: '1h', spec });
  await createPodOf(admin, job, endedPod('old-a'));
  const held = await until('the TTL controller to delete the Job', 60_000, async () => {
    const now = await admin.get(jobPath(namespace, 'old'));
    return now.metadata.deletionTimestamp !== undefined && now;
  });
  assert.deepEqual(held.metadata.finalizers, ['foregroundDeletion']);
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --include-running --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), []);
  assert.match(done.stderr, /^old-a .*stays +its Job old is there$/m);
});

test('W03: a Pod that still names its dead Job as owner is left to the collector at first, and goes when that should long have come', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  await aJobWithPods(admin, namespace, 'gone', [
    endedPod('just-now', { ended: '30s', started: '1m' }),
    endedPod('an-hour-ago'),
    { name: 'running', phase: 'Running', started: '3h' },
  ]);
  await aJobWithPods(admin, namespace, 'lives', [endedPod('lives-a')]);
  await admin.delete(jobPath(namespace, 'gone'), { propagationPolicy: 'Background' });
  assert.equal(await admin.find(jobPath(namespace, 'gone')), undefined);
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --include-running --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['an-hour-ago']);
  assert.match(
    done.stderr,
    /^just-now .*stays +its Job is gone and it ended .*garbage collector should take it$/m,
  );
  assert.match(done.stderr, /^an-hour-ago .*the garbage collector has not taken it$/m);
  assert.match(done.stderr, /^running .*stays +.*garbage collector should take it$/m);
});

test('W03: a Job that was made anew under the name of the dead owner does not save its Pods, nor lose its own', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  await aJobWithPods(admin, namespace, 'nightly', [endedPod('old-a')]);
  await admin.delete(jobPath(namespace, 'nightly'), { propagationPolicy: 'Background' });
  await aJobWithPods(admin, namespace, 'nightly', [endedPod('new-a')]);
  const before = await podsIn(admin, namespace);
  assert.equal((await run('prune pods --yes')).code, 0);
  assertGone(before, await podsIn(admin, namespace), ['old-a']);
});

test('W06: a leaked Pod with the tracking finalizer is not called deleted, and the way out is named; exit 4', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const finalizers = ['batch.kubernetes.io/job-tracking'];
  await createLeakedPod(admin, { ...endedPod('held', { finalizers }), namespace });
  await createLeakedPod(admin, { ...endedPod('free'), namespace });
  t.after(() => releaseObject(admin, podPath(namespace, 'held')));
  const done = await run('prune pods --yes --timeout 2s');
  assert.equal(done.code, 4, done.stderr);
  assert.match(done.stdout, /pod\/held deletion accepted, waiting on: batch\.kubernetes\.io\/job-tracking/);
  assert.match(done.stderr, /1 Pod deleted, 1 accepted but not gone, 0 failed/);
  assert.match(done.stderr, new RegExp(`kubectl jobctl unstick pod/held -n ${namespace}`));
  assert.ok(await admin.find(podPath(namespace, 'held')));
});

test('W07: a dead owner and the label of a living Job, as after a restore: the Job is there, and the Pod stays', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const restored = await createFinishedJob(admin, { name: 'restored', namespace, ended: '1h' });
  const before = ownerReference(restored, { uid: randomUUID() });
  await createLeakedPod(admin, {
    ...endedPod('restored-a'),
    namespace,
    ownerReferences: [before],
    jobName: 'restored',
    jobUid: restored.metadata.uid,
  });
  // and one whose owner and labels are two Jobs that are both gone
  await createLeakedPod(admin, { ...endedPod('of-two'), namespace, ownerReferences: [before] });
  const pods = await podsIn(admin, namespace);
  const done = await run('prune pods --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assertGone(pods, await podsIn(admin, namespace), []);
  assert.match(done.stderr, /^restored-a .*stays +its Job restored is there$/m);
  assert.match(done.stderr, /^of-two .*stays +its labels and its owner do not agree/m);
});

test('D06: a Job whose CronJob is gone goes on, and its Pods are not leaked', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const owner = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    name: 'cron',
    uid: randomUUID(),
    controller: true,
  };
  const job = await createRunningJob(admin, { name: 'cron-1', namespace, ownerReferences: [owner] });
  await createPodOf(admin, job, { name: 'cron-1-a', phase: 'Running' });
  await createPodOf(admin, job, endedPod('cron-1-b'));
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --include-running --yes');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), []);
});

test('D15, W12: a dead owner of another kind, or one that names its Job in an old version, is not guessed at', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  const flow = { apiVersion: 'tekton.dev/v1', kind: 'TaskRun', name: 'build', uid: randomUUID() };
  await createPod(admin, { ...endedPod('of-flow'), namespace, ownerReferences: [flow] });
  await createLeakedPod(admin, { ...endedPod('of-flow-with-labels'), namespace, ownerReferences: [flow] });
  const job = await createFinishedJob(admin, { name: 'lives', namespace, ended: '1h' });
  const old = ownerReference(job, { apiVersion: 'batch/v1beta1' });
  await createPodOf(admin, job, endedPod('of-old-version', { ownerReferences: [old] }));
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), []);
  assert.match(done.stderr, /^of-flow .*belongs to taskrun\.tekton\.dev\/build$/m);
  assert.match(done.stderr, /^of-old-version .*its Job lives is there$/m);
});
