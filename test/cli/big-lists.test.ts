// Lists that are too big for one answer, and lists that grow old while they are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiredToken } from '../support/fake/faults.ts';
import { runCli } from '../support/run-cli.ts';
import { aJob, aPod } from '../support/world.ts';
import { aFake } from './fake.ts';
import { finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';
const listsOf =
  (resource: string) => (asked: { method: string; resource: string | undefined; name: string | undefined }) =>
    asked.method === 'GET' && asked.resource === resource && asked.name === undefined;

test('P12: 20,000 Jobs are read in pages of 500, one at a time, and the plan has them all', async t => {
  const api = await aFake(t, { protocol: 'plain' });
  api.add(...finishedJobs(20_000).map(job => job.padded(2000)));
  const { code, stdout, stderr } = await runCli(`${prune} --dry-run`, {
    api,
    heapMb: 128,
    deadlineMs: 100_000,
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^20000 Jobs would be deleted\.$/m);
  const pages = api.log.all().filter(listsOf('jobs'));
  assert.equal(pages.length, 40);
  assert.ok(pages.every(({ query }) => query['limit'] === '500'));
  assert.equal(new Set(pages.map(({ query }) => query['continue'])).size, 40);
});

test('prune goes on with the inconsistent token when the list of Jobs has grown too old', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1200));
  api.faults.on(asked => listsOf('jobs')(asked) && asked.query['continue'] !== undefined, [expiredToken()]);
  const { code, stdout, stderr } = await runCli(`${prune} --dry-run`, { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^1200 Jobs would be deleted\.$/m);
  const asked = api.log.all().filter(listsOf('jobs'));
  assert.equal(asked.filter(({ query }) => query['continue'] === undefined).length, 1, 'started once');
  assert.deepEqual(
    asked.map(({ status }) => status),
    [200, 410, 200, 200],
  );
});

test('the search for dependents needs the whole at one moment: it starts again', async t => {
  const api = await aFake(t);
  const job = aJob('etl').complete('2d ago');
  const pods = Array.from({ length: 700 }, (_, at) => aPod(`etl-${at}`).of(job).succeeded());
  api.add(job, ...pods);
  api.faults.on(asked => listsOf('pods')(asked) && asked.query['continue'] !== undefined, [expiredToken()]);
  const { code, stdout, stderr } = await runCli('delete job/etl --dry-run', { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^1 Job with 700 Pods would be deleted/m);
  const metadata = api.log
    .all()
    .filter(listsOf('pods'))
    .filter(({ headers }) => headers.accept?.includes('Metadata'));
  assert.deepEqual(
    metadata.map(
      ({ status, query }) => `${status} ${query['continue'] === undefined ? 'from the start' : 'on'}`,
    ),
    ['200 from the start', '410 on', '200 from the start', '200 on'],
  );
});

test('a list that grows old again and again is not read, and says so', async t => {
  const api = await aFake(t);
  const job = aJob('etl').complete('2d ago');
  api.add(job, ...Array.from({ length: 600 }, (_, at) => aPod(`etl-${at}`).of(job).succeeded()));
  api.faults.on(listsOf('pods'), expiredToken());
  const { code, stdout } = await runCli('delete job/etl --dry-run', { api });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^not readable: pods.*: Error from server \(Expired\): The provided continue parameter/m,
  );
});
