// The Pods of a real KEDA: its own clean-up takes them with their Jobs, a Job that somebody deletes the old way leaves them, and
// `prune pods` finds exactly those.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { type Fields, inParallel, type KubeObject } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { installKeda, kedaUser } from '../cluster/keda/install.ts';
import { startKeda } from '../cluster/keda/operator.ts';
import { createScaledJob, scaledJobPath } from '../cluster/keda/scaled-job.ts';
import { jobPath } from '../cluster/state/jobs.ts';
import { endPod } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import type { Place } from '../e2e/operator.ts';
import { aPlaceToPrune, assertGone, deleteTheOldWay, podsIn } from '../e2e/prune-pods-place.ts';
import { endOf, jobsOf, podsOf } from '../e2e/stop-place.ts';

const plane = await startControlPlane();
after(() => plane.stop());
const { admin } = plane;
await installKeda(plane);
const keda = await startKeda(plane);
after(() => keda.stop());

const jobs = 3;
const patienceMs = 60_000;

interface Queue extends Place {
  readonly queue: KubeObject;
}

async function aQueue(t: TestContext, spec: Fields): Promise<Queue> {
  const place = await aPlaceToPrune(t, plane);
  const queue = await createScaledJob(admin, { name: 'queue', namespace: place.namespace, jobs, spec });
  return { ...place, queue };
}

const ownJobs = ({ metadata }: KubeObject) => jobsOf(admin, metadata.namespace ?? '', metadata.uid);
const isComplete = (job: KubeObject): boolean => endOf(job)?.startsWith('Complete') === true;

const podOf = (job: KubeObject): Promise<KubeObject> =>
  until(`the Pod of ${job.metadata.name}`, patienceMs, async () => (await podsOf(admin, job))[0]);

/** Its Pod succeeds, and the Job controller calls it complete; unless KEDA has already taken it away. */
async function complete(job: KubeObject): Promise<KubeObject> {
  const pod = await podOf(job);
  await endPod(admin, pod, { phase: 'Succeeded', started: '2h', ended: '1h' });
  await until(`${job.metadata.name} to be complete`, patienceMs, async () => {
    const now = await admin.find(jobPath(job.metadata.namespace ?? '', job.metadata.name));
    return now === undefined || isComplete(now);
  });
  return pod;
}

/** KEDA keeps as many unfinished ones as it is told to. */
const unfinished = (queue: KubeObject): Promise<readonly KubeObject[]> =>
  until(`${jobs} unfinished Jobs`, patienceMs, async () => {
    const now = (await ownJobs(queue)).filter(job => endOf(job) === undefined);
    return now.length >= jobs && now;
  });

test('KEDA keeps its history limits by itself, and takes the Pods with its Jobs: nothing is leaked', {
  timeout: 240_000,
}, async t => {
  const { namespace, run, queue } = await aQueue(t, { successfulJobsHistoryLimit: 1 });
  const trail = await auditTrail(plane);
  const pods = [];
  for (let round = 0; round < 2; round += 1)
    pods.push(...(await inParallel(await unfinished(queue), complete)));
  const kept = await until('KEDA to have applied its limit', patienceMs, async () => {
    const now = (await ownJobs(queue)).filter(isComplete);
    return now.length <= 1 && now;
  });
  const deletes = await trail.atLeast(pods.length - 1, {
    verbs: ['delete'],
    resource: 'jobs',
    user: kedaUser,
    namespace,
  });
  assert.deepEqual(
    [...new Set(deletes.map(({ requestObject }) => requestObject?.['propagationPolicy']))],
    ['Background'],
  );
  const uids = new Set(pods.map(({ metadata }) => metadata.uid));
  await until('the collector to have taken their Pods', patienceMs, async () => {
    const there = (await podsIn(admin, namespace)).filter(pod => uids.has(pod.split(' ')[1] ?? ''));
    return there.length === kept.length;
  });
  const looked = await run('prune pods --include-running --dry-run');
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(looked.stdout, /No leaked Pods to prune\. \d+ stay: \d+ whose Job is there\./);
});

test('W11: Jobs of a ScaledJob that were deleted the old way leave their Pods: those are found although the ScaledJob lives, and no other goes', {
  timeout: 240_000,
}, async t => {
  const { namespace, run, queue } = await aQueue(t, { successfulJobsHistoryLimit: 100 });
  const [first, second, third] = await unfinished(queue);
  assert.ok(first && second && third);
  const leaked = [await complete(first), await complete(second)];
  const stays = await complete(third);
  for (const job of [first, second]) await deleteTheOldWay(admin, job);
  // and one whose work has not ended
  const [running] = (await unfinished(queue)).filter(job => job.metadata.uid !== third.metadata.uid);
  assert.ok(running);
  const active = await podOf(running);
  await deleteTheOldWay(admin, running);
  // what KEDA makes from now on is not compared: none of it is older than this
  const ours = new Set([...leaked, stays, active].map(({ metadata }) => metadata.uid));
  const oursIn = async () =>
    (await podsIn(admin, namespace)).filter(pod => ours.has(pod.split(' ')[1] ?? ''));
  const before = await oursIn();
  assert.equal(before.length, 4);
  assert.ok(await admin.find(scaledJobPath(namespace, 'queue')));

  const looked = await run('prune pods --dry-run');
  assert.match(looked.stdout, /2 Pods would be deleted\./);
  assert.match(looked.stdout, new RegExp(`^${active.metadata.name} .*--include-running takes it$`, 'm'));
  const done = await run('prune pods --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /2 Pods deleted, 0 failed/);
  const between = await oursIn();
  assertGone(
    before,
    between,
    leaked.map(({ metadata }) => metadata.name),
  );
  const more = await run('prune pods --include-running --yes');
  assert.equal(more.code, 0, more.stderr);
  assertGone(between, await oursIn(), [active.metadata.name]);
  for (const job of await ownJobs(queue)) assert.equal((await podsOf(admin, job)).length, 1);
});
