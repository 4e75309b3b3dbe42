// A delete that does not come to its end: what is named, what the exit code is, and that "deleted" is not said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { releaseObject } from '../cluster/state/finalizers.ts';
import { createFinishedJob, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { createPod, createPodOf, endPod, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { aNode, aPlace } from './operator.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

test('D03: a Job held by a finalizer is accepted, not deleted; the timeout names the finalizer; exit 4', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h', finalizers: ['example.com/hold'] });
  t.after(() => releaseObject(admin, jobPath(namespace, 'j')));
  const done = await run('delete job/j --cascade=foreground --yes --timeout 3s');
  assert.equal(done.code, 4, done.stderr);
  assert.match(done.stdout, /^job.batch\/j deletion accepted, waiting on: /);
  assert.ok(!done.stdout.includes('"j" deleted'));
  assert.match(
    done.stderr,
    /timed out after 3s: job.batch\/j is still there\n {2}job.batch\/j: held by .*example.com\/hold/,
  );
});

test('D08: a Job that is already terminating gets no second delete, and says since when and on what', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h', finalizers: ['example.com/hold'] });
  t.after(() => releaseObject(admin, jobPath(namespace, 'j')));
  await admin.delete(jobPath(namespace, 'j'), { propagationPolicy: 'Background' });
  const trail = await auditTrail(plane);
  const done = await run('delete job/j --yes --timeout 2s');
  assert.equal(done.code, 4, done.stderr);
  assert.match(done.stderr, /terminating since \d+s, waiting on example.com\/hold/);
  assert.deepEqual(await trail.events({ verbs: ['delete'], user }), []);
});

test('D07: Background overrides a preset foregroundDeletion: the Job goes at once, before its Pod, and that is told', async t => {
  const { namespace, start } = await aPlace(t, plane);
  const node = await aNode(t, plane, namespace);
  const job = await createRunningJob(admin, { name: 'j', namespace, finalizers: ['foregroundDeletion'] });
  const pod = await createPodOf(admin, job, { name: 'p', phase: 'Running', node, graceSeconds: 60 });
  const running = start('delete job/j --yes');
  await until(
    'the Pod to be terminating',
    30_000,
    async () => (await admin.get(podPath(namespace, 'p'))).metadata.deletionTimestamp !== undefined,
  );
  assert.equal(
    await admin.find(jobPath(namespace, 'j')),
    undefined,
    'under Foreground it would still be there',
  );
  await endPod(admin, pod);
  const done = await running.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /carries a preset foregroundDeletion, which Background overrides/);
});

test('a preset orphan finalizer is refused under Background: its Pods would go all the same', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h', finalizers: ['orphan'] });
  t.after(() => releaseObject(admin, jobPath(namespace, 'j')));
  const done = await run('delete job/j --yes');
  assert.equal(done.code, 3);
  assert.match(done.stderr, /its finalizer "orphan" asks to keep its dependents/);
  assert.ok(await admin.find(jobPath(namespace, 'j')));
});

test('D10: under Foreground the object that blocks is named when time is out', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const node = await aNode(t, plane, namespace);
  const job = await createRunningJob(admin, { name: 'j', namespace });
  const pod = await createPodOf(admin, job, {
    name: 'never-ends',
    phase: 'Running',
    node,
    graceSeconds: 600,
  });
  t.after(() => endPod(admin, pod));
  const done = await run('delete job/j --cascade=foreground --yes --timeout 5s');
  assert.equal(done.code, 4);
  assert.match(done.stderr, /job.batch\/j: waiting on foregroundDeletion/);
  assert.match(done.stderr, /pod\/never-ends: \d+s of 600s grace left/);
  assert.match(done.stderr, /kubectl wait --for=delete/);
});

test('D11: the wait ends when the uid is gone, although the name is there again', async t => {
  const { namespace, start } = await aPlace(t, plane);
  const node = await aNode(t, plane, namespace);
  const first = await createPod(admin, { name: 'p', namespace, phase: 'Running', node, graceSeconds: 60 });
  const running = start('delete pod/p --yes');
  await until(
    'the Pod to be terminating',
    30_000,
    async () => (await admin.get(podPath(namespace, 'p'))).metadata.deletionTimestamp !== undefined,
  );
  await endPod(admin, first);
  const second = await createPod(admin, { name: 'p', namespace, phase: 'Running', node });
  const done = await running.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.equal((await admin.get(podPath(namespace, 'p'))).metadata.uid, second.metadata.uid);
});

test('D18: a Pod on a node that does not answer is told apart from one within its grace', async t => {
  const { namespace, run } = await aPlace(t, plane, { everywhere: true });
  const node = await aNode(t, plane, namespace, 'Unknown');
  const job = await createRunningJob(admin, { name: 'j', namespace });
  const pod = await createPodOf(admin, job, { name: 'lost', phase: 'Running', node, graceSeconds: 1 });
  t.after(() => endPod(admin, pod));
  const done = await run(`delete job/j -n ${namespace} --yes --timeout 5s`);
  assert.equal(done.code, 4, done.stderr);
  assert.match(done.stderr, new RegExp(`pod/lost: its node ${node} does not answer, nothing to unstick`));
});

test('Ctrl-C ends the wait with an account of what is left; exit 130', async t => {
  const { namespace, start } = await aPlace(t, plane);
  const node = await aNode(t, plane, namespace);
  const job = await createRunningJob(admin, { name: 'j', namespace });
  const pod = await createPodOf(admin, job, { name: 'slow', phase: 'Running', node, graceSeconds: 600 });
  t.after(() => endPod(admin, pod));
  const running = start('delete job/j --yes -v=1');
  // the plan's read, the next look, and the one after it: by then the first of the looks was judged
  await until(
    'a look at the Pod',
    60_000,
    async () => (running.soFar().stderr.match(/GET \S*\/pods\/slow 200/g)?.length ?? 0) >= 3,
  );
  running.process.kill('SIGINT');
  const done = await running.ended;
  assert.equal(done.code, 130, done.stderr);
  assert.match(
    done.stderr,
    /interrupted: 0 deletes not started, 1 object still there\n {2}pod\/slow: \d+s of 600s grace left/,
  );
});
