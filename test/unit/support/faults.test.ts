// The faults of the fake, met by the real client: each must be what it says, or a test of an outage proves nothing.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { DeleteAction } from '../../../src/model/delete-action.ts';
import { connectAs } from '../../contract/place.ts';
import * as faults from '../../support/fake/faults.ts';
import { aKind } from '../../support/fake/kinds.ts';
import type { FakeOptions } from '../../support/fake-api.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { aJob } from '../../support/world.ts';

const jobKind = aKind('batch/v1', 'Job', 'jobs');

async function aFake(t: TestContext, options: FakeOptions = {}) {
  const api = await startFakeApi(t, options);
  const [job] = api.add(aJob('j').complete('1h ago'));
  assert.ok(job);
  const { name, namespace = '', uid = '', resourceVersion = '' } = job.metadata;
  const action: DeleteAction = {
    target: { kind: jobKind, name, namespace, uid, resourceVersion },
    propagation: 'Background',
    pin: 'uid',
  };
  const { reader, writer, warnings } = connectAs(t, api.kubeconfig(), 'batch', { requestTimeoutMs: 500 });
  // a client that has had an answer has more patience with a server that fails
  const known = async () => assert.equal((await reader.listJobs({ namespace })).state, 'read');
  const remove = () => writer.deleteObject(action);
  return {
    api,
    reader,
    warnings,
    known,
    remove,
    deletes: () => api.log.writes().map(({ status }) => status),
  };
}

const onDelete = { method: 'DELETE' };

for (const protocol of ['h2', 'http/1.1', 'plain'] as const) {
  test(`the fake is reached over ${protocol}`, async t => {
    const { api, remove } = await aFake(t, { protocol });
    assert.deepEqual(await remove(), { state: 'gone' });
    assert.deepEqual(api.log.lines(), ['DELETE jobs batch/j']);
    api.log.assertWritesArePinned();
  });
}

test('P15: a throttled delete is repeated, and counted', async t => {
  const { api, reader, remove, deletes } = await aFake(t);
  api.faults.on(onDelete, [faults.tooManyRequests(0), faults.unavailable(0)]);
  assert.equal((await remove()).state, 'gone');
  assert.deepEqual(deletes(), [429, 503, 200]);
  assert.equal(reader.throttled(), 2);
});

test('a list of faults is played once, `every` meets each Nth request', async t => {
  const { api, known } = await aFake(t);
  api.faults.on({ resource: 'jobs' }, faults.tooManyRequests(0), { every: 2 });
  await known();
  await known();
  assert.deepEqual(
    api.log.all().map(({ status }) => status),
    [200, 429, 200],
  );
});

for (const [name, fault, code] of [
  [
    'a refusal',
    faults.refusing(422, 'Invalid', 'Job.batch "j" is invalid: spec.template: field is immutable'),
    'invalid',
  ],
  ['an internal error', faults.internalError(), 'server-error'],
  ['a gateway timeout', faults.gatewayTimeout(), 'timeout'],
  ['a page of HTML', faults.garbage(), 'server-error'],
  ['a login that is not taken', faults.unauthorized(), 'unauthorized'],
] as const) {
  test(`${name} on a delete is no success`, async t => {
    const { api, known, remove } = await aFake(t);
    await known();
    api.faults.on(onDelete, fault);
    const written = await remove();
    assert.ok(written.state === 'failed', JSON.stringify(written));
    assert.equal(written.problem.code, code);
    assert.deepEqual(api.names('jobs'), ['j']);
  });
}

test('a connection that breaks before or after the effect leaves one deleted Job', async t => {
  for (const when of ['before', 'after'] as const) {
    const { api, known, remove, deletes } = await aFake(t);
    await known();
    api.faults.on(onDelete, [faults.reset(when)]);
    assert.equal((await remove()).state, 'gone', when);
    assert.deepEqual(deletes(), ['reset', when === 'before' ? 200 : 404]);
    assert.deepEqual(api.names('jobs'), []);
  }
});

test('silence before or after the effect is met by the deadline', async t => {
  for (const [fault, last] of [
    [faults.silent(), 200],
    [faults.silentAfter(), 404],
  ] as const) {
    const { api, known, remove, deletes } = await aFake(t);
    await known();
    api.faults.on(onDelete, [fault]);
    assert.equal((await remove()).state, 'gone');
    assert.deepEqual(deletes(), ['silent', last]);
  }
});

test('a slow answer comes, a warning comes with it', async t => {
  const { api, warnings, remove } = await aFake(t);
  api.faults.on(onDelete, [faults.slow(50)]).on(onDelete, faults.warning('one', 'two'));
  assert.equal((await remove()).state, 'gone');
  assert.ok((api.log.writes()[0]?.ms ?? 0) >= 49);
  await remove();
  assert.deepEqual(warnings, ['one', 'two']);
});

test('P21: a list without items is empty, one that is no list is unreadable', async t => {
  const { api, reader } = await aFake(t);
  api.faults.on({ resource: 'jobs' }, [
    faults.sending({ kind: 'JobList', items: null, newField: 1 }),
    faults.garbage(),
  ]);
  assert.deepEqual(await reader.listJobs({}), { state: 'read', value: [] });
  assert.equal((await reader.listJobs({})).state, 'unreadable');
});

test('tokens expire by a fault or all at once, and a consistent list starts again', async t => {
  const { api, reader } = await aFake(t);
  api.add(...Array.from({ length: 1200 }, (_, at) => aJob(`more-${at}`).complete('2h ago')));
  const count = async (consistent: boolean) => {
    api.log.clear();
    const read = await reader.listJobs({ consistent });
    assert.ok(read.state === 'read');
    return [read.value.length, api.log.all().length];
  };
  const onSecondPage = (asked: { query: Readonly<Record<string, string>> }) =>
    asked.query['continue'] !== undefined;
  api.faults.on(onSecondPage, [faults.expiredToken(), faults.expiredToken()]);
  assert.deepEqual(await count(true), [1201, 7], 'one page, twice; then three');
  api.faults.on(onSecondPage, [
    async (_, pass) => {
      api.expireTokens();
      return pass();
    },
  ]);
  assert.deepEqual(await count(false), [1201, 4], 'goes on after the first page');
});

test('a login is refreshed when its token is taken no more', async t => {
  const { api, reader } = await aFake(t);
  api.acceptOnly('another');
  const read = await reader.listJobs({});
  assert.ok(read.state === 'unreadable' && read.problem.code === 'unauthorized');
  assert.deepEqual(
    api.log.all().map(({ status }) => status),
    [401, 401],
  );
});

test('a server that stops refuses, one that hangs is silent, and both come back', async t => {
  const { api, known, reader } = await aFake(t);
  await known();
  await api.stop();
  await api.start();
  await known();
  api.freeze();
  api.breakConnections();
  setTimeout(() => api.thaw(), 200);
  await known();
  await api.stop();
  const stranger = connectAs(t, api.kubeconfig(), 'batch', { requestTimeoutMs: 500 });
  const read = await stranger.reader.listJobs({});
  assert.ok(read.state === 'unreadable' && read.problem.code === 'unreachable', JSON.stringify(read));
  assert.ok(reader.now());
});

test('D12: a ghost is listed, and neither read nor deleted', async t => {
  const { api, reader } = await aFake(t);
  api.ghost(aJob('ghost').complete('1h ago'));
  const read = await reader.listJobs({});
  assert.deepEqual(read.state === 'read' && read.value.map(({ ref }) => ref.name), ['ghost', 'j']);
  assert.equal((await reader.getJob('ghost', 'batch')).state, 'absent');
});

test('D11: a Job that is made again has the same name and another uid', async t => {
  const { api, remove } = await aFake(t);
  api.recreate(...api.list('jobs'));
  const uids = () => api.list('jobs').map(({ metadata }) => metadata.uid);
  const [before] = uids();
  assert.equal((await remove()).state, 'gone');
  assert.equal(uids().length, 1);
  assert.notEqual(uids()[0], before);
});

test('D17: a silent group is stale in discovery, answers 503 and has an APIService that is down', async t => {
  const { api, reader } = await aFake(t);
  api.silence('metrics.k8s.io', 'v1beta1');
  const read = await reader.kinds();
  assert.deepEqual(read.state === 'read' && read.value.silentGroups.map(({ group }) => group), [
    'metrics.k8s.io',
  ]);
  const blockers = await reader.readGarbageCollectorBlockers();
  assert.deepEqual(blockers.state === 'read' && blockers.value.map(({ object }) => object), [
    'apiservice/v1beta1.metrics.k8s.io',
  ]);
});
