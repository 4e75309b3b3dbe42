// What happens to the dependents: the promise that this tool exists for, seen on a real control plane.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { createConfigMap } from '../cluster/state/finalizers.ts';
import { createFinishedJob, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { createLeakedPod, createPodOf, endPod, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { aNode, aPlace } from './operator.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

/** Owned Pods, and those that only carry the labels of the Job. */
async function podsOf(namespace: string): Promise<string[]> {
  return (await admin.list(podPath(namespace))).map(pod => pod.metadata.name).sort();
}

test('D01: a plain DELETE of a Job leaves its Pods; ours leaves nothing', async t => {
  const { namespace, run } = await aPlace(t, plane);
  for (const name of ['plain', 'ours']) {
    const job = await createFinishedJob(admin, { name, namespace, ended: '1h' });
    await createPodOf(admin, job, { name: `${name}-pod`, phase: 'Succeeded' });
  }
  // no options at all: what a client library sends
  await admin.request('DELETE', jobPath(namespace, 'plain'));
  const done = await run('delete job/ours --yes');
  assert.deepEqual(await podsOf(namespace), ['plain-pod']);
  assert.equal((await admin.get(podPath(namespace, 'plain-pod'))).metadata.ownerReferences, undefined);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.stdout, `job.batch "ours" deleted from ${namespace} namespace\n`);
  assert.match(done.stderr, /1 Job deleted, 1 Pod gone.*, 0 failed/);
});

test('D01: the command ends only after the Pod has ended, and says meanwhile what it waits for', async t => {
  const { namespace, start } = await aPlace(t, plane);
  const node = await aNode(t, plane, namespace);
  const job = await createRunningJob(admin, { name: 'report', namespace });
  const pod = await createPodOf(admin, job, {
    name: 'report-x',
    phase: 'Running',
    node,
    graceSeconds: 60,
    preStop: ['true'],
  });
  const running = start('delete job/report --yes');
  await until('the Pod to be terminating', 30_000, async () => {
    const seen = await admin.find(podPath(namespace, 'report-x'));
    return seen?.metadata.deletionTimestamp !== undefined;
  });
  assert.equal(
    await admin.find(jobPath(namespace, 'report')),
    undefined,
    'the Job is gone at once under Background',
  );
  assert.equal(running.hasEnded(), false, 'done is not said while the Pod runs');
  await endPod(admin, pod);
  const done = await running.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /1 Job deleted, 1 Pod gone/);
  assert.deepEqual(await podsOf(namespace), []);
});

for (const [flag, policy] of [
  ['background', 'Background'],
  ['Foreground', 'Foreground'],
  ['ORPHAN', 'Orphan'],
] as const) {
  test(`D02: --cascade=${flag} reaches the server as ${policy}, with the uid that was shown, in the body`, async t => {
    const { namespace, user, run } = await aPlace(t, plane);
    const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
    await createPodOf(admin, job, { name: 'p', phase: 'Failed' });
    const trail = await auditTrail(plane);
    const done = await run(`delete job/j --cascade=${flag} --yes --timeout 60s`);
    assert.equal(done.code, 0, done.stderr);
    const [event] = await trail.atLeast(1, { verbs: ['delete'], resource: 'jobs', user });
    assert.equal(event?.requestObject?.['propagationPolicy'], policy);
    assert.deepEqual(event?.requestObject?.['preconditions'], { uid: job.metadata.uid });
    assert.ok(!event?.requestURI.includes('propagationPolicy'), 'the query is ignored where there is a body');
    assert.equal(await admin.find(jobPath(namespace, 'j')), undefined);
    assert.deepEqual(await podsOf(namespace), policy === 'Orphan' ? ['p'] : []);
  });
}

test('every delete that reached the server in these tests carried a policy and a uid', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  for (const name of ['a', 'b', 'c']) await createPodOf(admin, job, { name, phase: 'Succeeded' });
  const trail = await auditTrail(plane);
  assert.equal((await run('delete j --yes')).code, 0);
  const deletes = await trail.atLeast(1, { verbs: ['delete'], user });
  for (const { requestObject, objectRef } of deletes) {
    assert.ok(requestObject?.['propagationPolicy'], JSON.stringify(objectRef));
    const pinned = requestObject['preconditions'] as { uid?: string; resourceVersion?: string };
    assert.ok(pinned.uid);
    if (objectRef?.resource === 'pods')
      assert.ok(pinned.resourceVersion, 'a dependent is pinned to the version that was looked at');
  }
});

test('D14: Orphan keeps the Pods, says so, and the line that it prints removes exactly them', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'etl', namespace, ended: '1h', outcome: 'failed' });
  const other = await createFinishedJob(admin, { name: 'other', namespace, ended: '1h' });
  for (const name of ['a', 'b', 'c']) await createPodOf(admin, job, { name, phase: 'Failed' });
  await createPodOf(admin, other, { name: 'other-pod', phase: 'Failed' });
  const done = await run('delete job/etl --cascade=orphan --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /3 Pods will stay without an owner/);
  const [, line] = /kubectl jobctl (prune pods -n .*)$/m.exec(done.stderr) ?? [];
  assert.equal(line, `prune pods -n ${namespace} -l batch.kubernetes.io/controller-uid=${job.metadata.uid}`);
  assert.deepEqual(await podsOf(namespace), ['a', 'b', 'c', 'other-pod']);
  await createLeakedPod(admin, { name: 'of-another', namespace, phase: 'Failed' });
  assert.equal((await run(`${line} --yes`)).code, 0);
  assert.deepEqual(await podsOf(namespace), ['of-another', 'other-pod']);
});

test('a dependent with another living owner stays, and the preview says whose it is', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  const keeper = await createConfigMap(admin, { name: 'keeper', namespace });
  const owners = [job, keeper].map(({ apiVersion, kind, metadata: { name, uid } }) => ({
    apiVersion,
    kind,
    name,
    uid,
  }));
  await createConfigMap(admin, { name: 'shared', namespace, ownerReferences: owners });
  await createConfigMap(admin, { name: 'own', namespace, ownerReferences: owners.slice(0, 1) });
  const dry = await run('delete job/j --dry-run');
  assert.match(dry.stdout, /configmap\/own\n/);
  assert.match(dry.stdout, /configmap\/shared +stays: configmap\/keeper owns it too/);
  assert.equal((await run('delete job/j --yes')).code, 0);
  const left = (await admin.list(`/api/v1/namespaces/${namespace}/configmaps`)).map(map => map.metadata.name);
  assert.deepEqual(
    left.filter(name => !name.startsWith('kube-')),
    ['keeper', 'shared'],
  );
});

test('D09: under Foreground every dependent is shown, blocking or not, and the command waits for the collector', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: job.metadata.uid };
  await createConfigMap(admin, {
    name: 'a',
    namespace,
    ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
  });
  await createConfigMap(admin, {
    name: 'b',
    namespace,
    ownerReferences: [{ ...owner, blockOwnerDeletion: false }],
  });
  const dry = await run('delete job/j --cascade=foreground --dry-run');
  assert.match(dry.stdout, /configmap\/a[\s\S]*configmap\/b/);
  const done = await run('delete job/j --cascade=foreground --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stdout,
    /^job.batch\/j deletion accepted, waiting on: foregroundDeletion\njob.batch "j" deleted from/,
  );
  assert.match(done.stderr, /2 ConfigMaps gone \(by the garbage collector\)/);
  for (const name of ['a', 'b'])
    assert.equal(await admin.find(`/api/v1/namespaces/${namespace}/configmaps/${name}`), undefined);
});
