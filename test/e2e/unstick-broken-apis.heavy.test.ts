// APIs that do not answer: a conversion webhook that is down, an aggregated API whose server is gone. They hinder the end of every
// namespace, so each test has a control plane of its own.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Admin, collection } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { type ControlPlane, startControlPlane } from '../cluster/control-plane.ts';
import { aNamespace } from '../cluster/shared.ts';
import { createDeadApiService } from '../cluster/state/api-services.ts';
import {
  createCustomResource,
  createDefinition,
  customResourcePath,
  type Definition,
} from '../cluster/state/custom-resources.ts';
import { configMapPath, createConfigMap } from '../cluster/state/finalizers.ts';
import { createNamespace, namespaceConditions, namespacePath } from '../cluster/state/namespaces.ts';
import type { Rule } from '../cluster/state/roles.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { until } from '../cluster/until.ts';
import { aPlace } from './operator.ts';

const rules: readonly Rule[] = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'patch'] }];
const everywhere = { rules, everywhere: true };
const hold = 'broken.test/hold';
const young = '--stuck-for 0s';
const yes = `${young} --yes`;

async function aPlaneOfItsOwn(t: TestContext): Promise<ControlPlane> {
  const plane = await startControlPlane();
  t.after(() => plane.stop());
  return plane;
}

const group = 'broken.example.test';

/** Stored as v1beta1; v1, which the server prefers, cannot be read. */
const brokenDefinition = (admin: Admin): Promise<Definition> =>
  createDefinition(admin, { group, kind: 'Widget', plural: 'widgets', conversionIsDown: true });

async function aStuckWidget(
  admin: Admin,
  definition: Definition,
  namespace: string,
  name = 'w',
): Promise<string> {
  const path = customResourcePath(definition, namespace, name);
  await createCustomResource(admin, definition, { name, namespace, finalizers: [hold] });
  await deleteAndHold(admin, path);
  return path;
}

async function aStuckConfigMap(admin: Admin, namespace: string): Promise<string> {
  const path = configMapPath(namespace, 'c');
  await createConfigMap(admin, { namespace, name: 'c', finalizers: [hold] });
  await deleteAndHold(admin, path);
  return path;
}

/** Its only version is then the one that has to be converted to. */
async function stopServingStored(admin: Admin, definition: Definition): Promise<void> {
  const { spec } = await admin.get(definition.path);
  const versions = (spec?.['versions'] ?? []) as readonly { readonly name: string }[];
  await admin.patch(definition.path, {
    spec: { versions: versions.map(one => ({ ...one, served: one.name === 'v1' })) },
  });
  await until(
    'v1beta1 to be served no more',
    30_000,
    async () => (await admin.find(`/apis/${group}/v1beta1`).catch(() => undefined)) === undefined,
  );
  await until('v1 to fail', 30_000, () =>
    admin.list(collection(`${group}/v1`, 'widgets')).then(
      () => false,
      (error: Error) => /conversion webhook/.test(error.message),
    ),
  );
}

test('U12: a kind whose preferred version cannot be converted is scanned, found by name and freed through the version in which it is stored', async t => {
  const plane = await aPlaneOfItsOwn(t);
  const { admin } = plane;
  const definition = await brokenDefinition(admin);
  const { namespace, user, run } = await aPlace(t, plane, everywhere);
  const widget = await aStuckWidget(admin, definition, namespace);
  const config = await aStuckConfigMap(admin, namespace);

  const scan = await run(`unstick ${young}`);
  assert.equal(scan.code, 0, scan.stderr);
  assert.match(scan.stdout, /^\S+ +widget.broken.example.test\/w +broken.test\/hold /m);
  assert.match(scan.stdout, /^\S+ +configmap\/c +broken.test\/hold /m, 'the scan goes on');
  assert.match(
    scan.stdout,
    new RegExp(
      `^customresourcedefinition/widgets.${group} is read and written as v1beta1: v1 needs conversion webhook https://127.0.0.1:1/convert, which does not answer`,
      'm',
    ),
  );
  assert.doesNotMatch(scan.stdout + scan.stderr, /widgets\S* (?:is|are) not shown|not readable/);

  const named = await run(`unstick widget/w ${young} --dry-run`);
  assert.equal(named.code, 0, named.stderr);
  assert.match(named.stdout, /^\S+ +widget.broken.example.test\/w +broken.test\/hold /m);

  const trail = await auditTrail(plane);
  const done = await run(`unstick widget/w --finalizer ${hold} ${yes}`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^widget.broken.example.test "w" deleted from /m);
  assert.equal(await admin.find(widget), undefined);
  const [patch, ...more] = await trail.atLeast(1, { user, verbs: ['patch'] });
  assert.deepEqual(more, []);
  assert.match(patch?.requestURI ?? '', new RegExp(`^/apis/${group}/v1beta1/`));
  assert.ok(await admin.find(config), 'the other was not named');
});

test('U12: an object of such a kind is freed by a scan of the whole cluster too, with all others', async t => {
  const plane = await aPlaneOfItsOwn(t);
  const { admin } = plane;
  const definition = await brokenDefinition(admin);
  const { namespace, run } = await aPlace(t, plane, everywhere);
  const other = await aNamespace(t, plane);
  const paths = [
    await aStuckWidget(admin, definition, namespace),
    await aStuckWidget(admin, definition, other),
    await aStuckConfigMap(admin, other),
  ];
  const done = await run(`unstick -A --finalizer ${hold} ${yes}`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /3 objects freed and gone, 0 failed/);
  for (const path of paths) assert.equal(await admin.find(path), undefined, path);
});

test('U12: where no version works, a scan names the kind, its definition and the conversion service, and goes on; by name it is exit 1', async t => {
  const plane = await aPlaneOfItsOwn(t);
  const { admin } = plane;
  const definition = await brokenDefinition(admin);
  const { namespace, user, run } = await aPlace(t, plane, everywhere);
  await aStuckWidget(admin, definition, namespace);
  await aStuckConfigMap(admin, namespace);
  await stopServingStored(admin, definition);

  const trail = await auditTrail(plane);
  const scan = await run(`unstick ${young}`);
  assert.equal(scan.code, 0, scan.stderr);
  assert.match(scan.stdout, /^\S+ +configmap\/c +broken.test\/hold /m, 'the scan goes on');
  assert.match(
    scan.stdout,
    new RegExp(
      `customresourcedefinition/widgets.${group}: its objects cannot be read in any served version, conversion webhook https://127.0.0.1:1/convert does not answer`,
    ),
  );
  const kinds = await run(`unstick widgets ${young}`);
  assert.equal(kinds.code, 1, kinds.stdout);
  const named = await run(`unstick widget/w --finalizer ${hold} ${yes}`);
  assert.equal(named.code, 1, named.stdout);
  for (const { stderr } of [kinds, named]) {
    assert.match(stderr, /conversion webhook for broken.example.test\/v1beta1, Kind=Widget failed/);
    assert.match(
      stderr,
      new RegExp(
        `No served version of customresourcedefinition/widgets.${group} can be read: its conversion webhook https://127.0.0.1:1/convert has to answer first`,
      ),
    );
  }
  assert.deepEqual(await trail.events({ user, verbs: ['patch', 'update', 'delete'] }), []);
});

test('U12: a namespace that waits for such objects says which they are, and goes when they are freed in it and the webhook hinders nobody any more', async t => {
  const plane = await aPlaneOfItsOwn(t);
  const { admin } = plane;
  const definition = await brokenDefinition(admin);
  const { run } = await aPlace(t, plane, everywhere);
  await createNamespace(admin, { name: 'stuck' });
  const widget = await aStuckWidget(admin, definition, 'stuck');
  await admin.delete(namespacePath('stuck'));
  await until('the namespace to say that it fails', 60_000, async () =>
    namespaceConditions(await admin.get(namespacePath('stuck'))).some(
      ({ status, message }) => status === 'True' && /conversion webhook/.test(message),
    ),
  );
  const look = await run(`unstick namespace/stuck ${young} --dry-run`);
  assert.match(
    look.stdout,
    /namespace\/stuck +kubernetes +waits for what is in it: .*1 widgets.broken.example.test/,
  );
  assert.match(look.stdout, /conversion webhook/);
  assert.match(look.stdout, /^(?:\S+ +)?\S+ +widget.broken.example.test\/w +broken.test\/hold /m);

  const done = await run(`unstick widget/w -n stuck --finalizer ${hold} ${yes}`);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await admin.find(widget), undefined);
  // nothing is left to be converted
  await until(
    'the namespace to go',
    60_000,
    async () => (await admin.find(namespacePath('stuck'))) === undefined,
  );
});

test('a dead aggregated API is named where it keeps a namespace from going, and a scan goes on in spite of it', async t => {
  const plane = await aPlaneOfItsOwn(t);
  const { admin } = plane;
  const { namespace, run } = await aPlace(t, plane, everywhere);
  await aStuckConfigMap(admin, namespace);
  await createNamespace(admin, { name: 'stuck' });
  const service = await createDeadApiService(admin, { group: 'dead.example.test' });
  await admin.delete(namespacePath('stuck'));
  await until('the namespace to say that discovery fails', 60_000, async () =>
    namespaceConditions(await admin.get(namespacePath('stuck'))).some(
      ({ type, status }) => type === 'NamespaceDeletionDiscoveryFailure' && status === 'True',
    ),
  );

  const look = await run(`unstick namespace/stuck ${young}`);
  const said = look.stdout + look.stderr;
  assert.match(
    said,
    /namespace\/stuck +kubernetes +what is left in it is not known: .*dead.example.test\/v1/,
    'its own condition',
  );
  assert.match(
    said,
    /the API that does not answer has to come back or be removed; the namespace goes by itself then/,
  );
  assert.match(
    said,
    new RegExp(
      `^apiservice\\S*/${service.metadata.name} may keep the garbage collector and the namespace controller from working`,
      'm',
    ),
  );
  assert.match(said, /^API group dead.example.test does not answer/m);
  assert.doesNotMatch(said, /will be removed|^\d+ can be freed/m);
  assert.equal(look.code, 3, said);

  for (const words of [`unstick ${young}`, `unstick -A ${young}`]) {
    const scan = await run(words);
    assert.equal(scan.code, 0, scan.stderr);
    assert.match(scan.stdout, /configmap\/c +broken.test\/hold /);
    assert.match(scan.stdout, /^API group dead.example.test does not answer/m);
  }
  assert.match(
    (await run(`unstick -A ${young}`)).stdout,
    /namespace\/stuck +kubernetes +what is left in it is not known/,
  );

  const done = await run(`unstick configmap/c --finalizer ${hold} ${yes}`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^configmap "c" deleted from /m);

  // the advice is right
  await admin.delete(`/apis/apiregistration.k8s.io/v1/apiservices/${service.metadata.name}`);
  await until(
    'the namespace to go',
    60_000,
    async () => (await admin.find(namespacePath('stuck'))) === undefined,
  );
});

test('both at once: a scan of the whole cluster shows what is stuck elsewhere, and names both', async t => {
  const plane = await aPlaneOfItsOwn(t);
  const { admin } = plane;
  const definition = await brokenDefinition(admin);
  const { namespace, run } = await aPlace(t, plane, everywhere);
  const paths = [await aStuckWidget(admin, definition, namespace), await aStuckConfigMap(admin, namespace)];
  await createDeadApiService(admin, { group: 'dead.example.test' });
  const scan = await run(`unstick -A ${young}`);
  assert.equal(scan.code, 0, scan.stderr);
  for (const what of [
    /widget.broken.example.test\/w +broken.test\/hold /,
    /configmap\/c +broken.test\/hold /,
  ])
    assert.match(scan.stdout, what);
  assert.match(scan.stdout, /^API group dead.example.test does not answer/m);
  assert.match(scan.stdout, /is read and written as v1beta1: v1 needs conversion webhook/);
  const done = await run(`unstick -A --finalizer ${hold} ${yes}`);
  assert.equal(done.code, 0, done.stderr);
  for (const path of paths) assert.equal(await admin.find(path), undefined, path);
});
