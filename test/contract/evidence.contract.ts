// What is saved of objects: their own text, and the Events about them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEvent } from '../cluster/state/events.ts';
import { configMapPath, createConfigMap } from '../cluster/state/finalizers.ts';
import { type PlaceOf, sceneOf } from './place.ts';

export function askAboutEvidence(placeOf: PlaceOf): void {
  test('an object is read as the server writes it', async t => {
    const { admin, namespace, reader, kind } = await sceneOf(t, placeOf);
    await createConfigMap(admin, { name: 'm', namespace });
    const read = await reader.readText(await kind('', 'ConfigMap'), 'm', namespace);
    assert.ok(read.state === 'read');
    assert.deepEqual(JSON.parse(read.value), await admin.get(configMapPath(namespace, 'm')));
    assert.deepEqual(await reader.readText(await kind('', 'ConfigMap'), 'other', namespace), {
      state: 'absent',
    });
  });

  test('the Events about a few objects, and about many, are those and no others', async t => {
    const { admin, namespace, reader } = await sceneOf(t, placeOf);
    const uids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      const map = await createConfigMap(admin, { name, namespace });
      uids.push(map.metadata.uid);
      await createEvent(admin, map, { reason: 'Seen', message: name });
    }
    const told = async (wanted: readonly string[]) => {
      const read = await reader.listEventTexts(namespace, new Set(wanted));
      assert.ok(read.state === 'read', JSON.stringify(read));
      return read.value.map(text => JSON.parse(text).message).sort();
    };
    assert.deepEqual(await told(uids.slice(0, 2)), ['a', 'b']);
    assert.deepEqual(await told(uids.slice(1)), ['b', 'c', 'd', 'e', 'f', 'g']);
    assert.deepEqual(await told([]), []);
  });
}
