// The guards around a plan: its digest, its size, its scope, and whose clock decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/run-cli.ts';
import { aJob, anObject, aPod } from '../support/world.ts';
import { aFake } from './fake.ts';
import { finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d';

test('--confirm goes on with exactly the plan that a dry run showed, and with no other', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const shown = await runCli(`${prune} --dry-run`, { api });
  const [, digest = ''] = /--confirm ([0-9a-f]{8})/.exec(shown.stdout) ?? [];
  api.add(aJob('late').complete('3d ago'));
  const changed = await runCli(`${prune} --confirm ${digest}`, { api });
  assert.equal(changed.code, 3);
  assert.match(changed.stderr, new RegExp(`the plan is [0-9a-f]{8} now, not ${digest}; nothing was deleted`));
  assert.deepEqual(api.log.writes(), []);
  api.remove('jobs', 'batch', 'late');
  assert.equal((await runCli(`${prune} --confirm ${digest}`, { api })).code, 0);
  assert.deepEqual(api.names('jobs'), []);
});

test('--max refuses the whole plan', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const { code, stderr } = await runCli(`${prune} --max 2 --yes`, { api });
  assert.equal(code, 3);
  assert.match(stderr, /the plan deletes 3 objects, --max allows 2; nothing was deleted/);
  assert.deepEqual(api.log.writes(), []);
});

test('C15: all of a kind that has no namespace is refused, whatever -n says', async t => {
  const api = await aFake(t);
  api.add(anObject('v1', 'Namespace', 'a'), anObject('v1', 'Namespace', 'b'));
  const { code, stderr } = await runCli('delete namespaces --all -n a --yes', { api });
  assert.notEqual(code, 0);
  assert.match(stderr, /cluster-scoped|not namespaced/);
  assert.deepEqual(api.log.writes(), []);
});

test('C14: what may not be deleted is known before the first delete', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  api.rights.deny('delete', 'jobs');
  const { code, stderr } = await runCli(`${prune} --yes`, { api });
  assert.equal(code, 3);
  assert.match(stderr, /you may not delete jobs\.batch in batch; nothing was deleted/);
  assert.deepEqual(api.log.writes(), []);
});

test("ages are counted by the server's clock, not by that of this machine", async t => {
  const api = await aFake(t, { clock: new Date('2001-01-01T12:00:00Z') });
  api.add(aJob('old').complete('2000-12-30T12:00:00Z'), aJob('new').complete('2001-01-01T11:00:00Z'));
  const { code, stdout } = await runCli(`${prune} --yes`, { api });
  assert.equal(code, 0);
  assert.match(stdout, /"old" deleted/);
  assert.deepEqual(api.names('jobs'), ['new']);
});

test('D11: a Pod that is made again under its name is another Pod: the wait ends, and it stays', async t => {
  const api = await aFake(t);
  const [made] = api.add(aPod('p').succeeded());
  assert.ok(made);
  api.recreate(made);
  const { code, stdout } = await runCli('delete pod/p --yes --timeout 20s', { api });
  assert.equal(code, 0);
  assert.match(stdout, /^pod "p" deleted from batch namespace$/m);
  assert.deepEqual(api.names('pods'), ['p']);
});

test('D17: a dead API group is named, and what it does not concern goes all the same', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1));
  api.silence('dead.example', 'v1');
  const { code, stderr } = await runCli('delete job/done-0000 --yes', { api });
  assert.equal(code, 0);
  assert.match(stderr, /^API group dead\.example does not answer; what belongs to it is not shown: /m);
  assert.deepEqual(api.names('jobs'), []);
});
