// What a PATCH does: the merge of finalizers, its preconditions, and what a terminating object allows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fields, KubeObject } from '../cluster/admin.ts';
import { collection } from '../cluster/admin.ts';
import { configMapPath, createConfigMap } from '../cluster/state/finalizers.ts';
import { deleting, type PlaceOf, refOf, refusalOf, releaseAfter, type Scene, sceneOf } from './place.ts';

const ours = 'example.com/ours';
const theirs = 'example.com/theirs';

interface Held extends Scene {
  readonly made: KubeObject;
  readonly path: string;
}

async function aHeldMap(
  t: Parameters<PlaceOf>[0],
  placeOf: PlaceOf,
  finalizers: readonly string[],
): Promise<Held> {
  const scene = await sceneOf(t, placeOf);
  const { admin, namespace } = scene;
  const path = configMapPath(namespace, 'm');
  const made = await createConfigMap(admin, { name: 'm', namespace, finalizers });
  releaseAfter(t, admin, path);
  return { ...scene, made, path };
}

const finalizersTo = (finalizers: readonly string[] | null) => ({ metadata: { finalizers } });

export function askAboutPatches(placeOf: PlaceOf): void {
  test('a patch of finalizers replaces the whole list and nothing else', async t => {
    const { writer, kind, made, admin, path } = await aHeldMap(t, placeOf, [ours, theirs]);
    const target = refOf(await kind('', 'ConfigMap'), made);
    assert.equal((await writer.patchObject(target, finalizersTo([theirs]))).state, 'done');
    const now = await admin.get(path);
    assert.deepEqual(now.metadata.finalizers, [theirs]);
    assert.equal(now.metadata.uid, made.metadata.uid);
    assert.notEqual(now.metadata.resourceVersion, made.metadata.resourceVersion);
  });

  test('a finalizer that another client adds in between is never lost', async t => {
    const { writer, kind, made, admin, path } = await aHeldMap(t, placeOf, [ours]);
    await admin.patch(path, finalizersTo([ours, theirs]));
    const written = await writer.patchObject(refOf(await kind('', 'ConfigMap'), made), finalizersTo(null));
    assert.ok(written.state === 'failed');
    assert.equal(written.problem.code, 'changed-since-read');
    assert.match(
      written.problem.text,
      /^Error from server \(Conflict\): Operation cannot be fulfilled on configmaps "m": the object has been modified/,
    );
    assert.deepEqual((await admin.get(path)).metadata.finalizers, [ours, theirs]);
  });

  test('a patch whose resourceVersion is right and whose uid is wrong is invalid', async t => {
    const { admin, path } = await aHeldMap(t, placeOf, [ours]);
    const refused = await refusalOf(admin.patch(path, { metadata: { uid: 'another', finalizers: null } }));
    assert.equal(refused.status, 422);
    assert.match(refused.message, /metadata\.uid: Invalid value: "another": field is immutable/);
  });

  test('null takes a field away, and what the patch does not name stays', async t => {
    const { writer, kind, admin, path, made } = await aHeldMap(t, placeOf, [ours]);
    const more: Fields = { metadata: { annotations: { a: '1', b: '2' } }, data: { x: 'y' } };
    const target = refOf(await kind('', 'ConfigMap'), await admin.patch(path, more));
    await writer.patchObject(target, { metadata: { annotations: { a: null } } });
    const now = await admin.get(path);
    assert.deepEqual(now.metadata.annotations, { b: '2' });
    assert.deepEqual(now.data, { x: 'y' });
    assert.deepEqual(now.metadata.finalizers, made.metadata.finalizers);
  });

  test('U01: a terminating object goes with its last finalizer', async t => {
    const { writer, kind, made, admin, path } = await aHeldMap(t, placeOf, [ours, theirs]);
    const configMap = await kind('', 'ConfigMap');
    const held = await writer.deleteObject(deleting(refOf(configMap, made)));
    assert.ok(held.state === 'held');
    assert.equal((await writer.patchObject(held.object.ref, finalizersTo([theirs]))).state, 'done');
    assert.equal(
      (await writer.patchObject(refOf(configMap, await admin.get(path)), finalizersTo([]))).state,
      'done',
    );
    assert.equal(await admin.find(path), undefined);
    assert.equal((await writer.patchObject(held.object.ref, finalizersTo(null))).state, 'already-gone');
  });

  test('while an object is terminating no finalizer can be added', async t => {
    const { writer, kind, made, admin, path } = await aHeldMap(t, placeOf, [ours]);
    const held = await writer.deleteObject(deleting(refOf(await kind('', 'ConfigMap'), made)));
    assert.ok(held.state === 'held');
    const written = await writer.patchObject(held.object.ref, finalizersTo([ours, theirs]));
    assert.ok(written.state === 'failed');
    assert.equal(written.problem.code, 'invalid');
    assert.equal(written.problem.status, 422);
    assert.match(
      written.problem.text,
      /no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example\.com\/theirs"\}/,
    );
    assert.deepEqual((await admin.get(path)).metadata.finalizers, [ours]);
  });

  test('a built-in kind takes no finalizer with an unqualified name', async t => {
    const { admin, path } = await aHeldMap(t, placeOf, [ours]);
    const refused = await refusalOf(admin.patch(path, finalizersTo([ours, 'hold'])));
    assert.equal(refused.status, 422);
    assert.match(
      refused.message,
      /metadata\.finalizers\[1\]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified/,
    );
  });

  test('C24: a patch of another content type is refused, and a strategic one with an empty list changes nothing', async t => {
    const { admin, path, made } = await aHeldMap(t, placeOf, [ours]);
    for (const type of ['application/json', 'text/plain']) {
      assert.equal((await refusalOf(admin.request('PATCH', path, finalizersTo([]), type))).status, 415, type);
    }
    await admin.request('PATCH', path, finalizersTo([]), 'application/strategic-merge-patch+json');
    assert.equal((await admin.get(path)).metadata.resourceVersion, made.metadata.resourceVersion);
  });

  test('a custom resource takes a merge patch and no strategic one', async t => {
    const scene = await sceneOf(t, placeOf);
    const { admin, namespace, writer } = scene;
    const apiVersion = `${await scene.customKind()}/v1`;
    const path = collection(apiVersion, 'widgets', namespace);
    const draft = { apiVersion, kind: 'Widget', metadata: { name: 'w', finalizers: [ours] } };
    const made = await admin.create(path, draft);
    releaseAfter(t, admin, `${path}/w`);
    const strategic = 'application/strategic-merge-patch+json';
    assert.equal(
      (await refusalOf(admin.request('PATCH', `${path}/w`, finalizersTo([]), strategic))).status,
      415,
    );
    const kind = await scene.kind(apiVersion.split('/')[0] ?? '', 'Widget');
    assert.equal((await writer.patchObject(refOf(kind, made), finalizersTo(null))).state, 'done');
    assert.equal((await admin.get(`${path}/w`)).metadata.finalizers, undefined);
  });

  test('a server dry run of a patch changes nothing', async t => {
    const { dryRun, kind, made, admin, path } = await aHeldMap(t, placeOf, [ours]);
    const target = refOf(await kind('', 'ConfigMap'), made);
    assert.equal((await dryRun.patchObject(target, finalizersTo(null))).state, 'done');
    assert.equal((await admin.get(path)).metadata.resourceVersion, made.metadata.resourceVersion);
    assert.deepEqual((await admin.get(path)).metadata.finalizers, [ours]);
  });
}
