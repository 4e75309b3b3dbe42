// A kind that is no longer served while its objects are still in storage. The namespace controller is stopped meanwhile, because it
// no longer waits for what discovery does not show: the namespace would go within seconds, and leave the objects behind.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import {
  createCustomResource,
  createDefinition,
  customResourcePath,
  type Definition,
} from '../cluster/state/custom-resources.ts';
import { untilGone } from '../cluster/state/finalizers.ts';
import { createNamespace, deleteHeldNamespace, namespacePath } from '../cluster/state/namespaces.ts';
import { deleteAndHold } from '../cluster/state/terminating.ts';
import { until } from '../cluster/until.ts';
import { compareVersions } from '../cluster/versions.ts';
import type { Place } from './operator.ts';
import { aPlaceToUnstick, rowsOf } from './unstick-place.ts';

const plane = await startControlPlane();
after(() => plane.stop());
const { admin } = plane;

const ghosts = { group: 'ghost.test', kind: 'Ghost', plural: 'ghosts' } as const;
const finalizers = ['ghost.test/hold'];

/** As by a hand that strips the clean-up finalizer: the objects stay. */
async function loseDefinition(definition: Definition): Promise<void> {
  await deleteAndHold(admin, definition.path);
  await admin.patch(definition.path, { metadata: { finalizers: null } });
  await untilGone(admin, definition.path);
  await until('the kind to be served no more', 30_000, async () =>
    admin.request('GET', `/apis/${definition.apiVersion}`).then(
      () => false,
      () => true,
    ),
  );
}

/** What is said and done while the kind is not served. */
async function assertOutOfReach({
  legacy,
  user,
  run,
}: Pick<Place, 'user' | 'run'> & { readonly legacy: string }): Promise<void> {
  const trail = await auditTrail(plane);
  const looked = await run(`unstick -n ${legacy} --yes --stuck-for 0s`);
  assert.equal(looked.code, 0, looked.stderr);
  const rows = rowsOf(looked.stdout, `namespace/${legacy}`);
  assert.match(rows, /its conditions name ghosts\.ghost\.test, which is no longer served/);
  assert.match(rows, /bring the definition back/);
  const named = await run(`unstick namespace/${legacy} --all-finalizers --yes --stuck-for 0s`);
  assert.equal(named.code, 3, named.stderr);
  const kind = await run(`unstick ghost/g -n ${legacy} --yes`);
  assert.equal(kind.code, 1, kind.stderr);
  assert.match(kind.stderr, /the server doesn't have a resource type "ghost"/);
  assert.deepEqual(await trail.events({ verbs: ['patch', 'update'], user }), []);
}

test('U26: what a namespace waits for is of a kind that is no longer served: that is said, and how to reach it', async t => {
  const { namespace, user, run } = await aPlaceToUnstick(t, plane);
  const legacy = `${namespace}-legacy`;
  const definition = await createDefinition(admin, ghosts);
  await createNamespace(admin, { name: legacy });
  await createCustomResource(admin, definition, { namespace: legacy, name: 'g', finalizers });
  await deleteHeldNamespace(admin, legacy);
  await plane.stopControllerManager();
  await loseDefinition(definition);

  try {
    await assertOutOfReach({ legacy, user, run });
  } finally {
    await plane.startControllerManager();
  }

  // the advice is good: with the definition back the object is reached, and the namespace goes
  await createDefinition(admin, ghosts);
  const done = await run(`unstick namespace/${legacy} --all-finalizers --yes --stuck-for 0s`);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await admin.find(namespacePath(legacy)), undefined);
  assert.deepEqual(await admin.list(customResourcePath(definition)), []);
  await admin.delete(definition.path);
  await untilGone(admin, definition.path);
});

test('U26: with the controller running the namespace goes by itself; what it left in storage is freed once it is served again', async t => {
  const { namespace, run } = await aPlaceToUnstick(t, plane);
  const legacy = `${namespace}-legacy`;
  const definition = await createDefinition(admin, ghosts);
  await createNamespace(admin, { name: legacy });
  await createCustomResource(admin, definition, { namespace: legacy, name: 'g', finalizers });
  await deleteHeldNamespace(admin, legacy);
  await loseDefinition(definition);
  await untilGone(admin, namespacePath(legacy), 60_000);

  await createDefinition(admin, ghosts);
  const looked = await run('unstick ghosts -A --stuck-for 0s');
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(looked.stdout, new RegExp(`^${legacy} +\\d+\\w* +ghost\\.ghost\\.test/g `, 'm'));
  const free = `unstick ghost/g -n ${legacy} --finalizer ghost.test/hold --yes --stuck-for 0s`;
  if (compareVersions(plane.version, '1.37') < 0) {
    // these change nothing in a namespace that is not there
    const refused = await run(free);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(
      refused.stderr,
      new RegExp(`its namespace is gone: create it \\(kubectl create namespace ${legacy}\\)`),
    );
    await createNamespace(admin, { name: legacy });
  }
  const done = await run(free);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(await admin.list(customResourcePath(definition)), []);
});
