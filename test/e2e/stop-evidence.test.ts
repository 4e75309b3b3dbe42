// What a stop keeps is a finished Job, and much deletes finished Jobs: limits of the CronJob, TTLs, deadlines, and people who tidy up.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sharedControlPlane } from '../cluster/shared.ts';
import { until } from '../cluster/until.ts';
import {
  aCronJob,
  aPlaceToStop,
  assertKept,
  byHand,
  pathOf,
  podsOf,
  rememberedOn,
  startAll,
  startWork,
  stopRules,
  uidsOf,
  untilEnded,
  untilLost,
} from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

test('a CronJob that keeps no failed Jobs deletes the one that was stopped by hand, suspended as it is; stopped by us it stays, with its Pod', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const [handed, ours] = [
    await aCronJob(admin, namespace, 'by-hand', { failedJobsHistoryLimit: 0 }),
    await aCronJob(admin, namespace, 'ours', { failedJobsHistoryLimit: 0, successfulJobsHistoryLimit: 0 }),
  ];
  const [recipe, work] = await startAll(admin, [
    { name: 'by-hand-1', namespace, owner: handed },
    { name: 'ours-1', namespace, owner: ours },
  ]);
  assert.ok(recipe && work);
  const done = await run('stop cronjob/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);

  await admin.patch(pathOf(handed), { spec: { suspend: true } });
  await byHand.limit(admin, recipe.job, 0);
  await byHand.deadline(admin, recipe.pod);
  await untilLost(admin, recipe.job);
  // what was stopped first has had more time to be deleted
  await assertKept(admin, work);
  const { '/spec/failedJobsHistoryLimit': failed, '/spec/successfulJobsHistoryLimit': successful } =
    rememberedOn(await admin.get(pathOf(ours)));
  assert.deepEqual([failed, successful], [0, 0]);
});

test('a TTL of 0 deletes a Job with its Pod as soon as it has ended by hand; stopped by us both stay, and the TTL is remembered', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const [recipe, work] = await startAll(
    admin,
    ['by-hand', 'ours'].map(name => ({ name, namespace, spec: { ttlSecondsAfterFinished: 0 } })),
  );
  assert.ok(recipe && work);
  const done = await run('stop job/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await byHand.limit(admin, recipe.job, 0);
  await byHand.deadline(admin, recipe.pod);
  await untilLost(admin, recipe.job);
  await untilLost(admin, recipe.pod);
  await assertKept(admin, work);
  assert.equal(rememberedOn(await admin.get(pathOf(work.job)))['/spec/ttlSecondsAfterFinished'], 0);
});

test('a Job’s own deadline that passes half-way deletes what is still ending by hand; stopped by us it is lifted first, and remembered', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const [recipe, work] = await startAll(
    admin,
    ['by-hand', 'ours'].map(name => ({
      name,
      namespace,
      spec: { activeDeadlineSeconds: 20 },
      play: { takesToEnd: 22 },
    })),
  );
  assert.ok(recipe && work);
  await byHand.deadline(admin, recipe.pod);
  const done = await run('stop job/ours --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, work);
  assert.equal(rememberedOn(await admin.get(pathOf(work.job)))['/spec/activeDeadlineSeconds'], 20);
  await untilLost(admin, recipe.pod);
  assert.equal(await untilEnded(admin, recipe.job), 'Failed/DeadlineExceeded');
});

test('what stop kept is refused by delete and left alone by prune, until it is said otherwise', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane, [
    ...stopRules,
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'delete'] },
  ]);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const work = await startWork(admin, { name: 'j', namespace, owner: cronJob });
  assert.equal((await run('stop cronjob/c --no-save --yes')).code, 0);
  for (const words of ['delete job/j', 'delete cronjob/c', `delete pod/${work.pod.metadata.name}`]) {
    const done = await run(`${words} --yes`);
    assert.equal(done.code, 3, `${words}: ${done.stdout}${done.stderr}`);
    assert.match(done.stderr, /evidence of a stop/, words);
  }
  const pruned = await run(`prune -n ${namespace} --keep-failed 0 --yes`);
  assert.equal(pruned.code, 0, pruned.stderr);
  assert.match(pruned.stdout + pruned.stderr, /evidence of a stop/);
  await assertKept(admin, work);
  const forced = await run('delete job/j --include-protected --yes');
  assert.equal(forced.code, 0, forced.stderr);
  assert.equal(await admin.find(pathOf(work.job)), undefined);
});

test('--save writes manifests and events into a folder before the first write and at its end, and the index says so', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane, [
    ...stopRules,
    { apiGroups: [''], resources: ['events'], verbs: ['list'] },
    { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  ]);
  const home = mkdtempSync(join(tmpdir(), 'jobctl-saved-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const cronJob = await aCronJob(admin, namespace, 'c');
  const work = await startWork(admin, { name: 'j', namespace, owner: cronJob });
  await until('an event of the Job', 30_000, async () => {
    const about = `fieldSelector=involvedObject.uid%3D${work.job.metadata.uid}`;
    return (await admin.list(`/api/v1/namespaces/${namespace}/events?${about}`)).length > 0;
  });
  const dir = join(home, 'evidence');
  const done = await run(['stop', 'cronjob/c', '--save', dir, '--yes']);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /^saved \d+ files \(.+\) to \S+ before the first write$/m);
  assert.match(done.stderr, /^saved \d+ files \(.+\) to \S+ at the end$/m);
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const text = (name: string) => readFileSync(join(dir, name), 'utf8');
  const all = files.filter(name => /\.(yaml|json)$/.test(name)).map(text);
  for (const { metadata } of [cronJob, work.job, work.pod])
    assert.ok(
      all.some(one => one.includes(metadata.uid)),
      `${metadata.name} is not saved in ${files.join(', ')}`,
    );
  assert.ok(
    all.some(one => one.includes('SuccessfulCreate')),
    `no event is saved in ${files.join(', ')}`,
  );
  await assertKept(admin, work);
  assert.deepEqual(uidsOf(await podsOf(admin, work.job)), uidsOf(work.pods));
});

test('evidence that cannot be saved keeps a stop from beginning: who may not read logs is told before', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const { job, pod } = await startWork(admin, { name: 'j', namespace });
  const home = mkdtempSync(join(tmpdir(), 'jobctl-saved-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const done = await run(['stop', 'job/j', '--save', join(home, 'evidence'), '--yes']);
  assert.equal(done.code, 3, done.stderr);
  assert.match(
    done.stderr,
    new RegExp(
      `you may not get pods/log in ${namespace}, list events in ${namespace}|list events in ${namespace}, get pods/log`,
    ),
  );
  for (const object of [job, pod])
    assert.deepEqual((await admin.get(pathOf(object))).spec, object.spec, user);
});
