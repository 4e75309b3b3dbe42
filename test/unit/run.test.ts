// The corridor itself: what was looked at long ago is looked at again before a finalizer goes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterWriter } from '../../src/cluster/contract.ts';
import { run } from '../../src/run.ts';
import { memoryReader } from '../golden/memory-reader.ts';
import { expand } from '../golden/world.ts';
import { unstickOptions } from './nouns.ts';

const now = '2026-03-01T12:00:00Z';
const finalizer = 'finalizer.keda.sh';
const stuck = { scaledjob: 'queue', deleting: '31d', finalizers: [finalizer] };
const lease = (renewed: string) => ({ lease: 'operator.keda.sh', namespace: 'keda', renewed });
const worldOf = (objects: Parameters<typeof expand>[0]['objects']) => expand({ argv: '', now, objects });

/** `later`: the world at the second reading, which comes `afterMs` after the first. */
async function freed(later: ReturnType<typeof worldOf>, afterMs: number) {
  const world = worldOf([stuck, lease('31d')]);
  let ms = 0;
  const sent: string[] = [];
  const refuse = () => Promise.reject(new Error('not written here'));
  const write: ClusterWriter = {
    deleteObject: refuse,
    finalizeNamespace: refuse,
    recordEvent: refuse,
    createJobFrom: refuse,
    patchObject: target => {
      sent.push(target.name);
      return Promise.resolve({ state: 'done' });
    },
  };
  const said: string[] = [];
  const words = { by: 'name', targets: [{ type: 'scaledjob', name: 'queue' }] } as const;
  const code = await run(unstickOptions({ words, yes: true, wait: false }), {
    read: memoryReader(world, new Date(now)),
    makeWriter: () => write,
    signal: new AbortController().signal,
    openArchive: refuse,
    invocation: { command: 'test', version: '0' },
    readStdin: () => Promise.resolve(''),
    // the plan is shown, and then somebody thinks about it
    elapsedMs: () => ms,
    pause: () => Promise.resolve(),
    show: lines => {
      said.push(...(lines.err ?? []), ...(lines.out ?? []));
      if (ms === 0) world.splice(0, world.length, ...later);
      ms = afterMs;
      return Promise.resolve();
    },
  });
  return { code, sent, said: said.join('\n') };
}

test('a controller that came back while the question stood long keeps its finalizer: exit 3', async () => {
  const { code, sent, said } = await freed(worldOf([stuck, lease('1s')]), 31_000);
  assert.deepEqual([code, sent], [3, []]);
  assert.match(said, /while the question stood, what it was about has changed; nothing was changed/);
});

test('an object that went while the question stood long is not what was agreed to any more', async () => {
  const { code, sent } = await freed(worldOf([lease('31d')]), 31_000);
  assert.deepEqual([code, sent], [3, []]);
});

test('a question that stood long about what is still so is answered', async () => {
  const { code, sent } = await freed(worldOf([stuck, lease('31d')]), 600_000);
  assert.deepEqual([code, sent], [0, ['queue']]);
});

test('what was looked at a moment ago is not looked at again', async () => {
  const { code, sent } = await freed(worldOf([stuck, lease('1s')]), 2000);
  assert.deepEqual([code, sent], [0, ['queue']]);
});
