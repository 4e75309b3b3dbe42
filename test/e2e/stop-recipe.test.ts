// The recipe that the web gives for this, `backoffLimit: 0` and then a deadline for the Pod, and its variants: tried by hand first, to see
// what is lost, and then the same state stopped by us.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../cluster/admin.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { until } from '../cluster/until.ts';
import {
  aPlaceToStop,
  assertKept,
  byHand,
  pathOf,
  phaseOf,
  podsOf,
  startAll,
  startPending,
  startWork,
  uidsOf,
  untilEnded,
  untilLost,
} from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const twins = ['by-hand', 'ours'] as const;
const newOnes = async (job: KubeObject, before: readonly KubeObject[]) => {
  const known = new Set(uidsOf(before));
  return (await podsOf(admin, job)).filter(({ metadata }) => !known.has(metadata.uid));
};
const untilItFailed = (pod: KubeObject) =>
  until(
    `${pod.metadata.name} to fail`,
    30_000,
    async () => phaseOf(await admin.get(pathOf(pod))) === 'Failed',
  );

test('nothing failed yet: the recipe keeps the Pod, and so do we', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const [recipe, ours] = await startAll(
    admin,
    twins.map(name => ({ name, namespace })),
  );
  assert.ok(recipe && ours);
  await byHand.limit(admin, recipe.job, 0);
  await byHand.deadline(admin, recipe.pod);
  assert.equal(await untilEnded(admin, recipe.job), 'Failed/BackoffLimitExceeded');
  await assertKept(admin, recipe);
  const done = await run('stop job/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, ours);
});

test('after two failures backoffLimit 0 fails the Job at once, and its running Pod is deleted; stopped by us it is kept, and the failed ones too', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const [recipe, ours] = await startAll(
    admin,
    twins.map(name => ({ name, namespace, play: { failsFirst: 2 } })),
  );
  assert.ok(recipe && ours);
  await byHand.limit(admin, recipe.job, 0);
  await untilLost(admin, recipe.pod);
  assert.equal(await untilEnded(admin, recipe.job), 'Failed/BackoffLimitExceeded');
  const done = await run('stop job/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.equal(ours.pods.length, 3);
  await assertKept(admin, ours);
});

test('a limit of exactly the failures so far keeps the one Pod by hand', async t => {
  const { namespace } = await aPlaceToStop(t, plane);
  const recipe = await startWork(admin, { name: 'j', namespace, play: { failsFirst: 2 } });
  await byHand.limit(admin, recipe.job, 2);
  await byHand.deadline(admin, recipe.pod);
  assert.equal(await untilEnded(admin, recipe.job), 'Failed/BackoffLimitExceeded');
  await assertKept(admin, recipe);
});

test('OnFailure with one restart: backoffLimit 0 leaves nothing, the Pod’s own deadline first keeps it; and so do we', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const [recipe, deadlineFirst, ours] = await startAll(
    admin,
    ['by-hand', 'deadline-first', 'ours'].map(name => ({
      name,
      namespace,
      play: { restarts: 1 },
      podSpec: { restartPolicy: 'OnFailure' },
    })),
  );
  assert.ok(recipe && deadlineFirst && ours);
  await byHand.limit(admin, recipe.job, 0);
  await untilLost(admin, recipe.pod);
  assert.deepEqual(await podsOf(admin, recipe.job), []);

  await byHand.deadline(admin, deadlineFirst.pod);
  await untilItFailed(deadlineFirst.pod);
  await byHand.limit(admin, deadlineFirst.job, 0);
  await untilEnded(admin, deadlineFirst.job);
  await assertKept(admin, deadlineFirst);

  const done = await run('stop job/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, ours);
});

test('three Pods, one ends before the others: with the exact limit its index is run again; parallelism that follows keeps that off, by hand and by us', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const all = await startAll(
    admin,
    ['by-hand', 'following', 'ours'].map(name => ({
      name,
      namespace,
      spec: { parallelism: 3, completions: 3, completionMode: 'Indexed', backoffLimit: 20 },
      play: { takesToEnd: [0, 24, 24] },
    })),
  );
  const [recipe, following, ours] = all;
  assert.ok(recipe && following && ours);
  const stopping = run('stop job/ours --no-save --yes --timeout 100s');
  for (const { job, pods } of [recipe, following]) {
    await byHand.limit(admin, job, 2);
    for (const pod of pods) await byHand.deadline(admin, pod);
  }
  const [first] = await until('the first Pod to end', 30_000, async () => {
    const ended = (await podsOf(admin, following.job)).filter(pod => phaseOf(pod) === 'Failed');
    return ended.length === 1 && ended;
  });
  assert.ok(first);
  await admin.patch(pathOf(following.job), { spec: { parallelism: 2 } });

  const again = await until('the ended index to be run again', 30_000, async () => {
    const made = await newOnes(recipe.job, recipe.pods);
    return made.length > 0 && made;
  });
  const indexOf = ({ metadata }: KubeObject) =>
    metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
  const ended = (await podsOf(admin, recipe.job)).find(
    pod => phaseOf(pod) === 'Failed' && !uidsOf(again).includes(pod.metadata.uid),
  );
  assert.ok(ended);
  assert.deepEqual(again.map(indexOf), [indexOf(ended)]);

  await untilEnded(admin, following.job);
  await assertKept(admin, following);
  const done = await stopping;
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, ours);
});

test('a Job’s own suspension, its deadline, or a parallelism below the active Pods deletes what runs; stopped by us it is kept', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const wrong = {
    'by-suspend': { suspend: true },
    'by-deadline': { activeDeadlineSeconds: 1 },
    'by-parallelism': { parallelism: 0 },
  };
  const [ours, ...recipes] = await startAll(
    admin,
    ['ours', ...Object.keys(wrong)].map(name => ({ name, namespace })),
  );
  assert.ok(ours);
  for (const { job, pod } of recipes) {
    await admin.patch(pathOf(job), { spec: wrong[job.metadata.name as keyof typeof wrong] });
    await untilLost(admin, pod);
  }
  const done = await run('stop job/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, ours);
});

test('when nothing is active, parallelism 0 and then the Job’s own deadline ends a Job by hand, and no Pod is deleted', async t => {
  const { namespace } = await aPlaceToStop(t, plane);
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    spec: {
      podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [143] } }] },
    },
  });
  await byHand.deadline(admin, work.pod);
  await untilItFailed(work.pod);
  await admin.patch(pathOf(work.job), { spec: { parallelism: 0 } });
  await byHand.deadline(admin, work.job);
  assert.equal(await untilEnded(admin, work.job), 'Failed/DeadlineExceeded');
  await assertKept(admin, work, 'Failed/DeadlineExceeded');
});

test('a Pod that never started is not ended by its deadline: it is told that it goes, what ran is kept, and both Jobs end', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const ran = await startWork(admin, { name: 'ran', namespace, play: { takesToEnd: 2 } });
  const { job, pod } = await startPending(admin, { name: 'pending', namespace });
  const looked = await run('stop job/pending --no-save --dry-run');
  assert.match(looked.stdout, /never started: it has no logs, and the Job controller deletes it/);
  const done = await run('stop job/ran job/pending --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, new RegExp(`^pod/${pod.metadata.name} is gone: it could not be kept$`, 'm'));
  await assertKept(admin, ran);
  assert.equal(await untilEnded(admin, job), 'Failed/DeadlineExceeded');
  assert.deepEqual(await podsOf(admin, job), []);
});
