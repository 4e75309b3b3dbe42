// Discovery documents → the kinds that are served, and the groups that did not answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readKinds } from '../../../src/cluster/kinds.ts';
import type { Request, Sent } from '../../../src/cluster/request.ts';
import type { Transport } from '../../../src/cluster/transport.ts';

type Group = Readonly<Record<string, unknown>>;

const resource = (plural: string, kind: string, more: object = {}) => ({
  resource: plural,
  responseKind: { group: '', version: '', kind },
  scope: 'Namespaced',
  singularResource: kind.toLowerCase(),
  verbs: ['list', 'delete'],
  ...more,
});

const document = (items: readonly Group[] | null) => JSON.stringify({ kind: 'APIGroupDiscoveryList', items });

/** Only `send` is asked of it. */
function answering(bodies: Readonly<Record<string, string>>, status = 200): Transport {
  const send = async ({ path }: Request): Promise<Sent> => ({
    answer: { status, body: bodies[path] ?? document([]), mayHaveArrivedBefore: false },
  });
  return { send } as unknown as Transport;
}

async function catalogOf(items: readonly Group[]) {
  const read = await readKinds(answering({ '/apis': document(items) }));
  assert.ok(read.state === 'read');
  return read.value;
}

test('of several versions the first that serves a resource is taken', async () => {
  const versions = [
    { version: 'v2', resources: [resource('as', 'A')] },
    { version: 'v1', resources: [resource('as', 'A'), resource('bs', 'B')] },
  ];
  const { kinds, silentGroups } = await catalogOf([{ metadata: { name: 'x.example' }, versions }]);
  assert.deepEqual(
    kinds.map(({ kind, version }) => `${kind} ${version}`),
    ['A v2', 'B v1'],
  );
  assert.deepEqual(silentGroups, []);
});

test('a group that is stale is silent, told once, and stops nobody else', async () => {
  const stale = { freshness: 'Stale', resources: [] };
  const { kinds, silentGroups } = await catalogOf([
    {
      metadata: { name: 'dead.example' },
      versions: [
        { version: 'v2', ...stale },
        { version: 'v1', ...stale },
      ],
    },
    { metadata: { name: 'batch' }, versions: [{ version: 'v1', resources: [resource('jobs', 'Job')] }] },
  ]);
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['Job'],
  );
  assert.deepEqual(silentGroups, [
    {
      group: 'dead.example',
      problem: { code: 'server-error', text: 'the API server behind dead.example/v2 does not answer' },
    },
  ]);
});

test('a stale group that still says what it served is silent and known', async () => {
  const versions = [{ version: 'v1', freshness: 'Stale', resources: [resource('as', 'A')] }];
  const { kinds, silentGroups } = await catalogOf([{ metadata: { name: 'old.example' }, versions }]);
  assert.deepEqual([kinds.length, silentGroups.length], [1, 1]);
});

test('what a resource does not say has a standard, and subresources are no kinds', async () => {
  const subresources = [{ subresource: 'status', responseKind: { kind: 'A' }, verbs: ['get'] }];
  const bare = { resource: 'as', responseKind: { kind: 'A' }, scope: 'Cluster', subresources };
  const { kinds } = await catalogOf([
    {
      metadata: { name: 'x.example' },
      versions: [{ version: 'v1', resources: [bare, { resource: 'bs' }, null] }],
    },
  ]);
  assert.deepEqual(kinds, [
    {
      group: 'x.example',
      version: 'v1',
      kind: 'A',
      resource: 'as',
      singular: 'a',
      namespaced: false,
      shortNames: [],
      categories: [],
      verbs: [],
    },
  ]);
});

test('the core group comes from /api, without a name', async () => {
  const core = [
    {
      metadata: {},
      versions: [{ version: 'v1', resources: [resource('pods', 'Pod', { shortNames: ['po'] })] }],
    },
  ];
  const read = await readKinds(answering({ '/api': document(core) }));
  assert.ok(read.state === 'read');
  assert.deepEqual(
    read.value.kinds.map(({ group, shortNames }) => [group, ...shortNames]),
    [['', 'po']],
  );
});

test('null items are no groups; an answer that is no such document is unreadable, not empty', async () => {
  const empty = await readKinds(answering({ '/api': document(null), '/apis': document(null) }));
  assert.ok(empty.state === 'read' && empty.value.kinds.length === 0);
  for (const body of ['{"kind":"APIGroupList","groups":[]}', '<html>', 'null']) {
    const read = await readKinds(answering({ '/apis': body }));
    assert.ok(read.state === 'unreadable', body);
    assert.match(read.problem.text, /^error: the server's answer cannot be read: /);
  }
  assert.equal((await readKinds(answering({}, 403))).state, 'unreadable');
});
