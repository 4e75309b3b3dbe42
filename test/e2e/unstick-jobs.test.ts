// Stuck Jobs and their Pods: what the Job controller and the garbage collector hold is freed in the right order or not at all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiFailure } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { releaseObject, untilGone } from '../cluster/state/finalizers.ts';
import { createFinishedJob, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { createPod, createPodOf, podPath } from '../cluster/state/pods.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { createDeployment } from '../cluster/state/workloads.ts';
import { until } from '../cluster/until.ts';
import { aPlaceToUnstick, rowsOf } from './unstick-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const tracking = 'batch.kubernetes.io/job-tracking';
const argoHook = 'argocd.argoproj.io/hook-finalizer';

const untilTerminating = (path: string) =>
  until(`${path} to be terminating`, 30_000, async () => {
    const object = await admin.get(path);
    return object.metadata.deletionTimestamp !== undefined && object;
  });

test('U01: the Pod of a finished, terminating Job is freed of its tracking finalizer, and the Job follows', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', finalizers: [tracking] });
  t.after(() => releaseObject(admin, podPath(namespace, 'p')));
  await admin.delete(jobPath(namespace, 'j'), { propagationPolicy: 'Foreground' });
  await untilTerminating(podPath(namespace, 'p'));

  const looked = await run('unstick --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(
    rowsOf(looked.stdout, 'pod/p'),
    /job-tracking +job\.batch\/j is terminating, its count no longer/,
  );
  assert.match(rowsOf(looked.stdout, 'job.batch/j'), /foregroundDeletion +waits for 1 dependent: pod\/p/);
  assert.ok(await admin.find(podPath(namespace, 'p')), 'a scan only looks');

  const trail = await auditTrail(plane);
  const done = await run('unstick job/j --yes --stuck-for 0s');
  assert.equal(done.code, 0, done.stderr);
  assert.match(rowsOf(done.stderr, 'job.batch/j'), /goes without further help then/);
  assert.match(done.stdout, new RegExp(`pod/p finalizers removed: ${tracking}\n`));
  assert.match(done.stdout, /job\.batch "j" deleted/);
  assert.match(done.stderr, /1 object freed and gone, 1 gone after them, 0 failed/);
  assert.equal(await admin.find(podPath(namespace, 'p')), undefined);
  assert.equal(await admin.find(jobPath(namespace, 'j')), undefined);
  const writes = await trail.events({ verbs: ['patch', 'update', 'delete'], user });
  assert.deepEqual(
    writes.map(({ objectRef }) => objectRef?.name),
    ['p'],
  );
});

test('U04: foregroundDeletion is not stripped from a Job whose Pod is still there, not even when it is named', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', finalizers: [tracking] });
  t.after(() => releaseObject(admin, podPath(namespace, 'p')));
  await admin.delete(jobPath(namespace, 'j'), { propagationPolicy: 'Foreground' });
  await untilTerminating(podPath(namespace, 'p'));
  const trail = await auditTrail(plane);
  const done = await run('unstick job/j --finalizer foregroundDeletion --yes --stuck-for 0s');
  assert.equal(done.code, 3, done.stderr);
  assert.match(rowsOf(done.stderr, 'job.batch/j'), /waits for 1 dependent: pod\/p/);
  assert.match(done.stderr, /without it they would be left behind/);
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  assert.ok(await admin.find(jobPath(namespace, 'j')));
});

test('U04: the leaf is freed before the Job that owns it', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const own = 'leaf-first.example.test/hold';
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h', finalizers: [own] });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', finalizers: [tracking] });
  t.after(async () => {
    await releaseObject(admin, podPath(namespace, 'p'));
    await releaseObject(admin, jobPath(namespace, 'j'));
  });
  await admin.delete(jobPath(namespace, 'j'), { propagationPolicy: 'Foreground' });
  await untilTerminating(podPath(namespace, 'p'));
  const trail = await auditTrail(plane);
  const done = await run('unstick job/j --all-finalizers --yes --stuck-for 0s');
  assert.equal(done.code, 0, done.stderr);
  // the collector writes to the Job too, so a first try may meet a 409
  const patched = (await trail.events({ verbs: ['patch'], user })).filter(({ code }) => code === 200);
  assert.deepEqual(
    patched.map(({ objectRef }) => objectRef?.resource),
    ['pods', 'jobs'],
  );
  await untilGone(admin, jobPath(namespace, 'j'));
});

test('U13: a hook Job that nobody can write back as a whole is freed by a patch of two fields', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const path = jobPath(namespace, 'hook');
  await createFinishedJob(admin, {
    name: 'hook',
    namespace,
    ended: '1h',
    finalizers: [argoHook],
    annotations: { 'argocd.argoproj.io/hook': 'PostSync' },
  });
  t.after(() => releaseObject(admin, path));
  const held = await deleteAndHold(admin, path, { propagationPolicy: 'Background' });
  // as its author wrote it, before somebody's admission had changed the template
  const template = held.spec?.['template'] as { spec: object };
  const asWritten = {
    ...held,
    metadata: { ...held.metadata, finalizers: [] },
    spec: { ...held.spec, template: { ...template, spec: { ...template.spec, hostNetwork: true } } },
  };
  await assert.rejects(
    admin.request('PUT', path, asWritten),
    (error: unknown) =>
      error instanceof ApiFailure && error.status === 422 && /immutable/.test(error.message),
  );
  const trail = await auditTrail(plane);
  const done = await run('unstick job/hook --yes --stuck-for 0s');
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    rowsOf(done.stderr, 'job.batch/hook'),
    /will be removed: controller gone: no Argo CD runs here/,
  );
  const [patch] = await trail.atLeast(1, { verbs: ['patch'], user });
  const { resourceVersion } = held.metadata;
  assert.deepEqual(patch?.requestObject, { metadata: { finalizers: [], resourceVersion } });
  assert.equal(await admin.find(path), undefined);
});

test('P09: prune does not strip the hook finalizer of Argo CD and says what holds the Job; unstick then frees it', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane, [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'patch', 'delete'] },
  ]);
  const path = jobPath(namespace, 'hook');
  await createFinishedJob(admin, { name: 'hook', namespace, ended: '2d', finalizers: [argoHook] });
  t.after(() => releaseObject(admin, path));
  const pruned = await run(`prune -n ${namespace} --older-than 1d --yes --timeout 2s`);
  assert.equal(pruned.code, 4, pruned.stderr);
  assert.match(pruned.stdout, new RegExp(`job.batch/hook deletion accepted, waiting on: ${argoHook}`));
  assert.match(pruned.stderr, new RegExp(`Why: kubectl jobctl unstick job.batch/hook -n ${namespace}`));
  assert.deepEqual((await admin.get(path)).metadata.finalizers, [argoHook]);
  const done = await run(`unstick job.batch/hook -n ${namespace} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await admin.find(path), undefined);
});

test('P11: a Pod that a living Kueue keeps is left to it; only its name given outright frees it', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  await createDeployment(admin, {
    name: 'kueue-controller-manager',
    namespace,
    labels: { 'app.kubernetes.io/name': 'kueue' },
  });
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  const path = podPath(namespace, 'p');
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', finalizers: ['kueue.x-k8s.io/managed'] });
  t.after(() => releaseObject(admin, path));
  await admin.delete(jobPath(namespace, 'j'), { propagationPolicy: 'Background' });
  await untilTerminating(path);
  const trail = await auditTrail(plane);
  for (const words of ['unstick pods', 'unstick pods --all-finalizers']) {
    const looked = await run(`${words} --yes --stuck-for 0s`);
    assert.equal(looked.code, 0, looked.stderr);
    assert.match(
      rowsOf(looked.stdout, 'pod/p'),
      /controller alive: deployment\.apps\/kueue-controller-manager in \S+ has 1 of 1 ready/,
    );
  }
  const named = await run('unstick pod/p --yes --stuck-for 0s');
  assert.equal(named.code, 3, named.stderr);
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  const forced = await run('unstick pod/p --finalizer kueue.x-k8s.io/managed --yes --stuck-for 0s');
  assert.equal(forced.code, 0, forced.stderr);
  assert.equal(await admin.find(path), undefined);
});

test('U23: a Pod that nobody deletes is refused, and nothing is sent', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const path = podPath(namespace, 'p');
  await createPod(admin, { name: 'p', namespace, phase: 'Running', finalizers: ['example.test/hold'] });
  t.after(() => releaseObject(admin, path));
  const trail = await auditTrail(plane);
  for (const words of ['pod/p', 'pod/p --all-finalizers', 'pod/p --finalizer example.test/hold']) {
    const done = await run(`unstick ${words} --yes --stuck-for 0s`);
    assert.equal(done.code, 3, done.stderr);
    assert.match(rowsOf(done.stderr, 'pod/p'), /refused: not being deleted/);
  }
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  assert.deepEqual((await admin.get(path)).metadata.finalizers, ['example.test/hold']);
});

test('D07: a preset foregroundDeletion on a Job that nobody deletes is not flagged; named, it is refused', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const path = jobPath(namespace, 'j');
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h', finalizers: ['foregroundDeletion'] });
  t.after(() => releaseObject(admin, path));
  const trail = await auditTrail(plane);
  const looked = await run('unstick --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(looked.stdout, /Nothing is stuck here\./);
  const named = await run('unstick job/j --yes --stuck-for 0s --finalizer foregroundDeletion');
  assert.equal(named.code, 3, named.stderr);
  assert.match(rowsOf(named.stderr, 'job.batch/j'), /refused: not being deleted/);
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  assert.deepEqual((await admin.get(path)).metadata.finalizers, ['foregroundDeletion']);
});

test('the tracking finalizer of a Job at work is never stripped, because its work would run again', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const job = await createRunningJob(admin, { name: 'j', namespace });
  const path = podPath(namespace, 'p');
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', finalizers: [tracking] });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path);
  const trail = await auditTrail(plane);
  for (const how of ['', '--all-finalizers ', `--finalizer ${tracking} `]) {
    const done = await run(`unstick pod/p ${how}--yes --stuck-for 0s`);
    assert.equal(done.code, 3, done.stderr);
    assert.match(
      rowsOf(done.stderr, 'pod/p'),
      /job\.batch\/j still counts it: removed by hand, its work would run/,
    );
  }
  assert.equal((await run('unstick pods --yes --stuck-for 0s')).code, 0);
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  assert.deepEqual((await admin.get(path)).metadata.finalizers, [tracking]);
});
