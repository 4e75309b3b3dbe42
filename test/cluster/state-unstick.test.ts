import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ApiFailure, adminOf } from './admin.ts';
import { aNamespace, sharedControlPlane } from './shared.ts';
import { createEvent, eventPath } from './state/events.ts';
import { configMapPath, createConfigMap, releaseObject, untilGone } from './state/finalizers.ts';
import { createLease, leasePath } from './state/leases.ts';
import {
  createNamespace,
  deleteEmptyNamespace,
  deleteHeldNamespace,
  namespaceConditions,
  namespacePath,
} from './state/namespaces.ts';
import { createNode, nodePath } from './state/nodes.ts';
import { createPod, endPod, podPath } from './state/pods.ts';
import { createPolicy } from './state/policies.ts';
import { allowIn } from './state/roles.ts';
import { deleteAndHold } from './state/terminating.ts';
import {
  attachmentPath,
  claimPath,
  createClaim,
  createVolume,
  createVolumeAttachment,
  usesClaim,
  volumePath,
} from './state/volumes.ts';
import { createDenyingWebhook, createMutatingWebhook, createUnreachableWebhook } from './state/webhooks.ts';
import { createDeployment, deploymentPath } from './state/workloads.ts';
import { until } from './until.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const hold = 'example.test/hold';
const configMaps = [{ apiGroups: [''], resources: ['configmaps'] }];
const release = { metadata: { finalizers: null } };

/** A ConfigMap that is terminating and held. */
async function aHeldConfigMap(namespace: string, name = 'held', labels = {}): Promise<string> {
  const path = configMapPath(namespace, name);
  await createConfigMap(admin, { namespace, name, labels, finalizers: [hold] });
  await deleteAndHold(admin, path);
  return path;
}

/** Called when all that forbids it is registered to be removed: a held object would hold its namespace too. */
const releaseAfter = (t: TestContext, path: string): void =>
  t.after(() =>
    until(`${path} to be released`, 10_000, async () => {
      await releaseObject(admin, path);
      return true;
    }),
  );

const failure =
  (status: number, message: RegExp) =>
  (error: unknown): true => {
    assert.ok(error instanceof ApiFailure, String(error));
    assert.match(error.message, message);
    assert.equal(error.status, status);
    return true;
  };

test('a deleted object is answered with its deletionTimestamp', async t => {
  const namespace = await aNamespace(t, plane);
  const path = configMapPath(namespace, 'c');
  await createConfigMap(admin, { namespace, name: 'c', finalizers: [hold] });
  const held = await deleteAndHold(admin, path, { propagationPolicy: 'Foreground' });
  assert.deepEqual(held.metadata.finalizers?.[0], hold);
  assert.ok(held.metadata.deletionTimestamp);
  await releaseObject(admin, path);
  await untilGone(admin, path);
  await assert.rejects(deleteAndHold(admin, path), /is not there/);
});

test('a webhook denies in its namespace, and tells what it was asked', async t => {
  const [namespace, elsewhere] = [await aNamespace(t, plane), await aNamespace(t, plane)];
  const path = await aHeldConfigMap(namespace);
  const name = `deny-${namespace}`;
  const webhook = await createDenyingWebhook(t, admin, {
    name,
    namespace,
    rules: configMaps,
    probe: { path },
    message: 'not on my watch',
    code: 403,
    only: ({ dryRun }) => !dryRun,
  });
  releaseAfter(t, path);
  assert.equal(webhook.reviews.length, 0);
  const denial = failure(403, new RegExp(`"${name}.example.test" denied the request: not on my watch`));
  await assert.rejects(admin.patch(path, release), denial);
  assert.deepEqual(webhook.reviews, [
    {
      user: 'admin',
      groups: ['system:masters', 'system:authenticated'],
      operation: 'UPDATE',
      resource: 'configmaps',
      namespace,
      name: 'held',
      dryRun: false,
    },
  ]);
  // The others are let through, and other namespaces are not asked about.
  await admin.patch(`${path}?dryRun=All`, release);
  await releaseObject(admin, await aHeldConfigMap(elsewhere));
  assert.equal(webhook.reviews.length, 2);
  assert.equal((await admin.get(webhook.path)).metadata.name, name);
});

test('a webhook that changes a Pod makes every update of it fail', async t => {
  const namespace = await aNamespace(t, plane);
  const path = podPath(namespace, 'p');
  await createPod(admin, { namespace, name: 'p', finalizers: [hold] });
  await deleteAndHold(admin, path);
  await createMutatingWebhook(t, admin, {
    name: `mutate-${namespace}`,
    namespace,
    rules: [{ apiGroups: [''], resources: ['pods'] }],
    probe: { path },
    patch: [{ op: 'add', path: '/spec/hostNetwork', value: true }],
  });
  releaseAfter(t, path);
  await assert.rejects(admin.patch(path, release), failure(422, /pod updates may not change fields other/));
});

test('a webhook that cannot be reached lets nothing pass', async t => {
  const namespace = await aNamespace(t, plane);
  for (const [how, message] of [
    ['no service', /service "no-service-\S+" not found/],
    ['no endpoints', /failed calling webhook/],
    ['refused', /connection refused/],
    ['silent', /context deadline exceeded/],
  ] as const) {
    const name = `${how.replace(' ', '-')}-${namespace}`;
    const path = await aHeldConfigMap(namespace, name, { how: name });
    const wanted = { namespace, rules: configMaps, probe: { path }, objectLabels: { how: name } };
    await createUnreachableWebhook(t, admin, { ...wanted, name, how });
    releaseAfter(t, path);
    await assert.rejects(admin.patch(path, release), failure(500, message));
  }
});

test('a policy refuses what its expression forbids, to those it is for', async t => {
  const namespace = await aNamespace(t, plane);
  const user = `user-${namespace}`;
  const by = adminOf(plane.kubeconfigFor({ user, namespace }));
  t.after(() => by.destroy());
  const verbs = ['get', 'patch'];
  await allowIn(admin, namespace, { user, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }] });
  const path = await aHeldConfigMap(namespace);
  const name = `policy-${namespace}`;
  const { policy, binding } = await createPolicy(t, admin, {
    name,
    namespace,
    resource: 'configmaps',
    expression: 'has(object.metadata.finalizers)',
    message: 'finalizers are here to stay',
    onlyFor: { user },
    probe: { path, by },
  });
  assert.equal(binding.spec?.['policyName'], policy.metadata.name);
  const refused = failure(
    422,
    new RegExp(
      `ValidatingAdmissionPolicy '${name}' with binding '${name}-binding' denied request: finalizers are`,
    ),
  );
  await assert.rejects(by.patch(path, release), refused);
  await admin.patch(path, release);
  assert.equal(await admin.find(path), undefined);
});

test('a claim is protected while a Pod on a node refers to it, and goes with the last of them', async t => {
  const namespace = await aNamespace(t, plane);
  const node = `node-${namespace}`;
  await createNode(admin, { name: node });
  t.after(() => admin.delete(nodePath(node)));
  for (const name of ['used', 'waited-for']) await createClaim(admin, { namespace, name });
  const spec = usesClaim('used');
  await createPod(admin, { namespace, name: 'done', phase: 'Succeeded', node, spec });
  const running = await createPod(admin, { namespace, name: 'running', phase: 'Running', node, spec });
  await createPod(admin, { namespace, name: 'no-node', spec: usesClaim('waited-for') });
  const held = await deleteAndHold(admin, claimPath(namespace, 'used'));
  assert.deepEqual(held.metadata.finalizers, ['kubernetes.io/pvc-protection']);
  await admin.delete(podPath(namespace, 'running'));
  await endPod(admin, running);
  await admin.delete(claimPath(namespace, 'waited-for'));
  await untilGone(admin, claimPath(namespace, 'waited-for'), 60_000);
  assert.ok(await admin.find(claimPath(namespace, 'used')));
  await admin.delete(podPath(namespace, 'done'), { gracePeriodSeconds: 0 });
  await untilGone(admin, claimPath(namespace, 'used'), 60_000);
});

test('a volume is protected while a claim is bound to it; an attachment stays attached', async t => {
  const namespace = await aNamespace(t, plane);
  const [node, volume, attachment] = ['node', 'volume', 'attachment'].map(kind => `${kind}-${namespace}`) as [
    string,
    string,
    string,
  ];
  await createNode(admin, { name: node });
  t.after(async () => {
    await admin.delete(attachmentPath(attachment));
    await releaseObject(admin, attachmentPath(attachment));
    await admin.delete(nodePath(node));
    await admin.delete(volumePath(volume));
    await releaseObject(admin, volumePath(volume));
  });
  const claim = await createClaim(admin, { namespace, name: 'data', volume });
  const finalizers = ['external-attacher/csi-example-test'];
  await createVolume(admin, { name: volume, claim, finalizers });
  const { status } = await createVolumeAttachment(admin, { name: attachment, volume, node, finalizers });
  assert.equal(status?.['attached'], true);
  const held = await deleteAndHold(admin, volumePath(volume));
  assert.deepEqual(held.metadata.finalizers, [
    'external-attacher/csi-example-test',
    'kubernetes.io/pv-protection',
  ]);
  assert.equal((held.spec?.['claimRef'] as { name: string } | undefined)?.name, 'data');
});

test('a lease says who holds it and when it was last seen', async t => {
  const namespace = await aNamespace(t, plane);
  const renewed = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  await createLease(admin, { namespace, name: 'operator', holder: 'operator-0_abc', renewed, seconds: 30 });
  const { spec } = await admin.get(leasePath(namespace, 'operator'));
  assert.equal(spec?.['holderIdentity'], 'operator-0_abc');
  assert.equal(spec?.['renewTime'], '2026-01-02T03:04:05.678000Z');
  assert.equal(spec?.['leaseDurationSeconds'], 30);
});

test('a Deployment has as many ready replicas as was wanted', async t => {
  const namespace = await aNamespace(t, plane);
  const image = 'registry.example/operator:2';
  const labels = { 'app.kubernetes.io/name': 'operator' };
  const up = await createDeployment(admin, { namespace, name: 'up', replicas: 2, ready: 1, image, labels });
  assert.equal(up.status?.['readyReplicas'], 1);
  await createDeployment(admin, { namespace, name: 'off', replicas: 0 });
  await createDeployment(admin, { namespace, name: 'broken', ready: 0 });
  const [broken, off] = await admin.list(deploymentPath(namespace));
  assert.deepEqual([broken?.status?.['replicas'], off?.status?.['replicas']], [1, undefined]);
});

test('a namespace says what holds it', async t => {
  const namespace = await aNamespace(t, plane);
  const path = configMapPath(namespace, 'held');
  await createConfigMap(admin, { namespace, name: 'held', finalizers: [hold] });
  const held = await deleteHeldNamespace(admin, namespace);
  const messages = namespaceConditions(held).map(({ type, message }) => `${type}: ${message}`);
  assert.ok(
    messages.includes(
      `NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: ${hold} in 1 resource instances`,
    ),
    messages.join('\n'),
  );
  await releaseObject(admin, path);
  await untilGone(admin, namespacePath(namespace), 60_000);
});

test('an empty namespace is held by its own finalizer', async t => {
  const name = `${await aNamespace(t, plane)}-own`;
  const finalizers = ['controller.cattle.io/namespace-auth'];
  await createNamespace(admin, { name, finalizers });
  releaseAfter(t, namespacePath(name));
  const { spec, metadata } = await deleteEmptyNamespace(admin, name);
  assert.deepEqual(metadata.finalizers, finalizers);
  assert.deepEqual(spec, {});
});

test('an event is about its object', async t => {
  const namespace = await aNamespace(t, plane);
  const pod = await createPod(admin, { namespace, name: 'p' });
  const seen = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
  await createEvent(admin, pod, { reason: 'FailedKillPod', message: 'it will not die', seen, count: 7 });
  const [event] = await admin.list(
    `${eventPath(pod)}?fieldSelector=${encodeURIComponent(`involvedObject.uid=${pod.metadata.uid}`)}`,
  );
  assert.partialDeepStrictEqual(event as unknown as object, {
    type: 'Warning',
    reason: 'FailedKillPod',
    message: 'it will not die',
    count: 7,
    lastTimestamp: '2026-01-02T03:04:05Z',
  });
});
