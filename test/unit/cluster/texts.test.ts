// What is saved of an object is the server's own text.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findDestination } from '../../../src/cluster/destination.ts';
import { listEventTexts, readText } from '../../../src/cluster/texts.ts';
import { Transport } from '../../../src/cluster/transport.ts';
import { listen } from '../../support/fake/sockets.ts';
import { kinds } from '../nouns.ts';

async function reach(t: TestContext, answer: (url: string) => string) {
  const asked: string[] = [];
  const server = await listen('plain', ({ request, response }) => {
    asked.push(decodeURIComponent(request.url ?? ''));
    response.writeHead(200).end(answer(request.url ?? ''));
  });
  t.after(() => server.close());
  const transport = new Transport(findDestination({ verbosity: 0, server: server.url }, {}), undefined, {
    onWarning: () => undefined,
    onRequest: () => undefined,
    signal: new AbortController().signal,
    clock: { elapsedMs: () => 0, random: () => 0 },
    pause: async () => undefined,
    userAgent: 'test',
  });
  t.after(() => transport.close());
  return { transport, asked };
}

test('a number that JavaScript cannot hold stays what it is, and so does the order of what is numbered', async t => {
  const text = '{"metadata":{"uid":"u"},"spec":{"big":9007199254740993,"b":1,"10":"x","9":1.50}}\n';
  const { transport } = await reach(t, () => text);
  const at = { name: 'w', namespace: 'batch' };
  assert.deepEqual(await readText(transport, kinds.widget, at), { state: 'read', value: text });
});

test('Events of a few objects are selected by the server, those of many are not', async t => {
  const items = ['a', 'b', 'x'].map(uid => ({ involvedObject: { uid }, count: 3 }));
  const { transport, asked } = await reach(t, () => JSON.stringify({ kind: 'EventList', items }));
  const told = async (...uids: string[]) => {
    asked.length = 0;
    const read = await listEventTexts(transport, 'batch', new Set(uids));
    return read.state === 'read' ? read.value.length : read.state;
  };
  await told('a', 'b');
  assert.deepEqual(asked, [
    '/api/v1/namespaces/batch/events?limit=500&fieldSelector=involvedObject.uid=a',
    '/api/v1/namespaces/batch/events?limit=500&fieldSelector=involvedObject.uid=b',
  ]);
  assert.equal(await told('a', 'b', 'c', 'd', 'e'), 2);
  assert.deepEqual(asked, ['/api/v1/namespaces/batch/events?limit=500']);
});
