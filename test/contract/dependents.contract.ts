// What the garbage collector does with dependents, and how Pods end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerReference } from '../cluster/state/draft.ts';
import { configMapPath, createConfigMap, untilGone } from '../cluster/state/finalizers.ts';
import { createPod, endPod, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { deleting, type PlaceOf, refOf, sceneOf } from './place.ts';

export function askAboutDependents(placeOf: PlaceOf): void {
  test('a dependent with another living owner stays and loses only the dead reference', async t => {
    const { admin, namespace, kind, writer } = await sceneOf(t, placeOf);
    const made = await createConfigMap(admin, { name: 'going', namespace });
    const stays = await createConfigMap(admin, { name: 'staying', namespace });
    const ownerReferences = [ownerReference(made), ownerReference(stays, { controller: false })];
    await createConfigMap(admin, { name: 'shared', namespace, ownerReferences });
    await writer.deleteObject(deleting(refOf(await kind('', 'ConfigMap'), made)));
    const left = await until('the dead reference to be dropped', 30_000, async () => {
      const { ownerReferences = [] } = (await admin.get(configMapPath(namespace, 'shared'))).metadata;
      return ownerReferences.length === 1 ? ownerReferences : undefined;
    });
    assert.deepEqual(
      left.map(({ name }) => name),
      ['staying'],
    );
  });

  test('D09: under Foreground a dependent that does not block is deleted too', async t => {
    const { admin, namespace, kind, writer } = await sceneOf(t, placeOf);
    const owner = await createConfigMap(admin, { name: 'owner', namespace });
    for (const blockOwnerDeletion of [true, false]) {
      const ownerReferences = [ownerReference(owner, { blockOwnerDeletion })];
      await createConfigMap(admin, { name: `blocks-${blockOwnerDeletion}`, namespace, ownerReferences });
    }
    const target = refOf(await kind('', 'ConfigMap'), owner);
    await writer.deleteObject(deleting(target, { propagation: 'Foreground' }));
    for (const name of ['blocks-true', 'blocks-false', 'owner'])
      await untilGone(admin, configMapPath(namespace, name));
  });

  test('while a finalizer holds the owner, Background does not collect its dependents', async t => {
    const { admin, namespace, kind, writer } = await sceneOf(t, placeOf);
    const finalizers = ['example.com/hold'];
    const owner = await createConfigMap(admin, { name: 'owner', namespace, finalizers });
    await createConfigMap(admin, { name: 'dependent', namespace, owner });
    const held = await writer.deleteObject(deleting(refOf(await kind('', 'ConfigMap'), owner)));
    assert.ok(held.state === 'held');
    assert.equal(
      (await admin.get(configMapPath(namespace, 'dependent'))).metadata.deletionTimestamp,
      undefined,
    );
    assert.equal(
      (await writer.patchObject(held.object.ref, { metadata: { finalizers: null } })).state,
      'done',
    );
    await untilGone(admin, configMapPath(namespace, 'dependent'));
  });

  test('a Pod that is bound to a node keeps its grace period, which can be shortened and not lengthened', async t => {
    const { admin, namespace, kind, writer, node } = await sceneOf(t, placeOf);
    const wanted = { name: 'p', namespace, phase: 'Running', node: await node(), graceSeconds: 77 } as const;
    const pod = await createPod(admin, wanted);
    const target = refOf(await kind('', 'Pod'), pod);
    const graceAfter = async (graceSeconds?: number) => {
      const written = await writer.deleteObject(
        deleting(target, graceSeconds === undefined ? {} : { graceSeconds }),
      );
      assert.ok(written.state === 'held');
      return written.object.deletionGraceSeconds;
    };
    assert.equal(await graceAfter(), 77);
    assert.equal(await graceAfter(120), 77);
    assert.equal(await graceAfter(5), 5);
    await endPod(admin, pod);
    assert.equal(await admin.find(podPath(namespace, 'p')), undefined);
  });

  test('a Pod that has ended, or was never bound, goes at once', async t => {
    const { admin, namespace, kind, writer, node } = await sceneOf(t, placeOf);
    const podKind = await kind('', 'Pod');
    for (const pod of [
      await createPod(admin, { name: 'ended', namespace, phase: 'Succeeded', node: await node() }),
      await createPod(admin, { name: 'unbound', namespace }),
    ]) {
      assert.equal(
        (await writer.deleteObject(deleting(refOf(podKind, pod)))).state,
        'gone',
        pod.metadata.name,
      );
      assert.equal(await admin.find(podPath(namespace, pod.metadata.name)), undefined);
    }
  });
}
