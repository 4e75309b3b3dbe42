// HTTP/2 has ways of its own to end a connection and to hold a client back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { slow } from '../support/fake/faults.ts';
import { runCli } from '../support/run-cli.ts';
import { aFake } from './fake.ts';
import { deletedOnce, finishedJobs, inFlight } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

test('a server that sends its clients to another replica loses nothing and is asked nothing twice', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(200));
  api.faults.on(
    { method: 'DELETE' },
    async (_, pass) => {
      api.goAway();
      await sleep(5);
      return pass();
    },
    { every: 25 },
  );
  const { code, stderr } = await runCli(prune, { api });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^200 Jobs deleted, 0 failed/m);
  assert.ok(new Set(api.log.all().map(({ connection }) => connection)).size > 5);
  deletedOnce(api, jobs);
});

test('more deletes at once than the server takes streams wait for their turn', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(400));
  api.faults.on({ method: 'DELETE' }, slow(50));
  const { code, stderr } = await runCli(`${prune} --concurrency 250`, { api });
  assert.equal(code, 0, stderr);
  const most = inFlight(api.log.writes());
  assert.ok(most > 50 && most <= 100, `${most} were in flight`);
  deletedOnce(api, jobs);
});
