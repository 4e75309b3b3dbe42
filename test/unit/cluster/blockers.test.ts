// What may keep the garbage collector from working, told apart from a server that is not to be reached.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBlockers } from '../../../src/cluster/blockers.ts';
import type { Transport } from '../../../src/cluster/transport.ts';
import type { Kind } from '../../../src/model/kind.ts';
import type { ProblemCode } from '../../../src/model/problem.ts';

type Sent = Awaited<ReturnType<Transport['send']>>;

const kind = (group: string, resource: string): Kind => ({
  group,
  version: 'v1',
  kind: resource,
  resource,
  singular: resource,
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: ['list', 'delete'],
});
const kinds = [kind('batch', 'jobs'), kind('x.example', 'widgets')];

const ok = (body: unknown, status = 200): Sent => ({
  answer: {
    status,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    mayHaveArrivedBefore: false,
  },
});
const failed = (code: ProblemCode): Sent => ({ problem: { code, text: code } });

function blockersOf({ services = ok({ items: [] }), widgets = ok({}) }: { services?: Sent; widgets?: Sent }) {
  const send = async ({ path }: { path: string }): Promise<Sent> => {
    if (path.includes('apiservices')) return services;
    return path.includes('widgets') ? widgets : ok({});
  };
  return readBlockers({ send } as unknown as Transport, { kinds, silentGroups: [] });
}

test('an API server that is not available, and a kind that answers with a server error', async () => {
  const condition = { type: 'Available', status: 'False', reason: 'FailedDiscoveryCheck', message: 'no' };
  const services = ok({
    items: [{ metadata: { name: 'v1.dead.example' }, status: { conditions: [condition] } }],
  });
  const widgets = ok({ reason: 'InternalError', message: 'conversion webhook failed' }, 500);
  assert.deepEqual(await blockersOf({ services, widgets }), {
    state: 'read',
    value: [
      { object: 'apiservice/v1.dead.example', reason: 'FailedDiscoveryCheck: no' },
      {
        object: 'customresourcedefinition/widgets.x.example',
        reason: 'Error from server (InternalError): conversion webhook failed',
      },
    ],
  });
});

test('a kind that does not answer in time is one; a kind that we may not list is none', async () => {
  const slow = await blockersOf({ widgets: failed('timeout') });
  assert.deepEqual(slow, {
    state: 'read',
    value: [{ object: 'customresourcedefinition/widgets.x.example', reason: 'timeout' }],
  });
  assert.deepEqual(await blockersOf({ widgets: ok({}, 403), services: ok({}, 403) }), {
    state: 'read',
    value: [],
  });
});

for (const code of ['unreachable', 'interrupted', 'unauthorized'] as const) {
  test(`${code} is nobody's fault among the kinds: it cannot be read`, async () => {
    const unreadable = { state: 'unreadable', problem: { code, text: code } };
    assert.deepEqual(await blockersOf({ services: failed(code) }), unreadable);
    assert.deepEqual(await blockersOf({ widgets: failed(code) }), unreadable);
  });
}

test('an answer that is no list of API services is no reason to stop', async () => {
  assert.deepEqual(await blockersOf({ services: ok('<html>') }), { state: 'read', value: [] });
});
