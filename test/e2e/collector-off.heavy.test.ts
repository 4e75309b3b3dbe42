// A garbage collector that does not work: what is owned stays, and "deleted" must not be said. On a control plane of its own.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createDeadApiService } from '../cluster/state/api-services.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createFinishedJob, createFinishedJobs, jobPath } from '../cluster/state/jobs.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { aPlace } from './operator.ts';

const plane = await startControlPlane({
  garbageCollector: false,
  controllerManagerFlags: ['--controllers=*,-cronjob-controller'],
});
after(() => plane.stop());
const { admin } = plane;

test('D17: without a working collector the wait ends with its likely cause, and the Pods are not called gone', async t => {
  const rules = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: ['delete'] },
  ];
  const { namespace, run } = await aPlace(t, plane, { rules, everywhere: true });
  await createDeadApiService(admin, { group: 'dead.example.test', version: 'v1' });
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded' });
  const done = await run(`delete job/j -n ${namespace} --yes --timeout 4s`);
  assert.equal(done.code, 4, done.stderr);
  assert.match(done.stderr, /pod\/p: its owner is gone, it is left to the garbage collector/);
  assert.match(done.stderr, /the garbage collector seems not to run/);
  assert.match(done.stderr, /possible cause: apiservice\/v1\.dead\.example\.test: /);
  assert.match(done.stderr, /1 Job deleted, 0 Pods gone/);
});

test('with the right to delete Pods the same delete leaves nothing, because we do not need the collector', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  for (const name of ['a', 'b', 'c']) await createPodOf(admin, job, { name, phase: 'Succeeded' });
  const done = await run('delete job/j --yes --timeout 60s');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /1 Job deleted, 3 Pods gone, 0 failed/);
  assert.deepEqual(await admin.list(podPath(namespace)), []);
});

test('a CronJob goes level by level, each dependent only after its owner is gone', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const cron = await createCronJob(admin, { name: 'c', namespace });
  const jobs = await createFinishedJobs(
    admin,
    ['j1', 'j2'].map(name => ({ name, namespace, owner: cron, ended: '1h' })),
  );
  for (const job of jobs)
    await createPodOf(admin, job, { name: `${job.metadata.name}-pod`, phase: 'Succeeded' });
  const done = await run('delete cronjob/c --yes --timeout 60s');
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual([await admin.list(jobPath(namespace)), await admin.list(podPath(namespace))], [[], []]);
});

test('a Job that somebody is deleting with Orphan keeps its Pod: that was their choice, and nobody asked us', async t => {
  const { namespace, user, start } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'u', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'u-x', phase: 'Running' });
  await admin.delete(jobPath(namespace, 'u'), { propagationPolicy: 'Orphan' });
  const trail = await auditTrail(plane);
  const running = start('delete job/u --timeout 60s');
  await until('the plan', 30_000, async () => running.soFar().stderr.includes('waiting on orphan'));
  // what the collector does under Orphan, done by hand because this one is off
  await admin.patch(podPath(namespace, 'u-x'), { metadata: { ownerReferences: null } });
  await admin.patch(jobPath(namespace, 'u'), { metadata: { finalizers: null } });
  const done = await running.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(await trail.events({ verbs: ['delete'], user }), []);
  assert.ok(await admin.find(podPath(namespace, 'u-x')));
});

test('P18: Jobs of a CronJob that was made anew are two groups: those of the dead uid are shown apart', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const first = await createCronJob(admin, { name: 'c', namespace });
  await createFinishedJobs(
    admin,
    [1, 2, 3, 4, 5].map(at => ({ name: `old-${at}`, namespace, owner: first, ended: `${at + 5}d` })),
  );
  await admin.delete(`/apis/batch/v1/namespaces/${namespace}/cronjobs/c`, {
    propagationPolicy: 'Background',
  });
  const second = await createCronJob(admin, { name: 'c', namespace });
  await createFinishedJobs(
    admin,
    [1, 2].map(at => ({ name: `new-${at}`, namespace, owner: second, ended: `${at}d` })),
  );
  const untouched = await run('prune --yes');
  assert.equal(untouched.code, 0, untouched.stderr);
  assert.match(untouched.stderr, /Nothing to prune. 7 stay: 5 named by no rule, 2 newest of their owner/);
  assert.match(
    (await run('prune --older-than 1d --dry-run')).stdout,
    /cronjob.batch\/c \(owner gone\) +- +old-5/,
  );
  assert.equal((await run('prune --keep-succeeded 3 --yes')).code, 0);
  assert.deepEqual((await admin.list(jobPath(namespace))).map(job => job.metadata.name).sort(), [
    'new-1',
    'new-2',
    'old-1',
    'old-2',
    'old-3',
  ]);
});
