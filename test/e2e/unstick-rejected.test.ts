// A removal that the server refuses because somebody told it to: who that is, that nothing was changed, and exit 2.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { adminOf } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { configMapPath, createConfigMap, releaseObject } from '../cluster/state/finalizers.ts';
import { createPod, podPath } from '../cluster/state/pods.ts';
import { createPolicy } from '../cluster/state/policies.ts';
import type { Rule } from '../cluster/state/roles.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import {
  createDenyingWebhook,
  createMutatingWebhook,
  createUnreachableWebhook,
} from '../cluster/state/webhooks.ts';
import { until } from '../cluster/until.ts';
import { aPlace } from './operator.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const rules: readonly Rule[] = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'patch'] }];
const hold = 'rejected.test/hold';
const configMaps = [{ apiGroups: [''], resources: ['configmaps'] }];
const everywhere = { rules, everywhere: true };
const freeIt = (what: string) => `unstick ${what} --finalizer ${hold} --stuck-for 0s --yes`;

async function aHeldConfigMap(namespace: string, name = 'held', finalizers = [hold]): Promise<string> {
  const path = configMapPath(namespace, name);
  await createConfigMap(admin, { namespace, name, finalizers });
  await deleteAndHold(admin, path);
  return path;
}

/** Hooks run in the order of their making: say it after what refuses has said its own. */
const releasedAfter = (t: TestContext, ...paths: readonly string[]) =>
  t.after(async () => {
    // the server notices a moment later that a policy is gone
    for (const path of paths)
      await until(`${path} to be released`, 30_000, async () => {
        await releaseObject(admin, path);
        return true;
      });
  });

const versionOf = async (path: string) => (await admin.get(path)).metadata.resourceVersion;

test('U10: a validating webhook that denies the removal is named with its configuration and its reason; nothing is changed, the webhook is left as it is; exit 2', async t => {
  const { namespace, user, run } = await aPlace(t, plane, everywhere);
  const path = await aHeldConfigMap(namespace);
  const name = `deny-${namespace}`;
  const message = 'once it is done, nothing of it may change';
  const webhook = await createDenyingWebhook(t, admin, {
    name,
    namespace,
    rules: configMaps,
    probe: { path },
    message,
  });
  releasedAfter(t, path);
  const [before, installed] = [await admin.get(path), await admin.get(webhook.path)];
  const trail = await auditTrail(plane);
  const done = await run(freeIt('configmap/held'));
  assert.equal(done.code, 2, done.stderr);
  assert.match(
    done.stderr,
    new RegExp(
      `^configmap/held not changed: .*admission webhook "${webhook.name}" denied the request: ${message}$`,
      'm',
    ),
  );
  assert.match(
    done.stderr,
    new RegExp(
      `^ {2}webhook ${webhook.name} \\(validatingwebhookconfiguration/${name}\\) denies the change: look at its rules or ask who runs it$`,
      'm',
    ),
  );
  assert.doesNotMatch(done.stdout, /removed|deleted/);
  assert.deepEqual(await admin.get(path), before);
  assert.deepEqual(await admin.get(webhook.path), installed);
  const patches = await trail.atLeast(1, { user, verbs: ['patch', 'update', 'delete'] });
  assert.deepEqual(
    patches.map(({ verb, objectRef, code }) => [verb, objectRef?.resource, code]),
    [['patch', 'configmaps', 400]],
    'tried once, and nothing else was written',
  );
  assert.deepEqual(
    webhook.reviews.map(review => [review.user, review.name, review.dryRun]),
    [[user, 'held', false]],
  );
});

for (const [how, said] of [
  ['no service', /service "\S+" not found/],
  ['no endpoints', /failed calling webhook/],
] as const) {
  test(`U11: a webhook with ${how} is no denial: it cannot be reached, its configuration and service are named, and the scan says so before anything is tried`, async t => {
    const { namespace, run } = await aPlace(t, plane, everywhere);
    const path = await aHeldConfigMap(namespace);
    const name = `gone-${namespace}`;
    const wanted = { name, namespace, rules: configMaps, probe: { path }, how };
    const webhook = await createUnreachableWebhook(t, admin, wanted);
    releasedAfter(t, path);
    const installed = await admin.get(webhook.path);

    const scan = await run('unstick --stuck-for 0s');
    assert.equal(scan.code, 0, scan.stderr);
    assert.match(
      scan.stdout,
      new RegExp(
        `^webhook ${webhook.name} \\(validatingwebhookconfiguration/${name}\\) .*its service ${namespace}/${name} has no endpoints`,
        'm',
      ),
    );

    const version = await versionOf(path);
    const done = await run(freeIt('configmap/held'));
    assert.equal(done.code, 2, done.stderr);
    assert.match(done.stderr, /^configmap\/held not changed: /m);
    assert.match(done.stderr, said);
    assert.match(
      done.stderr,
      new RegExp(
        `^ {2}webhook ${webhook.name} \\(validatingwebhookconfiguration/${name}\\) cannot be reached at service ${namespace}/${name}: every change that it should see is refused$`,
        'm',
      ),
    );
    assert.match(
      done.stderr,
      new RegExp(
        `its configuration is a left-over: kubectl get validatingwebhookconfiguration ${name} -o yaml`,
      ),
    );
    assert.doesNotMatch(done.stderr, /denies/);
    assert.equal(await versionOf(path), version, 'not changed');
    assert.deepEqual(await admin.get(webhook.path), installed);
  });
}

for (const [how, said] of [
  ['refused', /connection refused/],
  ['silent', /context deadline exceeded/],
] as const) {
  test(`U11: a webhook at an address that is ${how} cannot be reached either; the address is named`, async t => {
    const { namespace, run } = await aPlace(t, plane, everywhere);
    const path = await aHeldConfigMap(namespace);
    const wanted = { name: `dead-${namespace}`, namespace, rules: configMaps, probe: { path }, how };
    const webhook = await createUnreachableWebhook(t, admin, wanted);
    releasedAfter(t, path);
    const version = await versionOf(path);
    const done = await run(freeIt('configmap/held'));
    assert.equal(done.code, 2, done.stderr);
    assert.match(done.stderr, said);
    assert.match(
      done.stderr,
      new RegExp(`webhook ${webhook.name} .* cannot be reached at https://127\\.0\\.0\\.1:\\d+/admit:`),
    );
    assert.equal(await versionOf(path), version, 'not changed');
  });
}

test('U30: a ValidatingAdmissionPolicy that forbids the removal is named with its binding, and the garbage collector is said to be refused too; exit 2', async t => {
  const { namespace, run } = await aPlace(t, plane, everywhere);
  const path = configMapPath(namespace, 'held');
  const name = `keep-${namespace}`;
  await createConfigMap(admin, { namespace, name: 'held', finalizers: [hold] });
  const { policyPath, bindingPath } = await createPolicy(t, admin, {
    name,
    namespace,
    resource: 'configmaps',
    expression:
      '!has(oldObject.metadata.finalizers) || (has(object.metadata.finalizers) && oldObject.metadata.finalizers.all(f, f in object.metadata.finalizers))',
    message: 'finalizers are here to stay',
    probe: { path },
  });
  releasedAfter(t, path);
  const held = await deleteAndHold(admin, path, { propagationPolicy: 'Foreground' });
  assert.deepEqual(held.metadata.finalizers?.toSorted(), ['foregroundDeletion', hold]);
  const policies = [await admin.get(policyPath), await admin.get(bindingPath)];

  const done = await run('unstick configmap/held --stuck-for 0s --yes');
  assert.equal(done.code, 2, done.stderr);
  assert.match(
    done.stderr,
    new RegExp(
      `^configmap/held not changed: .*ValidatingAdmissionPolicy '${name}' with binding '${name}-binding' denied request: finalizers are here to stay$`,
      'm',
    ),
  );
  assert.match(
    done.stderr,
    new RegExp(`^ {2}ValidatingAdmissionPolicy ${name}, bound by ${name}-binding, denies the change$`, 'm'),
  );
  assert.match(done.stderr, /^ {2}the garbage collector has to make the same change, so it is refused too/m);
  assert.deepEqual(
    (await admin.get(path)).metadata.finalizers?.toSorted(),
    ['foregroundDeletion', hold],
    'neither we nor the collector',
  );

  const other = await run(freeIt('configmap/held'));
  assert.equal(other.code, 2, other.stderr);
  assert.match(
    other.stderr,
    new RegExp(`ValidatingAdmissionPolicy ${name}, bound by ${name}-binding, denies the change`),
  );
  assert.doesNotMatch(other.stderr, /the garbage collector has to make/);
  assert.deepEqual([await admin.get(policyPath), await admin.get(bindingPath)], policies);
});

test('U30: a policy that is for some users only, and answers 403, is told apart from a missing right', async t => {
  const { namespace, user, kubeconfig, run } = await aPlace(t, plane, everywhere);
  const by = adminOf(kubeconfig);
  t.after(() => by.destroy());
  const path = await aHeldConfigMap(namespace);
  releasedAfter(t, path);
  const name = `platform-${namespace}`;
  await createPolicy(t, admin, {
    name,
    namespace,
    resource: 'configmaps',
    expression: 'has(object.metadata.finalizers)',
    message: 'the platform removes finalizers, nobody else',
    reason: 'Forbidden',
    onlyFor: { user },
    probe: { path, by },
  });
  const done = await run(freeIt('configmap/held'));
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, /configmap\/held not changed: .*the platform removes finalizers, nobody else/);
  assert.match(done.stderr, new RegExp(`ValidatingAdmissionPolicy ${name}, bound by ${name}-binding`));
  assert.deepEqual((await admin.get(path)).metadata.finalizers, [hold]);
});

test('a mutating webhook that changes Pods on their way in is suspected when the server complains about spec', async t => {
  const { namespace, run } = await aPlace(t, plane, everywhere);
  const path = podPath(namespace, 'p');
  await createPod(admin, { namespace, name: 'p', finalizers: [hold] });
  await deleteAndHold(admin, path);
  const [name, innocent] = [`mutate-${namespace}`, `aside-${namespace}`];
  // of another kind: no suspect
  const aside = await aHeldConfigMap(namespace, 'aside');
  const patch = [{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }];
  await createMutatingWebhook(t, admin, {
    name: innocent,
    namespace,
    rules: configMaps,
    probe: { path: aside },
    patch,
  });
  const webhook = await createMutatingWebhook(t, admin, {
    name,
    namespace,
    rules: [{ apiGroups: [''], resources: ['pods'] }],
    probe: { path },
    patch: [{ op: 'add', path: '/spec/hostNetwork', value: true }],
  });
  releasedAfter(t, path, aside);
  const before = await admin.get(path);
  const done = await run(freeIt('pod/p'));
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, /^pod\/p not changed: .*spec: Forbidden: pod updates may not change fields/m);
  assert.match(
    done.stderr,
    new RegExp(
      `^ {2}something changes the object on its way in, .*Mutating webhooks that see it: mutatingwebhookconfiguration/${name}$`,
      'm',
    ),
  );
  assert.doesNotMatch(done.stderr, new RegExp(innocent));
  assert.equal(webhook.reviews.length, 1);
  assert.deepEqual(await admin.get(path), before);
});

test('one object that is refused does not keep the others: they are freed and seen gone, and exit is 2', async t => {
  const { namespace, run } = await aPlace(t, plane, everywhere);
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) await aHeldConfigMap(namespace, name);
  const path = configMapPath(namespace, 'b');
  await createDenyingWebhook(t, admin, {
    name: `deny-${namespace}`,
    namespace,
    rules: configMaps,
    probe: { path },
    message: 'not b',
    only: ({ name }) => name === 'b',
  });
  releasedAfter(t, ...names.map(name => configMapPath(namespace, name)));
  const done = await run(freeIt('configmaps'));
  assert.equal(done.code, 2, done.stderr);
  const gone = [...done.stdout.matchAll(/^configmap "(\w)" deleted from (\S+) namespace$/gm)];
  assert.deepEqual(gone.map(([, name]) => name).sort(), ['a', 'c', 'd']);
  assert.match(done.stderr, /^configmap\/b not changed: .*not b$/m);
  assert.match(done.stderr, /3 objects freed and gone, 1 failed/);
  const left = await admin.list(configMapPath(namespace));
  assert.deepEqual(
    left
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      .map(({ metadata }) => metadata.name),
    ['b'],
  );
});

test('--dry-run=server meets the webhook too, says who refuses, and changes nothing; exit 2', async t => {
  const { namespace, run } = await aPlace(t, plane, everywhere);
  for (const name of ['a', 'b']) await aHeldConfigMap(namespace, name);
  const [a, b] = [configMapPath(namespace, 'a'), configMapPath(namespace, 'b')];
  const webhook = await createDenyingWebhook(t, admin, {
    name: `deny-${namespace}`,
    namespace,
    rules: configMaps,
    probe: { path: b },
    message: 'not b',
    only: ({ name }) => name === 'b',
  });
  releasedAfter(t, a, b);
  const before = await admin.list(configMapPath(namespace));
  const done = await run(`unstick configmaps --finalizer ${hold} --stuck-for 0s --yes --dry-run=server`);
  assert.equal(done.code, 2, done.stderr);
  assert.match(
    done.stdout,
    new RegExp(`^configmap/a finalizers removed: ${hold} \\(server dry run\\)$`, 'm'),
  );
  assert.match(done.stderr, new RegExp(`^ {2}webhook ${webhook.name} .* denies the change`, 'm'));
  assert.match(done.stderr, /^1 removal would be accepted \(server dry run\), 1 failed /m);
  assert.doesNotMatch(done.stdout, /deleted from/);
  assert.ok(webhook.reviews.length >= 2);
  assert.ok(webhook.reviews.every(review => review.dryRun));
  assert.deepEqual(await admin.list(configMapPath(namespace)), before);
});
