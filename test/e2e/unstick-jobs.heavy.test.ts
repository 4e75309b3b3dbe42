// Jobs and Pods that Kubernetes' own controllers should let go and do not: neither the garbage collector nor the Job controller runs.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createConfigMap, releaseObject } from '../cluster/state/finalizers.ts';
import { createFinishedJob, jobPath } from '../cluster/state/jobs.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { aPlaceToUnstick, rowsOf } from './unstick-place.ts';

const plane = await startControlPlane({
  garbageCollector: false,
  controllerManagerFlags: ['--controllers=*,-job-controller'],
});
after(() => plane.stop());
const { admin } = plane;

const tracking = 'batch.kubernetes.io/job-tracking';

test('U03: a tracking finalizer without a Job goes, the finalizer of an add-on beside it stays and is reported', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  const path = podPath(namespace, 'p');
  const finalizers = [tracking, 'audit-addon.example.test/audit'];
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', finalizers });
  t.after(() => releaseObject(admin, path));
  await admin.delete(jobPath(namespace, 'j'), { propagationPolicy: 'Background' });
  await deleteAndHold(admin, path);
  const done = await run('unstick pod/p --yes --stuck-for 0s');
  assert.equal(done.code, 2, done.stderr);
  const rows = rowsOf(done.stderr, 'pod/p');
  assert.match(rows, /will be removed: job\.batch\/j is gone, nobody counts this Pod any more/);
  assert.match(rows, /audit-addon\.example\.test\/audit +no controller .*was found/);
  assert.match(done.stderr, /pod\/p is still there: held by audit-addon\.example\.test\/audit/);
  assert.match(done.stderr, /0 objects freed and gone, 1 still there/);
  assert.deepEqual((await admin.get(path)).metadata.finalizers, ['audit-addon.example.test/audit']);
});

test('U03: of two finalizers only the one that is named goes', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  const path = podPath(namespace, 'p');
  const finalizers = [tracking, 'audit-addon.example.test/audit'];
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', finalizers });
  t.after(() => releaseObject(admin, path));
  await admin.delete(jobPath(namespace, 'j'), { propagationPolicy: 'Background' });
  await deleteAndHold(admin, path);
  const trail = await auditTrail(plane);
  const done = await run('unstick pod/p --finalizer audit-addon.example.test/audit --yes --stuck-for 0s');
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, new RegExp(`pod/p is still there: held by ${tracking}`));
  assert.deepEqual((await admin.get(path)).metadata.finalizers, [tracking]);
  assert.equal((await trail.events({ verbs: ['patch'], user })).length, 1);
});

test('D08: foregroundDeletion without a dependent is removed, and the Job is gone', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const path = jobPath(namespace, 'j');
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path, { propagationPolicy: 'Foreground' });
  const trail = await auditTrail(plane);
  const done = await run('unstick job/j --yes --stuck-for 0s');
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    rowsOf(done.stderr, 'job.batch/j'),
    /foregroundDeletion +will be removed: nothing that it waits for is left/,
  );
  assert.match(done.stdout, /job\.batch\/j finalizers removed: foregroundDeletion\n/);
  assert.equal(await admin.find(path), undefined);
  const looks = await trail.events({ verbs: ['list'], user });
  assert.ok(
    looks.some(({ objectRef }) => objectRef?.resource === 'pods'),
    'its dependents were looked for',
  );
});

test('D08: with another finalizer beside it foregroundDeletion alone is removed', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const path = jobPath(namespace, 'j');
  const finalizers = ['backup-addon.example.test/hold'];
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h', finalizers });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path, { propagationPolicy: 'Foreground' });
  const done = await run('unstick job/j --yes --stuck-for 0s');
  assert.equal(done.code, 2, done.stderr);
  assert.deepEqual((await admin.get(path)).metadata.finalizers, finalizers);
});

test('D08: whether dependents are left is not known to a user who may not list them all, so nothing is stripped', async t => {
  const rules = [
    { apiGroups: ['batch'], resources: ['*'], verbs: ['get', 'list', 'patch'] },
    { apiGroups: [''], resources: ['pods', 'namespaces', 'events'], verbs: ['get', 'list'] },
  ];
  const { namespace, run } = await aPlaceToUnstick(t, plane, rules);
  const path = jobPath(namespace, 'j');
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createConfigMap(admin, { name: 'unseen', namespace, owner: job });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path, { propagationPolicy: 'Foreground' });
  const done = await run('unstick job/j --yes --stuck-for 0s');
  assert.equal(done.code, 3, done.stderr);
  assert.match(rowsOf(done.stderr, 'job.batch/j'), /whether anything is left that it waits for is not known/);
  assert.match(done.stderr, /not readable: \d+ kinds in \S+ \([^)]*configmaps/);
  assert.deepEqual((await admin.get(path)).metadata.finalizers, ['foregroundDeletion']);
});

test('U18: orphan is explained with the Pods that would stay, and left alone unless it is named', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const path = jobPath(namespace, 'j');
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded' });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path, { propagationPolicy: 'Orphan' });
  assert.deepEqual((await admin.get(path)).metadata.finalizers, ['orphan']);
  const trail = await auditTrail(plane);
  for (const words of ['unstick --yes', 'unstick --all-finalizers --yes']) {
    const looked = await run(`${words} --stuck-for 0s`);
    assert.equal(looked.code, 0, looked.stderr);
    assert.match(
      rowsOf(looked.stdout, 'job.batch/j'),
      /orphan +the garbage collector has to let 1 dependent go first: pod\/p/,
    );
    assert.match(looked.stdout, /removing it: its dependents stay where .*\n *--finalizer orphan removes it/);
  }
  const named = await run('unstick job/j --yes --stuck-for 0s');
  assert.equal(named.code, 3, named.stderr);
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
});

test('U18: orphan given by name is removed; the Pods that stay are listed, and can be deleted by uid', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const path = jobPath(namespace, 'j');
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  const pod = await createPodOf(admin, job, { name: 'p', phase: 'Succeeded' });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path, { propagationPolicy: 'Orphan' });
  const done = await run('unstick job/j --finalizer orphan --yes --stuck-for 0s');
  assert.equal(done.code, 0, done.stderr);
  assert.match(rowsOf(done.stderr, 'job.batch/j'), /will be removed: .* 1 dependent go first: pod\/p/);
  assert.match(
    rowsOf(done.stderr, 'job.batch/j'),
    /removing it: its dependents stay where the garbage collector has let them go already, and are deleted by it where it has not: pod\/p\./,
  );
  assert.equal(await admin.find(path), undefined);
  assert.equal((await admin.get(podPath(namespace, 'p'))).metadata.uid, pod.metadata.uid);
  assert.match(done.stderr, /To end those that stay: kubectl jobctl delete pod\/p -n/, 'how to delete them');
});
