// Many deletes at once: how many are in flight, what a throttling server costs, and that nothing is done by the collection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slow, tooManyRequests } from '../support/fake/faults.ts';
import { runCli } from '../support/run-cli.ts';
import { aFake } from './fake.ts';
import { deletedOnce, finishedJobs, inFlight } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

test('P13: 500 finished Jobs go side by side, never more at once than asked for', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(500));
  api.faults.on({ method: 'DELETE' }, slow(100));
  const { code, stdout, stderr } = await runCli(`${prune} --concurrency 24`, { api });
  assert.equal(code, 0, stderr);
  assert.equal(stdout.match(/^job\.batch "/gm)?.length, 500);
  assert.match(stderr, /^500 Jobs deleted, 0 failed/m);
  const most = inFlight(api.log.writes());
  assert.ok(most <= 24, `${most} were in flight`);
  assert.ok(most > 8, `only ${most} were in flight`);
  deletedOnce(api, jobs);
});

test('P14: each Job is deleted by its own name and uid, never by deleting the collection', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(30));
  const { code } = await runCli('delete jobs --all --yes', { api });
  assert.equal(code, 0);
  assert.deepEqual(
    api.log.lines().sort(),
    jobs.map(({ metadata }) => `DELETE jobs batch/${metadata.name}`).sort(),
  );
  deletedOnce(api, jobs);
});

test('P15: every 10th delete is throttled; all Jobs go, each once, and the summary says how often', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(60));
  api.faults.on({ method: 'DELETE' }, tooManyRequests(1), { every: 10 });
  const { code, stderr } = await runCli(prune, { api });
  assert.equal(code, 0, stderr);
  const throttled = api.log.writes().filter(({ status }) => status === 429).length;
  assert.ok(throttled >= 6);
  assert.match(stderr, new RegExp(`^60 Jobs deleted, 0 failed, throttled ${throttled} times \\(`, 'm'));
  deletedOnce(api, jobs);
});

for (const [protocol, most] of [
  ['h2', 1],
  ['http/1.1', 17],
  ['plain', 16],
] as const) {
  test(`C13: 1,000 deletes over ${protocol} need no more than ${most} connections`, async t => {
    const api = await aFake(t, { protocol });
    const jobs = api.add(...finishedJobs(1000));
    const { code, stderr } = await runCli(prune, { api });
    assert.equal(code, 0, stderr);
    const connections = new Set(api.log.all().map(({ connection }) => connection));
    assert.ok(connections.size <= most, `${connections.size} connections`);
    deletedOnce(api, jobs);
  });
}
