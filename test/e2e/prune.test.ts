// `prune jobs` on a real control plane: which Jobs go, that their Pods go too, and that a second run has nothing to do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createConfigMap, releaseObject } from '../cluster/state/finalizers.ts';
import {
  createFinishedJob,
  createFinishedJobs,
  createJobByHand,
  createRunningJob,
  jobPath,
  type WantedFinishedJob,
} from '../cluster/state/jobs.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { aPlace } from './operator.ts';

const plane = await sharedControlPlane();
const { admin } = plane;
// the real CronJob controller keeps its own limits: these are out of its reach, ours come from the flags
const generous = { spec: { successfulJobsHistoryLimit: 1000, failedJobsHistoryLimit: 1000 } };
const jobsOf = async (namespace: string): Promise<string[]> =>
  (await admin.list(jobPath(namespace))).map(job => job.metadata.name).sort();
const series = (
  prefix: string,
  count: number,
  more: Omit<WantedFinishedJob, 'name' | 'ended'>,
): WantedFinishedJob[] =>
  Array.from({ length: count }, (_, at) => ({ ...more, name: `${prefix}-${at + 1}`, ended: `${at + 1}d` }));

test('P01: 10 complete and 6 failed Jobs, 3 and 1 to keep: 12 go with their Pods, the newest stay, the second run deletes nothing', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  const owner = await createCronJob(admin, { name: 'nightly', namespace, ...generous });
  const jobs = await createFinishedJobs(admin, [
    ...series('ok', 10, { namespace, owner }),
    ...series('bad', 6, { namespace, owner, outcome: 'failed' }),
  ]);
  for (const job of jobs)
    await createPodOf(admin, job, { name: `${job.metadata.name}-pod`, phase: 'Succeeded' });
  const trail = await auditTrail(plane);
  const done = await run('prune --keep-succeeded 3 --keep-failed 1 --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(await jobsOf(namespace), ['bad-1', 'ok-1', 'ok-2', 'ok-3']);
  assert.deepEqual((await admin.list(podPath(namespace))).map(pod => pod.metadata.name).sort(), [
    'bad-1-pod',
    'ok-1-pod',
    'ok-2-pod',
    'ok-3-pod',
  ]);
  assert.match(done.stderr, /12 Jobs deleted, 12 Pods gone.*, 0 failed, 4 kept/);
  const deletes = await trail.atLeast(12, { verbs: ['delete'], resource: 'jobs', user });
  assert.ok(
    deletes.every(
      ({ requestObject }) =>
        requestObject?.['propagationPolicy'] === 'Background' && requestObject['preconditions'],
    ),
  );
  assert.deepEqual(await trail.events({ verbs: ['deletecollection'], user }), []);
  const again = await run('prune --keep-succeeded 3 --keep-failed 1 --yes');
  assert.deepEqual([again.code, again.stdout], [0, '']);
  assert.match(again.stderr, /Nothing to prune. 4 stay: 4 newest of their owner/);
});

test('P05, P06, P07, P17: what no condition calls finished stays, whatever its counters say', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createRunningJob(admin, { name: 'retrying', namespace });
  await createJobByHand(admin, { name: 'idle', namespace }, { startTime: '2026-01-01T00:00:00Z', failed: 1 });
  await createJobByHand(admin, { name: 'suspended', namespace, spec: { suspend: true } });
  await createJobByHand(admin, { name: 'never-started', namespace });
  const done = await run('prune --older-than 0s --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assert.equal((await jobsOf(namespace)).length, 4);
  for (const [name, why] of [
    ['retrying', '1 Pod running'],
    ['idle', 'unfinished and idle'],
    ['suspended', 'suspended, not finished'],
    ['never-started', 'never started a Pod'],
  ] as const)
    assert.match(done.stderr, new RegExp(`^.* ${name} .* ${why}$`, 'm'));
  assert.match(done.stderr, /1 Job never started a Pod/);
});

test('P08, P10: hooks of Helm and Argo CD stay unless --include-hooks', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJob(admin, {
    name: 'helm',
    namespace,
    ended: '9d',
    annotations: { 'helm.sh/hook': 'post-install' },
  });
  await createFinishedJob(admin, {
    name: 'argo',
    namespace,
    ended: '9d',
    annotations: { 'argocd.argoproj.io/hook': 'PostSync' },
  });
  await createFinishedJob(admin, { name: 'plain', namespace, ended: '9d' });
  assert.equal((await run('prune --older-than 1d --yes')).code, 0);
  assert.deepEqual(await jobsOf(namespace), ['argo', 'helm']);
  assert.equal((await run('prune --older-than 1d --yes --include-hooks')).code, 0);
  assert.deepEqual(await jobsOf(namespace), []);
});

test('P09: a hook Job held by its finalizer counts as accepted, not as deleted; nothing is stripped; exit 4', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  const finalizer = 'argocd.argoproj.io/hook-finalizer';
  await createFinishedJob(admin, { name: 'hook', namespace, ended: '9d', finalizers: [finalizer] });
  t.after(() => releaseObject(admin, jobPath(namespace, 'hook')));
  const trail = await auditTrail(plane);
  const done = await run('prune --older-than 1d --yes --timeout 2s');
  assert.equal(done.code, 4);
  assert.match(done.stdout, new RegExp(`job.batch/hook deletion accepted, waiting on: ${finalizer}`));
  assert.match(done.stderr, /0 deleted, 1 accepted but not gone/);
  assert.deepEqual(await trail.events({ verbs: ['patch', 'update'], user }), []);
});

test('P11: a Pod that another controller holds keeps the prune from saying done: its finalizer is named, nothing is stripped', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '9d' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', finalizers: ['kueue.x-k8s.io/managed'] });
  t.after(() => releaseObject(admin, podPath(namespace, 'p')));
  const trail = await auditTrail(plane);
  const done = await run('prune --older-than 1d --yes --timeout 3s');
  assert.equal(done.code, 4, done.stderr);
  assert.match(done.stdout, /job.batch "j" deleted/);
  assert.match(done.stderr, /pod\/p: held by kueue.x-k8s.io\/managed/);
  assert.match(done.stderr, /1 Job deleted, 0 Pods gone/);
  assert.deepEqual(await trail.events({ verbs: ['patch', 'update'], user }), []);
});

test('P16: a Job that is already terminating is neither counted nor deleted again', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const owner = await createCronJob(admin, { name: 'c', namespace, ...generous });
  await createFinishedJobs(admin, series('live', 2, { namespace, owner }));
  await createFinishedJobs(admin, series('dying', 3, { namespace, owner, finalizers: ['example.com/hold'] }));
  for (const at of [1, 2, 3]) {
    await admin.delete(jobPath(namespace, `dying-${at}`), { propagationPolicy: 'Background' });
    t.after(() => releaseObject(admin, jobPath(namespace, `dying-${at}`)));
  }
  const done = await run('prune --keep-succeeded 2 --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /5 stay: 3 already terminating, 2 newest of their owner/);
  assert.equal((await jobsOf(namespace)).length, 5);
});

test('P19: a role without any right on Pods is enough; the Pods go through the collector', async t => {
  const rules = [{ apiGroups: ['batch'], resources: ['jobs', 'cronjobs'], verbs: ['list', 'delete'] }];
  const { namespace, run } = await aPlace(t, plane, { rules });
  const jobs = await createFinishedJobs(admin, series('j', 3, { namespace }));
  for (const job of jobs)
    await createPodOf(admin, job, { name: `${job.metadata.name}-pod`, phase: 'Succeeded' });
  const done = await run('prune --older-than 12h --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /not readable: pods: Error from server \(Forbidden\)/);
  assert.match(
    done.stderr,
    /Pods cannot be read: they are not counted here, and left to the garbage collector/,
  );
  assert.deepEqual(await jobsOf(namespace), []);
});

test('P20: stand-alone Jobs go by age; counts only with --group-by', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJobs(admin, series('j', 10, { namespace, labels: { app: 'import' } }));
  assert.match((await run('prune --keep-succeeded 2 --yes')).stderr, /Nothing to prune/);
  assert.equal((await run('prune --older-than 7d --keep-succeeded 2 --yes')).code, 0);
  assert.equal((await jobsOf(namespace)).length, 6);
  assert.equal((await run('prune --group-by app --keep-succeeded 2 --yes')).code, 0);
  assert.deepEqual(await jobsOf(namespace), ['j-1', 'j-2']);
});

test('Jobs of an owner of another kind stay until --owner names it', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const owner = await createConfigMap(admin, { name: 'flow', namespace });
  await createFinishedJobs(admin, series('j', 2, { namespace, owner }));
  assert.match((await run('prune --older-than 1s --yes')).stderr, /2 stay: 2 of owners of other kinds/);
  assert.equal((await run('prune --older-than 1s --owner cm/flow --yes')).code, 0);
  assert.deepEqual(await jobsOf(namespace), []);
});

test('C25: -A needs to be asked for, and shows a count for each namespace; other namespaces are not touched without it', async t => {
  const ours = await aPlace(t, plane, { everywhere: true });
  const theirs = await aPlace(t, plane);
  for (const { namespace } of [ours, theirs])
    await createFinishedJob(admin, { name: 'j', namespace, ended: '9d' });
  const dry = await ours.run('prune -A --older-than 8d --dry-run');
  for (const { namespace } of [ours, theirs])
    assert.match(dry.stdout, new RegExp(`^${namespace} +1 +0$`, 'm'));
  assert.equal((await ours.run('prune --older-than 8d --yes')).code, 0);
  assert.deepEqual([await jobsOf(ours.namespace), await jobsOf(theirs.namespace)], [[], ['j']]);
});

test('C22: output into a reader that goes away leaves no trace of an error', async t => {
  const { namespace, start } = await aPlace(t, plane);
  await createFinishedJobs(admin, series('j', 200, { namespace }));
  const running = start('prune --older-than 1h --dry-run -o wide');
  running.process.stdout?.once('data', () => running.process.stdout?.destroy());
  const done = await running.ended;
  assert.deepEqual([done.stderr, done.code], ['', 0]);
});
