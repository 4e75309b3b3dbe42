// Connections that break or fall silent in the middle of a run: nothing is lost, nothing is done twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusing, reset, silentAfter } from '../support/fake/faults.ts';
import { runCli } from '../support/run-cli.ts';
import { aJob } from '../support/world.ts';
import { aFake } from './fake.ts';
import { deletedOnce, finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

for (const protocol of ['h2', 'http/1.1', 'plain'] as const) {
  for (const when of ['before', 'after'] as const) {
    test(`${protocol}: connections that break ${when} a delete has its effect lose and repeat nothing`, async t => {
      const api = await aFake(t, { protocol });
      api.add(...finishedJobs(40));
      api.faults.on({ method: 'DELETE' }, reset(when), { every: 15 });
      const { code, stdout, stderr } = await runCli(prune, { api });
      assert.equal(code, 0, stderr);
      assert.equal(stdout.match(/^job\.batch "done-\d+" deleted/gm)?.length, 40, stdout);
      assert.match(stderr, /^40 Jobs deleted, 0 failed/m);
      assert.deepEqual(api.names('jobs'), []);
    });
  }
}

test('a Job that took the name of one whose delete broke off is not touched', async t => {
  const api = await aFake(t);
  const [made] = api.add(aJob('again').complete('2d ago'));
  assert.ok(made);
  api.recreate(made);
  api.faults.on({ method: 'DELETE' }, [reset('after')]);
  const { stderr } = await runCli(`${prune} --wait=false`, { api });
  assert.notEqual(api.get('jobs', 'batch', 'again')?.metadata.uid, made.metadata.uid, stderr);
  assert.deepEqual(
    api.log.writes().map(({ status }) => status),
    ['reset', 409],
  );
});

for (const protocol of ['h2', 'http/1.1'] as const) {
  test(`a connection that takes requests and answers none is given up for a new one (${protocol})`, async t => {
    const api = await aFake(t, { protocol });
    const jobs = api.add(...finishedJobs(10));
    const dead = new Set<number>();
    api.faults.on(
      ({ method, connection }) => method === 'DELETE' && (dead.size === 0 || dead.has(connection)),
      async ({ connection }) => {
        dead.add(connection);
        return 'silent';
      },
    );
    const { code, stderr } = await runCli(`${prune} --request-timeout 1s`, { api });
    assert.equal(code, 0, stderr);
    deletedOnce(api, jobs);
  });
}

test('a server that restarts in the middle is waited for, and what it did is not done again', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(30));
  api.faults.on({ method: 'DELETE', name: 'done-0012' }, [
    async (_, pass) => {
      const answer = await pass();
      await api.stop();
      setTimeout(() => void api.start(), 300);
      return answer;
    },
  ]);
  const { code, stdout, stderr } = await runCli(prune, { api });
  assert.equal(code, 0, stderr);
  assert.equal(stdout.match(/ deleted from /g)?.length, 30);
  assert.deepEqual(api.names('jobs'), []);
});

test('a server that has just come back forbids what it will allow in a moment: that is waited for', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(10));
  const unready = refusing(
    403,
    'Forbidden',
    'jobs.batch "done-0004" is forbidden: User "tester" cannot delete',
  );
  api.faults.on({ method: 'DELETE', name: 'done-0004' }, [reset('before'), unready, unready]);
  const { code, stderr } = await runCli(prune, { api });
  assert.equal(code, 0, stderr);
  deletedOnce(api, jobs);
});

test('what is forbidden without a break before is told at once', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  api.faults.on(
    { method: 'DELETE', name: 'done-0001' },
    refusing(403, 'Forbidden', 'admission webhook "x" denied the request'),
  );
  const { code, stderr } = await runCli(prune, { api });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /job.batch\/done-0001 not deleted: Error from server \(Forbidden\): admission webhook "x" denied the request/,
  );
  assert.equal(api.log.writes().filter(({ name }) => name === 'done-0001').length, 1);
});

test('a delete whose answer never comes was done: the repeated one finds nothing and counts it once', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(10));
  api.faults.on({ method: 'DELETE' }, [silentAfter(), silentAfter()]);
  const { code, stdout, stderr } = await runCli(`${prune} --request-timeout 1s`, { api });
  assert.equal(code, 0, stderr);
  assert.equal(stdout.match(/ deleted from /g)?.length, 10);
  assert.match(stderr, /^10 Jobs deleted, 0 failed/m);
});

test('a server that nobody answers for is told in one line', async t => {
  const api = await aFake(t);
  const kubeconfig = api.kubeconfig();
  await api.stop();
  const { code, stdout, stderr } = await runCli('prune', { kubeconfig });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(
    stderr,
    `The connection to the server ${new URL(api.url).host} was refused - did you specify the right host or port?\n`,
  );
});
