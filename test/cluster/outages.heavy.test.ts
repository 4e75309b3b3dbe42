import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControlPlane } from './control-plane.ts';
import { apiServicePath, createDeadApiService } from './state/api-services.ts';
import { createCustomResource, createDefinition } from './state/custom-resources.ts';

// Both would hinder every other test of a run: namespaces do not end, the garbage collector waits.
test('a dead APIService and a conversion webhook that is down', async t => {
  const plane = await startControlPlane({ controllerManager: false });
  t.after(() => plane.stop());
  const { admin } = plane;
  await createDeadApiService(admin, { group: 'dead.example.test' });
  await assert.rejects(admin.get('/apis/dead.example.test/v1'), /503/);
  assert.ok(await admin.delete(apiServicePath('v1.dead.example.test')));
  const broken = await createDefinition(admin, {
    group: 'broken.example.test',
    kind: 'Widget',
    plural: 'widgets',
    conversionIsDown: true,
  });
  await createCustomResource(admin, broken, { namespace: 'default', name: 'w' });
  await assert.rejects(admin.list('/apis/broken.example.test/v1/widgets'), /500 .*conversion webhook/);
});
