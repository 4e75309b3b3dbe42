// What keeps a namespace, a definition, a claim, a volume or a Pod: the content goes first, and what guards data is left alone.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import {
  createCustomResource,
  createDefinition,
  customResourcePath,
} from '../cluster/state/custom-resources.ts';
import { createEvent } from '../cluster/state/events.ts';
import { configMapPath, createConfigMap, releaseObject, untilGone } from '../cluster/state/finalizers.ts';
import { createFinishedJob, jobPath } from '../cluster/state/jobs.ts';
import {
  createNamespace,
  deleteEmptyNamespace,
  deleteHeldNamespace,
  namespacePath,
} from '../cluster/state/namespaces.ts';
import { createPod, createPodOf, endPod, podPath } from '../cluster/state/pods.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import {
  attachmentPath,
  claimPath,
  createClaim,
  createVolume,
  createVolumeAttachment,
  usesClaim,
  volumePath,
} from '../cluster/state/volumes.ts';
import { until } from '../cluster/until.ts';
import { aNode } from './operator.ts';
import { aDefinition, aPlaceToUnstick, aStuckResource, readEverything, rowsOf } from './unstick-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const keda = 'finalizer.keda.sh';
/** Qualified, as built-in kinds want it. */
const argoHook = 'argocd.argoproj.io/hook-finalizer';
const pvcProtection = 'kubernetes.io/pvc-protection';

/** A namespace beside the test's own, that the test lets go at its end. */
async function anotherNamespace(
  t: TestContext,
  namespace: string,
  finalizers: readonly string[] = [],
): Promise<string> {
  const name = `${namespace}-legacy`;
  await createNamespace(admin, { name, finalizers });
  t.after(async () => {
    await admin.delete(namespacePath(name));
    await releaseObject(admin, namespacePath(name));
  });
  return name;
}

const isPastItsGrace = (path: string) =>
  until(`the grace of ${path} to be over`, 10_000, async () => {
    const { deletionTimestamp = '' } = (await admin.get(path)).metadata;
    return Date.now() > Date.parse(deletionTimestamp) + 1000;
  });

test('U14: a namespace leads to the three objects that hold it; freed, it goes without further help', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const legacy = await anotherNamespace(t, namespace);
  const definition = await aDefinition(t, plane, { group: 'attic.test', kind: 'Trunk', plural: 'trunks' });
  for (const name of ['a', 'b', 'c']) {
    await createCustomResource(admin, definition, { namespace: legacy, name, finalizers: [keda] });
    t.after(() => releaseObject(admin, customResourcePath(definition, legacy, name)));
  }
  await deleteHeldNamespace(admin, legacy);
  const looked = await run(`unstick namespace/${legacy} --dry-run --stuck-for 0s`);
  assert.equal(looked.code, 0, looked.stderr);
  const rows = rowsOf(looked.stdout, `namespace/${legacy}`);
  assert.match(rows, /kubernetes +waits for what is in it: 3 trunks\.attic\.test/);
  for (const name of ['a', 'b', 'c'])
    assert.match(rowsOf(looked.stdout, `trunk.attic.test/${name}`), /would|will be/);

  const trail = await auditTrail(plane);
  const done = await run(`unstick namespace/${legacy} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(rowsOf(done.stderr, `namespace/${legacy}`), /goes without further help then/);
  assert.match(done.stderr, /3 objects freed and gone, 1 gone after them, 0 failed/);
  assert.match(done.stdout, new RegExp(`namespace "${legacy}" deleted`));
  assert.equal(await admin.find(namespacePath(legacy)), undefined);
  const writes = await trail.events({ verbs: ['patch', 'update'], user });
  assert.deepEqual([...new Set(writes.map(({ objectRef }) => objectRef?.resource))], ['trunks']);
});

test('U15: a finalizer of a removed manager in the metadata of an empty namespace goes by a patch, without /finalize', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const legacy = await anotherNamespace(t, namespace, ['controller.cattle.io/namespace-auth']);
  await deleteEmptyNamespace(admin, legacy);
  const trail = await auditTrail(plane);
  const managers = 'controller.cattle.io/namespace-auth';
  const done = await run(`unstick namespace/${legacy} --finalizer ${managers} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  const rows = rowsOf(done.stderr, `namespace/${legacy}`);
  assert.match(rows, /will be removed: (controller gone|no controller .*was found)/);
  assert.match(rows, /Rancher/);
  assert.equal(await admin.find(namespacePath(legacy)), undefined);
  const writes = await trail.events({ verbs: ['patch', 'update'], user });
  assert.deepEqual(
    writes.map(({ verb, objectRef }) => [verb, objectRef?.resource, objectRef?.subresource]),
    [['patch', 'namespaces', undefined]],
  );
});

test('--force-finalize wants the name of the namespace, says what it abandons, and leaves that in storage', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const legacy = await anotherNamespace(t, namespace);
  const definition = await aDefinition(t, plane, { group: 'cellar.test', kind: 'Crate', plural: 'crates' });
  const path = customResourcePath(definition, legacy, 'left');
  const finalizers = ['cellar.test/hold'];
  await createCustomResource(admin, definition, { namespace: legacy, name: 'left', finalizers });
  t.after(() => releaseObject(admin, path));
  await deleteHeldNamespace(admin, legacy);
  const trail = await auditTrail(plane);
  for (const words of ['unstick -A', 'unstick', 'unstick namespaces', 'unstick namespaces -l a=b']) {
    const refused = await run(`${words} --force-finalize --yes --stuck-for 0s`);
    assert.equal(refused.code, 1, `${words}: ${refused.stderr}`);
    assert.match(refused.stderr, /--force-finalize is for namespaces that are named/);
  }
  assert.deepEqual(await trail.events({ user }), []);

  const dry = await run(`unstick namespace/${legacy} --force-finalize --dry-run --stuck-for 0s`);
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(
    dry.stdout,
    new RegExp(`namespace/${legacy} is finalized with 1 crates\\.cellar\\.test inside: it stays in storage`),
  );
  assert.ok(await admin.find(namespacePath(legacy)));

  const done = await run(`unstick namespace/${legacy} --force-finalize --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stderr,
    new RegExp(`namespace/${legacy} is finalized with 1 crates\\.cellar\\.test inside`),
  );
  assert.match(done.stdout, /spec\.finalizers removed: kubernetes/);
  assert.equal(await admin.find(namespacePath(legacy)), undefined);
  // what is left in storage: still terminating, still held, and back in sight once the name is taken again
  const left = await admin.get(path);
  assert.deepEqual(left.metadata.finalizers, finalizers);
  await createNamespace(admin, { name: legacy });
  assert.equal(
    (await admin.list(customResourcePath(definition, legacy)))[0]?.metadata.uid,
    left.metadata.uid,
  );
});

test('the clean-up finalizer of a definition is never stripped: its instances are freed, and it goes', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const definition = await createDefinition(admin, { group: 'loft.test', kind: 'Beam', plural: 'beams' });
  t.after(() => admin.delete(definition.path));
  for (const name of ['a', 'b']) {
    await createCustomResource(admin, definition, { namespace, name, finalizers: [keda] });
    t.after(() => releaseObject(admin, customResourcePath(definition, namespace, name)));
  }
  await deleteAndHold(admin, definition.path);
  await until('its instances to be terminating', 30_000, async () =>
    (await admin.list(customResourcePath(definition, namespace))).every(
      ({ metadata }) => metadata.deletionTimestamp !== undefined,
    ),
  );
  const trail = await auditTrail(plane);
  const cleanUp = 'customresourcecleanup.apiextensions.k8s.io';
  const stripped = await run(`unstick crd/${definition.name} --finalizer ${cleanUp} --yes --stuck-for 0s`);
  assert.equal(stripped.code, 3, stripped.stderr);
  assert.match(stripped.stderr, /2 custom resources of it are left, 2 of them stuck/);
  assert.match(stripped.stderr, /Without this finalizer they stay in storage/);
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  const done = await run(`unstick crd/${definition.name} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await admin.find(definition.path), undefined);
  const patched = await trail.events({ verbs: ['patch'], user });
  assert.deepEqual([...new Set(patched.map(({ objectRef }) => objectRef?.resource))], ['beams']);
});

test('U16: a claim that a finished Pod still uses is not stripped; the Pod is named, and deleting it is the way', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane, [
    readEverything,
    { apiGroups: ['*'], resources: ['*'], verbs: ['patch', 'delete'] },
  ]);
  const node = await aNode(t, plane, namespace);
  await createClaim(admin, { namespace, name: 'cache' });
  const job = await createFinishedJob(admin, { name: 'report', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'report-1', phase: 'Succeeded', node, spec: usesClaim('cache') });
  t.after(() => admin.delete(podPath(namespace, 'report-1'), { gracePeriodSeconds: 0 }));
  await deleteAndHold(admin, claimPath(namespace, 'cache'));
  const trail = await auditTrail(plane);
  for (const how of ['', '--all-finalizers ', `--finalizer ${pvcProtection} `]) {
    const done = await run(`unstick pvc/cache ${how}--yes --stuck-for 0s`);
    assert.equal(done.code, 3, done.stderr);
    const rows = rowsOf(done.stderr, 'persistentvolumeclaim/cache');
    assert.match(rows, /kubernetes\.io\/pvc-protection +still used by pod\/report-1 \(Succeeded\)/);
    assert.ok(rows.includes(`kubectl jobctl delete pod/report-1 -n ${namespace}`), rows);
  }
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  // the advice is good: a Pod that has ended is deleted without a kubelet's help
  const followed = run(`delete pod/report-1 -n ${namespace} --yes`);
  await until('the Pod to be terminating or gone', 30_000, async () => {
    const pod = await admin.find(podPath(namespace, 'report-1'));
    if (pod?.metadata.deletionTimestamp !== undefined) await endPod(admin, pod, { phase: 'Succeeded' });
    return pod === undefined;
  });
  assert.equal((await followed).code, 0);
  await untilGone(admin, claimPath(namespace, 'cache'), 60_000);
});

test('U17: a volume that is attached is refused with its attachment and its node; only its name given outright frees it', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const node = await aNode(t, plane, namespace);
  const [volume, attachment] = [`volume-${namespace}`, `attachment-${namespace}`];
  const attacher = 'external-attacher/csi-example-test';
  t.after(async () => {
    await admin.delete(attachmentPath(attachment));
    await admin.delete(volumePath(volume));
    await releaseObject(admin, volumePath(volume));
  });
  await createVolume(admin, { name: volume, finalizers: [attacher] });
  await createVolumeAttachment(admin, { name: attachment, volume, node });
  await deleteAndHold(admin, volumePath(volume));
  const trail = await auditTrail(plane);
  for (const how of ['', '--all-finalizers ']) {
    const done = await run(`unstick pv/${volume} ${how}--yes --stuck-for 0s`);
    assert.equal(done.code, 3, done.stderr);
    const rows = rowsOf(done.stderr, `persistentvolume/${volume}`);
    assert.ok(rows.includes(`volumeattachment/${attachment} still attaches it to node ${node}`), rows);
    assert.match(rows, /the disk is left behind, perhaps still attached to node/);
  }
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  const done = await run(`unstick pv/${volume} --finalizer ${attacher} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /will be removed: .*still attaches it/);
  await untilGone(admin, volumePath(volume));
  assert.ok(await admin.find(attachmentPath(attachment)), 'the attachment is left behind');
});

test('the protection of a volume that a claim is bound to is left alone: the claim goes first', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const volume = `volume-${namespace}`;
  t.after(async () => {
    await admin.delete(volumePath(volume));
    await releaseObject(admin, volumePath(volume));
  });
  const claim = await createClaim(admin, { namespace, name: 'data', volume });
  await createVolume(admin, { name: volume, claim });
  await until(
    'the claim to be bound',
    30_000,
    async () => (await admin.get(claimPath(namespace, 'data'))).status?.['phase'] === 'Bound',
  );
  await deleteAndHold(admin, volumePath(volume));
  const trail = await auditTrail(plane);
  for (const how of ['', '--all-finalizers ']) {
    const done = await run(`unstick pv/${volume} ${how}--yes --stuck-for 0s`);
    assert.equal(done.code, 3, done.stderr);
    const rows = rowsOf(done.stderr, `persistentvolume/${volume}`);
    assert.ok(rows.includes(`claim ${namespace}/data is still bound to it`), rows);
    assert.match(rows, /delete the claim first/);
  }
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
  await admin.delete(claimPath(namespace, 'data'));
  await untilGone(admin, volumePath(volume), 60_000);
});

test('D18: a Pod on a node that does not answer has nothing to unstick; force is named with what it may leave running', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane, [
    readEverything,
    { apiGroups: ['*'], resources: ['*'], verbs: ['patch', 'delete'] },
  ]);
  const node = await aNode(t, plane, namespace, 'Unknown');
  const path = podPath(namespace, 'lost');
  const pod = await createPod(admin, { namespace, name: 'lost', phase: 'Running', node, graceSeconds: 1 });
  t.after(() => endPod(admin, pod));
  await deleteAndHold(admin, path);
  await isPastItsGrace(path);
  const looked = await run('unstick --yes --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  const rows = rowsOf(looked.stdout, 'pod/lost');
  assert.ok(rows.includes(`no finalizer holds it: its node ${node} does not answer`), rows);
  assert.match(rows, /nothing to unstick\. .* its containers may still run/);
  const named = await run('unstick pod/lost --all-finalizers --yes --stuck-for 0s');
  assert.equal(named.code, 3, named.stderr);
  assert.ok(await admin.find(path));
  // the command that is shown does what it says
  const command = /kubectl jobctl (delete pod\/lost .*)$/m.exec(rows)?.[1] ?? '';
  const forced = await run(`${command} --yes`);
  assert.equal(forced.code, 0, forced.stderr);
  assert.equal(await admin.find(path), undefined);
});

test('U29: a Pod on a healthy node has nothing to unstick; the node and the last warning are shown', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const node = await aNode(t, plane, namespace);
  const path = podPath(namespace, 'p');
  const pod = await createPod(admin, { namespace, name: 'p', phase: 'Running', node, graceSeconds: 1 });
  t.after(() => endPod(admin, pod));
  await createEvent(admin, pod, { reason: 'BackOff', message: 'of long before', seen: '2h' });
  await deleteAndHold(admin, path);
  await isPastItsGrace(path);
  await createEvent(admin, pod, { reason: 'FailedKillPod', message: 'error killing pod: context deadline' });
  const looked = await run('unstick --yes --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  const rows = rowsOf(looked.stdout, 'pod/p');
  assert.ok(rows.includes(`node ${node} is ready, its kubelet has not ended it`), rows);
  assert.match(rows, /\(FailedKillPod: error killing pod: context deadline\)/);
  assert.match(rows, /nothing to unstick/);
  const named = await run('unstick pod/p --yes --stuck-for 0s');
  assert.equal(named.code, 3, named.stderr);
  assert.ok(await admin.find(path));
});

test('a Pod within its grace period, and an object that is terminating only for a moment, are not stuck', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const node = await aNode(t, plane, namespace);
  const pod = await createPod(admin, { namespace, name: 'p', phase: 'Running', node, graceSeconds: 600 });
  t.after(() => endPod(admin, pod));
  await deleteAndHold(admin, podPath(namespace, 'p'));
  await createConfigMap(admin, { namespace, name: 'c', finalizers: [argoHook] });
  t.after(() => releaseObject(admin, configMapPath(namespace, 'c')));
  await deleteAndHold(admin, configMapPath(namespace, 'c'));
  const trail = await auditTrail(plane);
  const looked = await run('unstick --yes');
  assert.equal(looked.code, 0, looked.stderr);
  const rows = rowsOf(looked.stdout, 'pod/p');
  assert.match(rows, /has (9|10)m(\d+s)? of its grace period left/);
  assert.ok(!/has not ended it|--force/.test(rows), `it has only to be waited for:\n${rows}`);
  assert.match(rowsOf(looked.stdout, 'configmap/c'), /terminating for \d+s only, less than --stuck-for 2m/);
  const named = await run('unstick configmap/c --all-finalizers --yes');
  assert.equal(named.code, 3, named.stderr);
  assert.match(rowsOf(named.stderr, 'configmap/c'), /refused: terminating for \d+s only/);
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);
});

test('several kinds at once: of pods,jobs what the selector matches is freed, of names what is named', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const tracking = 'batch.kubernetes.io/job-tracking';
  const job = await createFinishedJob(admin, { name: 'owner', namespace, ended: '1h' });
  for (const name of ['chosen', 'other']) {
    const labels = { pick: name };
    await createFinishedJob(admin, { name, namespace, ended: '1h', labels, finalizers: [argoHook] });
    await createPodOf(admin, job, { name, phase: 'Succeeded', labels, finalizers: [tracking] });
    for (const path of [jobPath(namespace, name), podPath(namespace, name)]) {
      t.after(() => releaseObject(admin, path));
      await deleteAndHold(admin, path, { propagationPolicy: 'Background' });
    }
  }
  const selected = await run('unstick pods,jobs -l pick=chosen --yes --stuck-for 0s');
  assert.equal(selected.code, 0, selected.stderr);
  assert.match(selected.stderr, /2 objects freed and gone, 0 failed/);
  const there = async () => [await admin.list(podPath(namespace)), await admin.list(jobPath(namespace))];
  assert.deepEqual(
    (await there()).map(list => list.map(({ metadata }) => metadata.name)),
    [['other'], ['other', 'owner']],
  );
  const named = await run('unstick pod/other job/other job/owner --yes --stuck-for 0s');
  assert.equal(named.code, 2, named.stderr);
  assert.match(rowsOf(named.stderr, 'job.batch/owner'), /refused: not being deleted/);
  assert.deepEqual(
    (await there()).map(list => list.map(({ metadata }) => metadata.name)),
    [[], ['owner']],
  );
});

test('-A finds what is stuck in every namespace and outside of them, and with a kind frees that alone', async t => {
  const first = await aPlaceToUnstick(t, plane);
  const second = await aPlaceToUnstick(t, plane);
  const { run } = first;
  const definition = await aDefinition(t, plane, { group: 'roof.test', kind: 'Tile', plural: 'tiles' });
  const ofCluster = await aDefinition(t, plane, {
    group: 'sky.test',
    kind: 'Cloud',
    plural: 'clouds',
    scope: 'Cluster',
  });
  const finalizers = ['roof.test/hold'];
  for (const { namespace } of [first, second])
    await aStuckResource(t, plane, definition, { namespace, name: 'tile', finalizers });
  await aStuckResource(t, plane, ofCluster, { name: 'cloud', finalizers });
  const looked = await run('unstick -A -o wide --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  for (const { namespace } of [first, second])
    assert.match(
      looked.stdout,
      new RegExp(`^${namespace} +\\d+\\w* +tile\\.roof\\.test/tile +roof\\.test/hold`, 'm'),
    );
  assert.match(looked.stdout, /^- +\d+\w* +cloud\.sky\.test\/cloud +roof\.test\/hold/m);
  const done = await run('unstick tiles -A --finalizer roof.test/hold --yes --stuck-for 0s');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /2 objects freed and gone, 0 failed/);
  assert.ok(await admin.find(customResourcePath(ofCluster, undefined, 'cloud')));
});
