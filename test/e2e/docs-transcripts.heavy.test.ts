// The sessions that the documents show are what the tool does today: they are played again, and compared.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { controllerManagerFlags, tell } from '../../build/docs/told.ts';
import { startControlPlane } from '../cluster/control-plane.ts';

const plane = await startControlPlane({ controllerManagerFlags });
after(() => plane.stop());

test('no transcript and no recorded document is stale: node build/docs/transcripts.ts', async () => {
  const told = await tell(plane);
  assert.ok(told.length > 15);
  assert.deepEqual(
    told.filter(({ isStale }) => isStale).map(({ file, text }) => `${file}\n${text}`),
    [],
  );
});
