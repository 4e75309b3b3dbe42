// `prune pods` against a server that is out of date, forbids, fails or changes its mind: what is not known to be leaked stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fault, internalError, refusing, reset, sending } from '../support/fake/faults.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { runCli } from '../support/run-cli.ts';
import { aJob, aPod } from '../support/world.ts';
import { aFake } from './fake.ts';

const words = 'prune pods --yes';
const readOfJob = ({
  method,
  resource,
  name,
}: {
  method: string;
  resource: string | undefined;
  name?: string | undefined;
}) => method === 'GET' && resource === 'jobs' && name !== undefined;

/** So many Pods of each of so many Jobs that are gone. */
const leaked = (jobs: number, pods: number) =>
  Array.from({ length: jobs }, (_, job) =>
    Array.from({ length: pods }, (_, pod) =>
      aPod(`gone-${job}-${pod}`)
        .leakedBy(aJob(`gone-${job}`))
        .succeeded(),
    ),
  ).flat();

/** The list of Jobs shows none of them; one that is asked for by name is there. */
const staleList: Fault = async (asked, pass) =>
  asked.name === undefined
    ? await sending({
        kind: 'JobList',
        apiVersion: 'batch/v1',
        metadata: { resourceVersion: '1' },
        items: [],
      })(asked, pass)
    : await pass();

const gets = (api: FakeApi) => api.log.all().filter(readOfJob);

test('W01: finished Pods whose Job is gone go, pinned by uid and version; those of a living one stay', async t => {
  const api = await aFake(t);
  const job = aJob('load').running();
  api.add(job, aPod('load-x').of(job).succeeded(), ...leaked(1, 2));
  const versions = new Map(api.list('pods').map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
  const { code, stdout, stderr } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
  assert.deepEqual(stdout.split('\n').filter(Boolean), [
    'pod "gone-0-0" deleted from batch namespace',
    'pod "gone-0-1" deleted from batch namespace',
  ]);
  assert.match(stderr, /^2 Pods deleted, 0 failed, 1 kept \(/m);
  assert.deepEqual(api.names('pods'), ['load-x']);
  for (const { name, body } of api.log.writes()) {
    const { preconditions } = body as { preconditions: { resourceVersion: string } };
    assert.equal(preconditions.resourceVersion, versions.get(name ?? ''));
  }
});

test('W04: a list that does not show a Job that is there: seen right before the delete, and the Pod stays', async t => {
  const api = await aFake(t);
  const job = aJob('load').running();
  api.add(job, aPod('load-x').leakedBy(job).succeeded(), ...leaked(1, 1));
  api.faults.on({ method: 'GET', resource: 'jobs' }, staleList);
  const { code, stdout, stderr } = await runCli(`${words} -o json`, { api });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^pod\/load-x stays: its Job load is there after all$/m);
  assert.match(stderr, /^1 Pod deleted, 0 failed, 1 spared/m);
  assert.deepEqual(api.names('pods'), ['load-x']);
  const { actions, summary } = JSON.parse(stdout);
  assert.deepEqual(actions.map(({ name, state }: { name: string; state: string }) => [name, state]).sort(), [
    ['gone-0-0', 'gone'],
    ['load-x', 'spared'],
  ]);
  assert.deepEqual([summary.deleted, summary.spared], [1, 1]);
});

test('W13: one list of Jobs, one of Pods, one read for each Job that is gone, and none for a Pod', async t => {
  const api = await aFake(t);
  api.add(...leaked(20, 10));
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
  const reads = api.log.all().filter(({ method }) => method === 'GET');
  const lists = (resource: string) =>
    reads.filter(
      one => one.resource === resource && one.name === undefined && !one.path.includes('fieldSelector'),
    );
  assert.equal(lists('jobs').length, 1);
  assert.equal(lists('pods').length, 1);
  assert.deepEqual(
    gets(api)
      .map(({ name }) => name)
      .sort(),
    Array.from({ length: 20 }, (_, at) => `gone-${at}`).sort(),
  );
  assert.equal(reads.filter(({ resource, name }) => resource === 'pods' && name !== undefined).length, 0);
});

test('W10: Pods that somebody else removed meanwhile are gone, and both numbers are told', async t => {
  const api = await aFake(t);
  api.add(...leaked(4, 4));
  for (let at = 0; at < 4; at += 1)
    api.ghost(
      aPod(`ghost-${at}`)
        .leakedBy(aJob(`gone-${at}`))
        .succeeded(),
    );
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^20 Pods deleted, 4 of them already gone when we came, 0 failed/m);
});

test('a Pod that was changed since it was looked at is not deleted', async t => {
  const api = await aFake(t);
  api.add(...leaked(1, 2));
  api.faults.on({ method: 'GET', resource: 'jobs' }, async (asked, pass) => {
    if (asked.name !== undefined)
      api.update('pods', 'batch', 'gone-0-0', pod => ({
        ...pod,
        metadata: { ...pod.metadata, labels: { ...(pod.metadata['labels'] as object), adopted: 'yes' } },
      }));
    return await pass();
  });
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^pod\/gone-0-0 not deleted: .*the object might have been modified/im);
  assert.deepEqual(api.names('pods'), ['gone-0-0']);
});

for (const [what, fault] of [
  ['forbidden', refusing(403, 'Forbidden', 'jobs.batch is forbidden')],
  ['a failing server', internalError()],
] as const)
  test(`W08: Jobs cannot be listed in the namespace (${what}): nothing is deleted, exit 1`, async t => {
    const api = await aFake(t);
    api.add(...leaked(1, 2));
    api.faults.on({ method: 'GET', resource: 'jobs' }, fault);
    const { code, stderr } = await runCli(words, { api });
    assert.equal(code, 1, stderr);
    assert.deepEqual(api.log.writes(), []);
    assert.equal(api.names('pods').length, 2);
  });

test('W08: Jobs can be listed in one of two namespaces: the other is left alone, and said to be', async t => {
  const api = await aFake(t);
  const theirs = aJob('gone').in('theirs');
  api.add(...leaked(1, 1), aPod('theirs-x').leakedBy(theirs).succeeded());
  api.rights.deny('list', 'jobs.batch').allow('list', 'jobs.batch', 'batch');
  const { code, stderr } = await runCli(`${words} -A`, { api });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^not readable: jobs in theirs: Error from server \(Forbidden\)/m);
  assert.deepEqual(api.names('pods'), ['theirs-x']);
});

test('whether its Job is gone cannot be told at the last moment: the Pod stays, exit 2', async t => {
  const api = await aFake(t);
  api.add(...leaked(2, 1));
  api.faults.on({ method: 'GET', resource: 'jobs', name: 'gone-0' }, refusing(403, 'Forbidden', 'not yours'));
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^pod\/gone-0-0 not deleted: .*not yours/m);
  assert.deepEqual(api.names('pods'), ['gone-0-0']);
});

test('W05: running ones are counted and shown; to take them a word is needed, and no terminal is no yes', async t => {
  const api = await aFake(t);
  api.add(aPod('runs').leakedBy(aJob('gone')).running({ grace: 300, preStop: true }), ...leaked(1, 1));
  const looked = await runCli('prune pods --dry-run', { api });
  assert.match(
    looked.stdout,
    /^runs +Running, up to 300s grace, 1 preStop hook +- +its Job gone is gone and it has not ended: --include-running takes it$/m,
  );
  assert.match(looked.stdout, /^1 Pod would be deleted\. 1 stays: 1 leaked and not ended/m);
  const refused = await runCli('prune pods --include-running', { api });
  assert.equal(refused.code, 3, refused.stderr);
  assert.deepEqual(api.log.writes(), []);
});

test('the answer to a delete is lost, and the repeated one meets its own conflict: the Pod is told as ending, not as failed', async t => {
  const api = await aFake(t);
  api.add(aPod('runs').leakedBy(aJob('gone')).running({ grace: 30 }));
  api.faults.on({ method: 'DELETE' }, [reset('after')]);
  const { code, stdout, stderr } = await runCli('prune pods --include-running --yes --wait=false', { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^pod\/runs deletion accepted, it has its grace period to end$/m);
  assert.doesNotMatch(stderr, /not deleted|1 failed/);
});

for (const [flags, said] of [
  ['pods --keep-succeeded 3', '--keep-succeeded has no meaning for prune pods'],
  ['pods --owner cronjob/x', '--owner has no meaning for prune pods'],
  ['jobs --include-running', '--include-running has no meaning for prune jobs'],
  ['--include-running', '--include-running has no meaning for prune jobs'],
  ['deployments', '"deployments" cannot be pruned; write prune jobs or prune pods'],
] as const)
  test(`prune ${flags}: a usage error, before any request`, async t => {
    const api = await aFake(t);
    const { code, stderr } = await runCli(`prune ${flags}`, { api });
    assert.equal(code, 1);
    assert.ok(stderr.includes(said), stderr);
    assert.deepEqual(api.log.all(), []);
  });
