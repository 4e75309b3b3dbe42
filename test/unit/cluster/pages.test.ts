// Lists are given whole or not at all, and come to an end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAll } from '../../../src/cluster/pages.ts';
import type { Transport } from '../../../src/cluster/transport.ts';

type Request = Parameters<Transport['send']>[0];
type Sent = Awaited<ReturnType<Transport['send']>>;

const list = (items: readonly unknown[] | null, token?: string) => ({
  kind: 'JobList',
  items,
  metadata: token === undefined ? {} : { continue: token },
});
const expired = (token: string) => ({ kind: 'Status', reason: 'Expired', metadata: { continue: token } });

/** Plays the pages in order, the last one for ever, and remembers which continue tokens it was asked with. */
function playing(...pages: readonly (readonly [status: number, body: unknown])[]) {
  const tokens: (string | null)[] = [];
  const send = async ({ path }: Request): Promise<Sent> => {
    tokens.push(new URL(path, 'http://x').searchParams.get('continue'));
    const [status, body] = pages[Math.min(tokens.length, pages.length) - 1] ?? [500, {}];
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { answer: { status, body: text, mayHaveArrivedBefore: false } };
  };
  return { transport: { send } as unknown as Transport, tokens };
}

async function readFrom(played: ReturnType<typeof playing>, consistent = true) {
  const adapt = (item: unknown) => item;
  const listing = { path: '/jobs', accept: '', query: { consistent }, adapt };
  const read = await listAll(played.transport, listing);
  if (read.state === 'read') return read.value;
  return read.state === 'absent' ? 'absent' : read.problem.text;
}

test('pages are put together', async () => {
  const played = playing([200, list([1, 2], 'a')], [200, list([3])]);
  assert.deepEqual(await readFrom(played), [1, 2, 3]);
  assert.deepEqual(played.tokens, [null, 'a']);
});

test('a token that is too old begins the list again, without what came before', async () => {
  const played = playing([200, list([1], 'a')], [410, expired('b')], [200, list([2])]);
  assert.deepEqual(await readFrom(played), [2]);
  assert.deepEqual(played.tokens, [null, 'a', null]);
});

test('where the moment does not matter, the list goes on with the token that the server offers', async () => {
  const pages = [200, list([1], 'a')] as const;
  const played = playing(
    pages,
    [410, expired('b')],
    [200, list([2], 'c')],
    [410, expired('d')],
    [200, list([3])],
  );
  assert.deepEqual(await readFrom(played, false), [1, 2, 3]);
  assert.deepEqual(played.tokens, [null, 'a', 'b', 'c', 'd']);
});

for (const consistent of [true, false]) {
  test(`a server that finds every token too old is not asked for ever (consistent: ${consistent})`, async () => {
    const played = playing([410, expired('again')]);
    assert.match(String(await readFrom(played, consistent)), /Error from server \(Expired\)/);
    assert.ok(played.tokens.length < 10);
  });
}

test('the same page for ever is no list', async () => {
  const played = playing([200, list([1], 'a')]);
  assert.match(String(await readFrom(played)), /the list does not go on/);
});

test('P21: null items are none; an answer that is no list is unreadable, never empty', async () => {
  assert.deepEqual(await readFrom(playing([200, list(null)])), []);
  for (const body of [{}, { error: 'log in' }, { kind: 'Status' }, [], 'null', '<html>'])
    assert.match(String(await readFrom(playing([200, body]))), /the server's answer cannot be read/);
});

test('what cannot be read is told without control characters', async () => {
  const text = await readFrom(playing([200, '\u001b[31mred']));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there is none is the point
  assert.doesNotMatch(String(text), /\u001b/);
});
