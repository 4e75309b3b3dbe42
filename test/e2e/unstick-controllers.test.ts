// Finalizers of somebody's controller: is it gone, stopped, alive, failing, or not to be told; and what a removal costs.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { collection } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import {
  createCustomResource,
  customResourcePath,
  type Definition,
} from '../cluster/state/custom-resources.ts';
import { createEvent } from '../cluster/state/events.ts';
import { releaseObject, untilGone } from '../cluster/state/finalizers.ts';
import { createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { createLease } from '../cluster/state/leases.ts';
import { createPod } from '../cluster/state/pods.ts';
import { allowIn } from '../cluster/state/roles.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { createDeployment } from '../cluster/state/workloads.ts';
import { until } from '../cluster/until.ts';
import {
  aDefinition,
  aPlaceToUnstick,
  aStuckResource,
  readEverything,
  rowsOf,
  unstickRules,
} from './unstick-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

/** A kind whose group, and so the words that its controller is looked for by, no other test has. */
const aKind = (t: TestContext, group: string, kind: string): Promise<Definition> =>
  aDefinition(t, plane, { group, kind, plural: `${kind.toLowerCase()}s` });

const finalizersOf = async (definition: Definition, namespace: string, name: string) =>
  (await admin.get(customResourcePath(definition, namespace, name))).metadata.finalizers;

test('U05: an object of an operator that is not there is freed by its name, and what may be left outside is said', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const definition = await aKind(t, 'gadgetry.test', 'Gadget');
  const held = await aStuckResource(t, plane, definition, {
    namespace,
    name: 'w1',
    finalizers: ['gadgetry.test/cleanup'],
  });
  const looked = await run('unstick --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  const rows = rowsOf(looked.stdout, 'gadget.gadgetry.test/w1');
  assert.match(rows, /gadgetry\.test\/cleanup +no controller .*was found \(nothing called gadgetry/);
  assert.match(rows, /removing it: something outside of the cluster may be left behind/);
  const command = `unstick gadget.gadgetry.test/w1 -n ${namespace} --finalizer gadgetry.test/cleanup`;
  assert.ok(looked.stdout.includes(`1 can be freed:\n  kubectl jobctl ${command}\n`), looked.stdout);

  const unnamed = await run('unstick gadget/w1 --yes --stuck-for 0s');
  assert.equal(unnamed.code, 3, unnamed.stderr);
  assert.match(unnamed.stderr, /error: nothing was changed: it is not proven/);

  const trail = await auditTrail(plane);
  const done = await run(`${command} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /removing it: something outside of the cluster may be left behind/);
  assert.equal(await admin.find(customResourcePath(definition, namespace, 'w1')), undefined);
  const [patch, ...more] = await trail.atLeast(1, { verbs: ['patch'], user });
  const { resourceVersion } = held.metadata;
  assert.deepEqual(patch?.requestObject, { metadata: { finalizers: [], resourceVersion } });
  assert.deepEqual(more, []);
});

test('U06: what a controller that is installed again would do to the pending deletions is said, with their number', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const definition = await aKind(t, 'database.test', 'Mysql');
  const finalizers = ['finalizer.managedresource.crossplane.io'];
  for (const name of ['orders', 'users', 'billing'])
    await aStuckResource(t, plane, definition, { namespace, name, finalizers });
  const looked = await run('unstick --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(
    looked.stdout,
    /beware: a controller for finalizer\.managedresource\.crossplane\.io that is installed again carries out the pending deletion of 3 objects above, and of what stands behind them\./,
  );
  assert.ok(looked.stdout.includes('the external resource stays and is billed'), looked.stdout);
  assert.ok(!/reinstall|install it again/i.test(looked.stdout), looked.stdout);
});

test('U06: the warning is given for an unknown finalizer too, whose controller would do the same', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const definition = await aKind(t, 'warehouse.test', 'Shelf');
  for (const name of ['orders', 'users', 'billing'])
    await aStuckResource(t, plane, definition, { namespace, name, finalizers: ['warehouse.test/cleanup'] });
  const looked = await run('unstick --stuck-for 0s');
  assert.match(looked.stdout, /installed again carries out the pending deletion of 3 objects/);
});

test('U07: an object of KEDA is freed without being told how where no KEDA runs; its running Jobs are counted and go', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const definition = await aKind(t, 'scaling.test', 'ScaledJob');
  const path = customResourcePath(definition, namespace, 'queue');
  const scaled = await createCustomResource(admin, definition, {
    namespace,
    name: 'queue',
    finalizers: ['finalizer.keda.sh'],
  });
  t.after(() => releaseObject(admin, path));
  for (const name of ['queue-a', 'queue-b'])
    await createRunningJob(admin, { name, namespace, owner: scaled });
  await deleteAndHold(admin, path);
  const looked = await run('unstick --stuck-for 0s');
  const rows = rowsOf(looked.stdout, 'scaledjob.scaling.test/queue');
  assert.match(rows, /finalizer\.keda\.sh +controller gone: no KEDA runs here/);
  assert.match(rows, /2 running Jobs of it will end/);
  const done = await run('unstick scaledjob/queue --yes --stuck-for 0s');
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await admin.find(path), undefined);
  for (const name of ['queue-a', 'queue-b']) await untilGone(admin, jobPath(namespace, name), 60_000);
});

test('U27: a controller that is alive and fails is left to its work, with its evidence; its name frees it', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const definition = await aKind(t, 'flows.test', 'Workflow');
  const finalizers = ['workflows.argoproj.io/artifact-gc'];
  const path = customResourcePath(definition, namespace, 'etl');
  await createLease(admin, { namespace, name: 'workflow-controller', holder: 'wc-0', renewed: '0s' });
  const workflow = await createCustomResource(admin, definition, { namespace, name: 'etl', finalizers });
  t.after(() => releaseObject(admin, path));
  await createPod(admin, { namespace, name: 'etl-artgc', phase: 'Failed', owner: workflow });
  await deleteAndHold(admin, path);
  const trail = await auditTrail(plane);

  const failing = await run('unstick workflow/etl --yes --all-finalizers --stuck-for 0s');
  assert.equal(failing.code, 3, failing.stderr);
  assert.match(
    rowsOf(failing.stderr, 'workflow.flows.test/etl'),
    /controller alive: lease \S+\/workflow-controller renewed \d+s ago; failing: see pod\/etl-artgc/,
  );
  await createEvent(admin, workflow, { reason: 'ArtifactGCFailed', message: 'the bucket says no' });
  const warned = await run('unstick --yes --stuck-for 0s');
  assert.equal(warned.code, 0, warned.stderr);
  const rows = rowsOf(warned.stdout, 'workflow.flows.test/etl');
  assert.match(rows, /last warning since the deletion: ArtifactGCFailed: the bucket says no/);
  assert.match(
    rows,
    /see what fails; --finalizer workflows\.argoproj\.io\/artifact-gc removes it all the same/,
  );
  assert.deepEqual(await trail.events({ verbs: ['patch'], user }), []);

  const done = await run(`unstick workflow/etl --finalizer ${finalizers} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /removing it: the artifacts stay in the bucket/);
  assert.equal(await admin.find(path), undefined);
});

/** Argo CD's own kind, in the version that it has: no other test makes it. */
async function applications(t: TestContext): Promise<Definition> {
  const [group, version, kind, plural] = ['argoproj.io', 'v1alpha1', 'Application', 'applications'];
  const apiVersion = `${group}/${version}`;
  const all = collection('apiextensions.k8s.io/v1', 'customresourcedefinitions');
  const name = `${plural}.${group}`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await admin.create(all, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, storage: true, served: true, schema }],
    },
  });
  t.after(() => admin.delete(`${all}/${name}`));
  await until('applications to be served', 30_000, async () => admin.list(collection(apiVersion, plural)));
  return { name, path: `${all}/${name}`, apiVersion, kind, plural, scope: 'Namespaced' };
}

test('U28: of an Application whose controller is gone it is said how many managed objects will stay', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const definition = await applications(t);
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  const path = customResourcePath(definition, namespace, 'shop');
  await aStuckResource(t, plane, definition, { namespace, name: 'shop', finalizers });
  const resources = Array.from({ length: 12 }, (_, at) => ({
    kind: 'ConfigMap',
    name: `c${at}`,
    version: 'v1',
  }));
  await admin.patch(path, { status: { resources } });
  const looked = await run('unstick --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  const stays = /removing it: the managed objects stay: nothing deletes them \(12 managed objects of it\)/;
  const rows = rowsOf(looked.stdout, 'application.argoproj.io/shop');
  assert.match(rows, stays);
  assert.match(rows, /Argo CD/);
  const done = await run(`unstick application/shop --finalizer ${finalizers} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(rowsOf(done.stderr, 'application.argoproj.io/shop'), stays);
  assert.equal(await admin.find(path), undefined);
});

test('a controller that is scaled to nothing is told as stopped; a stale lease tells when it was last there', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const stopped = await aKind(t, 'fridges.test', 'Fridge');
  const stale = await aKind(t, 'ovens.test', 'Oven');
  await createDeployment(admin, { namespace, name: 'fridges-operator', replicas: 0 });
  await createLease(admin, { namespace, name: 'ovens-operator', holder: 'ovens-0', renewed: '2h' });
  await aStuckResource(t, plane, stopped, { namespace, name: 'f', finalizers: ['fridges.test/thaw'] });
  await aStuckResource(t, plane, stale, { namespace, name: 'o', finalizers: ['ovens.test/cool'] });
  const looked = await run('unstick --yes --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  const fridge = rowsOf(looked.stdout, 'fridge.fridges.test/f');
  assert.match(
    fridge,
    /its controller does not run: deployment\.apps\/fridges-operator in \S+ is scaled to 0/,
  );
  assert.match(fridge, /let it run again; or --finalizer fridges\.test\/thaw removes it/);
  const oven = rowsOf(looked.stdout, 'oven.ovens.test/o');
  assert.match(oven, /no controller .*was found.*; lease \S+\/ovens-operator was last renewed 120m ago/);
  assert.deepEqual(await finalizersOf(stopped, namespace, 'f'), ['fridges.test/thaw']);
});

test('the words of a kind of Kubernetes itself lead to nobody: an ingress controller is not the one of a strange finalizer', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  await createDeployment(admin, { namespace, name: 'ingress-nginx-controller' });
  const ingresses = collection('networking.k8s.io/v1', 'ingresses', namespace);
  const finalizers = ['strangers.test/hold'];
  const defaultBackend = { service: { name: 'none', port: { number: 80 } } };
  await admin.create(ingresses, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', finalizers },
    spec: { defaultBackend },
  });
  t.after(() => releaseObject(admin, `${ingresses}/web`));
  await deleteAndHold(admin, `${ingresses}/web`);
  const looked = await run('unstick --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(
    rowsOf(looked.stdout, 'ingress.networking.k8s.io/web'),
    /no controller .*was found \(nothing called strangers runs here\)/,
  );
});

test('without the right to see leases and workloads no controller is called gone, and nothing is stripped unnamed', async t => {
  const definition = await aKind(t, 'blind.test', 'Mole');
  const rules = [
    { apiGroups: ['blind.test', 'batch'], resources: ['*'], verbs: ['get', 'list', 'patch'] },
    { apiGroups: [''], resources: ['*'], verbs: ['get', 'list'] },
  ];
  const { namespace, run } = await aPlaceToUnstick(t, plane, rules);
  const finalizers = ['finalizer.keda.sh'];
  await aStuckResource(t, plane, definition, { namespace, name: 'm', finalizers });
  const done = await run('unstick mole/m --yes --stuck-for 0s');
  assert.equal(done.code, 3, done.stderr);
  assert.match(
    rowsOf(done.stderr, 'mole.blind.test/m'),
    /whether KEDA runs cannot be told: leases and deployments cannot be read/,
  );
  assert.match(done.stderr, /not readable: leases(\.coordination\.k8s\.io)?: .*forbidden/i);
  assert.match(done.stderr, /not readable: deployments(\.apps)?: .*forbidden/i);
  assert.deepEqual(await finalizersOf(definition, namespace, 'm'), finalizers);
});

test('the finalizer of a load balancer tells what is left behind, and is not taken for that of a controller that is gone', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const path = `${collection('v1', 'services', namespace)}/web`;
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  await admin.create(collection('v1', 'services', namespace), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', finalizers },
    spec: { ports: [{ port: 80 }] },
  });
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path);
  const left = await run('unstick service/web --yes --stuck-for 0s');
  assert.equal(left.code, 3, left.stderr);
  assert.match(
    rowsOf(left.stderr + left.stdout, 'service/web'),
    /no controller of .* was found[\s\S]*removing it: .*load balancer/,
  );
  assert.deepEqual((await admin.get(path)).metadata.finalizers, finalizers);
  const done = await run(`unstick service/web --finalizer ${finalizers[0]} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await admin.find(path), undefined);
});

test('U24: live objects that carry the finalizer are counted and not touched', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const definition = await aKind(t, 'signing.test', 'TaskRun');
  const finalizers = ['chains.tekton.dev'];
  for (let at = 0; at < 20; at += 1) {
    const path = customResourcePath(definition, namespace, `live-${at}`);
    await createCustomResource(admin, definition, { namespace, name: `live-${at}`, finalizers });
    t.after(() => releaseObject(admin, path));
  }
  await aStuckResource(t, plane, definition, { namespace, name: 'stuck', finalizers });
  const trail = await auditTrail(plane);
  const done = await run('unstick --finalizer chains.tekton.dev --yes --stuck-for 0s');
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stderr,
    /chains\.tekton\.dev is also on 20 objects \(taskruns\.signing\.test\) that nobody deletes/,
  );
  assert.equal(await admin.find(customResourcePath(definition, namespace, 'stuck')), undefined);
  const patched = await trail.events({ verbs: ['patch'], user });
  assert.deepEqual(
    patched.map(({ objectRef }) => objectRef?.name),
    ['stuck'],
  );
});

test('U25: where the right to patch is missing that is said with the resource and the namespace; the others are freed', async t => {
  const definition = await aKind(t, 'fences.test', 'Fence');
  const allowed = await aPlaceToUnstick(t, plane, [readEverything]);
  const denied = await aPlaceToUnstick(t, plane, [readEverything]);
  const { user, run } = allowed;
  await allowIn(admin, allowed.namespace, { user, name: 'patcher', rules: unstickRules });
  const finalizers = ['fences.test/paint'];
  for (const { namespace } of [allowed, denied])
    await aStuckResource(t, plane, definition, { namespace, name: 'f', finalizers });
  const trail = await auditTrail(plane);
  const done = await run(`unstick fences -A --finalizer ${finalizers} --yes --stuck-for 0s`);
  assert.match(done.stderr, new RegExp(`you may not patch fences\\.fences\\.test in ${denied.namespace}`));
  assert.equal(await admin.find(customResourcePath(definition, allowed.namespace, 'f')), undefined);
  assert.deepEqual(await finalizersOf(definition, denied.namespace, 'f'), finalizers);
  assert.deepEqual(
    (await trail.events({ verbs: ['patch'], user })).map(({ objectRef, code }) => [
      objectRef?.namespace,
      code,
    ]),
    [[allowed.namespace, 200]],
  );
  assert.equal(done.code, 2, done.stderr);
});

test('U25: a role that allows some names only frees those, and says so of the others', async t => {
  const definition = await aKind(t, 'doors.test', 'Door');
  const { namespace, user, run } = await aPlaceToUnstick(t, plane, [readEverything]);
  const rule = { apiGroups: ['doors.test'], resources: ['doors'], verbs: ['patch'], resourceNames: ['mine'] };
  await allowIn(admin, namespace, { user, name: 'patcher', rules: [rule] });
  const finalizers = ['doors.test/lock'];
  for (const name of ['mine', 'theirs'])
    await aStuckResource(t, plane, definition, { namespace, name, finalizers });
  const done = await run(`unstick door mine theirs --finalizer ${finalizers} --yes --stuck-for 0s`);
  assert.equal(done.code, 2, done.stderr);
  assert.match(rowsOf(done.stderr, 'door.doors.test/theirs'), /you may not patch doors/);
  assert.equal(await admin.find(customResourcePath(definition, namespace, 'mine')), undefined);
  assert.deepEqual(await finalizersOf(definition, namespace, 'theirs'), finalizers);
});

test('C11: a 64-bit number and a micro-second time are byte for byte the same after a finalizer was removed', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const definition = await aKind(t, 'numbers.test', 'Number');
  const path = customResourcePath(definition, namespace, 'big');
  const spec =
    '{"big":9007199254740993,"least":-9223372036854775808,"nothing":null,"share":1.10,"when":"2026-01-02T03:04:05.123456Z"}';
  const metadata = `{"name":"big","namespace":"${namespace}","finalizers":["numbers.test/keep","numbers.test/strip"]}`;
  const body = `{"apiVersion":"${definition.apiVersion}","kind":"Number","metadata":${metadata},"spec":${spec}}`;
  await kubectl(plane, ['create', '--raw', customResourcePath(definition, namespace), '-f', '-'], body);
  t.after(() => releaseObject(admin, path));
  await deleteAndHold(admin, path);
  const specNow = async () => {
    const text = await kubectl(plane, ['get', '--raw', path]);
    return text.slice(text.indexOf('"spec":'));
  };
  const before = await specNow();
  assert.ok(before.includes('9007199254740993') && before.includes('05.123456Z'), before);
  const done = await run('unstick number/big --finalizer numbers.test/strip --yes --stuck-for 0s');
  assert.equal(done.code, 2, done.stderr);
  assert.deepEqual(await finalizersOf(definition, namespace, 'big'), ['numbers.test/keep']);
  assert.equal(await specNow(), before);
});

test('C12: a name with capitals is the object itself: its neighbour in small letters is not touched', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const [upper, lower] = [`Batch-Admin-${namespace}`, `batch-admin-${namespace}`];
  const roles = collection('rbac.authorization.k8s.io/v1', 'clusterroles');
  const finalizers = ['capitals.test/hold'];
  for (const name of [upper, lower]) {
    await admin.create(roles, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name, finalizers },
      rules: [],
    });
    t.after(async () => {
      await admin.delete(`${roles}/${name}`);
      await releaseObject(admin, `${roles}/${name}`);
    });
  }
  await deleteAndHold(admin, `${roles}/${upper}`);
  const before = await admin.get(`${roles}/${lower}`);
  const trail = await auditTrail(plane);
  const done = await run(`unstick clusterrole/${upper} --finalizer ${finalizers} --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await admin.find(`${roles}/${upper}`), undefined);
  assert.deepEqual(await admin.get(`${roles}/${lower}`), before);
  assert.deepEqual(
    (await trail.events({ verbs: ['patch'], user })).map(({ objectRef }) => objectRef?.name),
    [upper],
  );
});
