// Ctrl-C in the middle: what is under way is finished, what was not begun is left and counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../support/fake/faults.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { runInTerminal } from '../support/terminal.ts';
import { aJob, aPod } from '../support/world.ts';
import { aFake } from './fake.ts';
import { finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

/** Deletes wait until the test opens the gate. */
function gate(): { fault: Fault; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    fault: async (_, pass) => {
      await promise;
      return pass();
    },
    open: resolve,
  };
}

test('Ctrl-C finishes the deletes in flight, begins no other, and says what was not started', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(50));
  const { fault, open } = gate();
  api.faults.on({ method: 'DELETE' }, fault);
  const run = startCli(`${prune} --concurrency 4`, { api });
  await api.log.until(({ method }) => method === 'DELETE', 4);
  run.signal('SIGINT');
  await run.says(/interrupted: finishing the calls in flight/);
  open();
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 130);
  assert.equal(stdout.match(/ deleted from /g)?.length, 4);
  assert.match(stderr, /^interrupted: 46 deletes not started$/m);
  assert.match(stderr, /^4 Jobs deleted, .*0 failed/m);
  assert.equal(api.log.writes().length, 4);
  assert.equal(api.names('jobs').length, 46);
});

test('a second Ctrl-C ends at once', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(5));
  const { fault, open } = gate();
  api.faults.on({ method: 'DELETE' }, fault);
  const run = startCli(prune, { api });
  await api.log.until(({ method }) => method === 'DELETE', 5);
  run.signal('SIGINT');
  await run.says(/again to end at once/);
  run.signal('SIGINT');
  assert.equal((await run.ended).code, 130);
  open();
});

test('Ctrl-C while a throttled delete waits for its turn: it is not sent again, and is not called deleted', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1));
  const seconds = { 'retry-after': '60' };
  api.faults.on({ method: 'DELETE' }, async () => ({ status: 429, body: {}, headers: seconds }));
  const signalAfter = api.log.until(({ method, status }) => method === 'DELETE' && status === 429);
  const { code, stdout, stderr } = await runCli(prune, { api, signalAfter });
  assert.equal(code, 130);
  assert.doesNotMatch(stdout, / deleted /);
  assert.match(stderr, /^job\.batch\/done-0000 not deleted: /m);
  assert.equal(api.log.writes().length, 1);
});

test('Ctrl-C during the wait says what is still there and why', async t => {
  const api = await aFake(t, { collector: 'off' });
  const job = aJob('etl').running();
  api.add(job, aPod('etl-x').of(job).running());
  const run = startCli('delete job/etl --yes', { api });
  await api.log.until(({ method, resource }) => method === 'DELETE' && resource === 'pods');
  // the plan's read, the next look, and the one after it: by then the first of the looks was judged
  await api.log.until(({ method, name }) => method === 'GET' && name === 'etl-x', 3);
  run.signal('SIGINT');
  const { code, stderr } = await run.ended;
  assert.equal(code, 130);
  assert.match(
    stderr,
    /^interrupted: 0 deletes not started, 1 object still there\n {2}pod\/etl-x: .* grace/m,
  );
});

test('Ctrl-C while reading changes nothing', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(5));
  const { promise, resolve } = Promise.withResolvers<void>();
  t.after(() => resolve());
  api.faults.on({ method: 'GET', resource: 'jobs' }, async (_, pass) => {
    await promise;
    return pass();
  });
  const signalAfter = api.log.until(({ resource }) => resource === 'jobs');
  const { code } = await runCli(prune, { api, signalAfter });
  assert.equal(code, 130);
  assert.deepEqual(api.log.writes(), []);
});

test('Ctrl-C typed at a terminal in the middle of the deletes is the same', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(20));
  const { fault, open } = gate();
  api.faults.on({ method: 'DELETE' }, fault);
  const terminal = runInTerminal('prune --standalone --older-than 1d --concurrency 2', { api });
  await terminal.waitFor(/\(y\/N\)/);
  terminal.type('y\r');
  await api.log.until(({ method }) => method === 'DELETE', 2);
  terminal.type('\x03');
  await terminal.waitFor(/interrupted: finishing the calls in flight/);
  open();
  assert.equal(await terminal.ended, 130);
  assert.match(terminal.screen(), /interrupted: 18 deletes not started/);
  assert.equal(api.names('jobs').length, 18);
});
