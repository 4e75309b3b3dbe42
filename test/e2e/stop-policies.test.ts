// Jobs whose own policies decide what a failure means: what does not count, what counts by index, what fails the whole Job.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { endPod, writePodStatus } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import {
  aPlaceToStop,
  assertKept,
  byHand,
  endOf,
  pathOf,
  phaseOf,
  podsOf,
  rememberedOn,
  startAll,
  startWork,
  statusOf,
  uidsOf,
  untilEndedByHand,
  untilLost,
  untilTold,
  writesOf,
} from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const twins = ['by-hand', 'ours'] as const;
const onKill = (action: string) => ({
  podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [137, 143] } }] },
});
const newOnes = async (job: KubeObject, before: readonly KubeObject[]) => {
  const known = new Set(uidsOf(before));
  return (await podsOf(admin, job)).filter(({ metadata }) => !known.has(metadata.uid));
};

test('S05: where a podFailurePolicy ignores the kill, the recipe leaves a Job that starts another Pod; stopped by us it ends by its own deadline, the Pod is kept, and none comes', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const [recipe, ours] = await startAll(
    admin,
    twins.map(name => ({ name, namespace, spec: { ...onKill('Ignore'), backoffLimit: 6 } })),
  );
  assert.ok(recipe && ours);
  await byHand.limit(admin, recipe.job, 0);
  await byHand.deadline(admin, recipe.pod);

  const looked = await run('stop job/ours --no-save --dry-run');
  assert.match(looked.stdout, /parallelism 0, then by the Job's own deadline \(DeadlineExceeded\)/);
  const trail = await auditTrail(plane);
  const done = await run('stop job/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^job\.batch\/ours failed \(DeadlineExceeded\), 1 Pod kept$/m);
  await assertKept(admin, ours, 'Failed/DeadlineExceeded');
  const specs = (await writesOf(trail, user))
    .filter(({ objectRef }) => objectRef?.resource === 'jobs')
    .map(({ requestObject }) => requestObject?.['spec'] as Record<string, unknown>);
  const closing = specs.findIndex(spec => spec['activeDeadlineSeconds'] === 1);
  assert.ok(
    specs.slice(0, closing).some(spec => spec['parallelism'] === 0),
    JSON.stringify(specs),
  );
  // the twin has had its chance by now: it is not ended, and runs again
  await until('another Pod of the Job that was stopped by hand', 30_000, async () => {
    const made = await newOnes(recipe.job, recipe.pods);
    return made.length > 0;
  });
  assert.equal(endOf(await admin.get(pathOf(recipe.job))), undefined);
  assert.deepEqual(await newOnes(ours.job, ours.pods), []);
});

test('S06: with a limit per index the recipe deletes what runs as soon as one has failed; stopped by us both Pods are kept, no index is run again, and what comes up meanwhile is told and ended too', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const [recipe, ours] = await startAll(
    admin,
    twins.map(name => ({
      name,
      namespace,
      spec: { completionMode: 'Indexed', completions: 5, parallelism: 2, backoffLimitPerIndex: 2 },
      play: { failsFirst: 1 },
    })),
  );
  assert.ok(recipe && ours);
  await byHand.limit(admin, recipe.job, 0);
  await untilLost(admin, recipe.pod);

  const looked = await run('stop job/ours --no-save --dry-run');
  assert.match(looked.stdout, /job\.batch\/ours has 3 more indexes to run/);
  const done = await run('stop job/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  const job = await admin.get(pathOf(ours.job));
  assert.match(endOf(job) ?? '', /^Failed\//);
  const kept = await podsOf(admin, ours.job);
  const before = uidsOf(ours.pods);
  assert.deepEqual(
    uidsOf(kept).filter(uid => before.includes(uid)),
    before,
  );
  const indexOf = ({ metadata }: KubeObject) =>
    metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
  const stopped = new Set(ours.pods.filter(pod => phaseOf(pod) === 'Running').map(indexOf));
  for (const pod of await newOnes(ours.job, ours.pods)) {
    assert.equal(stopped.has(indexOf(pod)), false, 'an index is run again');
    assert.equal(phaseOf(pod), 'Failed');
    assert.match(done.stderr, new RegExp(`^pod/${pod.metadata.name} appeared since the plan was shown`, 'm'));
  }
  assert.equal(statusOf(job).active ?? 0, 0);
});

test('a limit per index with one Pod at a time: the Pod is kept, no index is run again, and no other comes up', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    spec: {
      completionMode: 'Indexed',
      completions: 50,
      parallelism: 1,
      backoffLimitPerIndex: 2,
      maxFailedIndexes: 1,
    },
    play: { failsFirst: 1, takesToEnd: 2 },
  });
  const done = await run('stop job/j --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, work, endOf(await admin.get(pathOf(work.job))));
  assert.match(endOf(await admin.get(pathOf(work.job))) ?? '', /^Failed\//);
  assert.equal(rememberedOn(await admin.get(pathOf(work.job)))['/spec/maxFailedIndexes'], 1);
});

test('of a Job with many indexes to run and several Pods nothing is touched: the controller would start each of them', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const { job } = await startWork(admin, {
    name: 'j',
    namespace,
    spec: { completionMode: 'Indexed', completions: 50, parallelism: 2, backoffLimitPerIndex: 2 },
  });
  const trail = await auditTrail(plane);
  const done = await run('stop job/j --no-save --yes');
  assert.equal(done.code, 3, done.stderr);
  assert.match(done.stderr, /refused: 48 of its indexes have not run/);
  assert.deepEqual(await writesOf(trail, user), []);
  assert.deepEqual((await admin.get(pathOf(job))).spec, job.spec);
});

test('a podFailurePolicy that fails the Job on the kill deletes the other Pods by hand, so that stop refuses it; with one Pod there is nothing to lose, and it is stopped', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const wanted = { namespace, spec: { ...onKill('FailJob'), parallelism: 2, completions: 2 } };
  const [recipe, ours] = await startAll(
    admin,
    twins.map(name => ({ ...wanted, name, play: { takesToEnd: [0, untilEndedByHand] } })),
  );
  const one = await startWork(admin, { name: 'one', namespace, spec: onKill('FailJob') });
  assert.ok(recipe && ours);
  for (const pod of recipe.pods) await byHand.deadline(admin, pod);
  await until('one of the two Pods to be deleted', 30_000, async () => {
    const pods = await podsOf(admin, recipe.job);
    return pods.length === 1;
  });

  const trail = await auditTrail(plane);
  const refused = await run('stop job/ours --no-save --yes');
  assert.equal(refused.code, 3, refused.stderr);
  assert.match(refused.stderr, /its podFailurePolicy fails the Job when a Pod is ended/);
  assert.deepEqual(await writesOf(trail, user), []);

  const done = await run('stop job/one --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, one, 'Failed/PodFailurePolicy');
});

test('a Job that succeeds half-way is told as completed by itself, and it stays with its Pod, though its TTL is 0', async t => {
  const { namespace, run, start } = await aPlaceToStop(t, plane);
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    spec: { ttlSecondsAfterFinished: 0 },
    play: { takesToEnd: untilEndedByHand },
  });
  const stopping = start('stop job/j --no-save --yes');
  await endPod(admin, await untilTold(admin, work.pod, stopping), { phase: 'Succeeded' });
  const done = await stopping.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^pod\/\S+ ended, exit 0 \(the work was done\), logs kept$/m);
  assert.match(done.stdout, /^job\.batch\/j completed by itself, 1 Pod kept$/m);
  assert.equal(endOf(await admin.get(pathOf(work.job))), 'Complete/CompletionsReached');
  assert.deepEqual(uidsOf(await podsOf(admin, work.job)), uidsOf(work.pods));
  const again = await run('stop job/j --no-save --yes');
  assert.deepEqual([again.code, /stopped already/.test(again.stderr)], [0, true], again.stderr);
});

test('P07: of a Pod whose work is done while a sidecar runs on, it is said before that the Job will count as Failed; it is stopped, and its exit codes are shown', async t => {
  const { namespace, start, run } = await aPlaceToStop(t, plane);
  const image = 'registry.example/none:1';
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    play: { takesToEnd: untilEndedByHand },
    podSpec: { containers: ['main', 'sidecar'].map(name => ({ name, image })) },
  });
  const finishedAt = new Date().toISOString().replace(/\.\d+/, '');
  const states = (sidecar: object) => ({
    containerStatuses: [
      ['main', { terminated: { exitCode: 0, reason: 'Completed', finishedAt } }],
      ['sidecar', sidecar],
    ].map(([name, state]) => ({ name, state, image, imageID: '', ready: false, restartCount: 0 })),
  });
  const pod = await writePodStatus(admin, work.pod, states({ running: { startedAt: finishedAt } }));
  const looked = await run('stop job/j --no-save --dry-run');
  const note =
    /the work has ended with exit code 0, only sidecar still runs\. Stopped, the Job counts as Failed all the same\./;
  assert.match(looked.stdout, note);
  const stopping = start('stop job/j --no-save --yes');
  await untilTold(admin, pod, stopping);
  await writePodStatus(admin, pod, {
    ...states({ terminated: { exitCode: 143, reason: 'Error', finishedAt } }),
    phase: 'Failed',
    reason: 'DeadlineExceeded',
  });
  const done = await stopping.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, note);
  assert.match(done.stdout, /^pod\/\S+ ended, exit 0, 143, logs kept$/m);
  await assertKept(admin, work);
});
