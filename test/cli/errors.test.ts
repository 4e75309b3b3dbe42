// C10: what goes wrong is told in one line, in the words of kubectl, without dumps and stacks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internalError, refusing } from '../support/fake/faults.ts';
import { runCli } from '../support/run-cli.ts';
import { aFake } from './fake.ts';
import { finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

test('C10: a read that is forbidden ends the run with one line', async t => {
  const api = await aFake(t);
  api.rights.deny('list', 'jobs');
  const { code, stdout, stderr } = await runCli('prune', { api });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(
    stderr,
    'Error from server (Forbidden): jobs.batch is forbidden: User "tester" cannot list resource "jobs" in API group "batch" in the namespace "batch"\n',
  );
});

test('C14: what is forbidden in all namespaces only comes with a way out', async t => {
  const api = await aFake(t);
  api.rights.deny('*', '*').allow('*', '*', 'batch');
  api.add(...finishedJobs(1));
  const { code, stderr } = await runCli('prune -A --standalone --older-than 1d', { api });
  assert.equal(code, 1);
  assert.match(stderr, /^Error from server \(Forbidden\): [^\n]+ at the cluster scope\n[^\n]*-n[^\n]*\n$/);
  assert.equal((await runCli(prune, { api })).code, 0);
});

test('C10: an object that is not there', async t => {
  const api = await aFake(t);
  const { code, stderr } = await runCli('delete job/nope --yes', { api });
  assert.equal(code, 1);
  assert.equal(stderr, 'Error from server (NotFound): jobs.batch "nope" not found\n');
});

for (const verb of ['delete job', 'unstick job']) {
  test(`${verb}: of two objects that are not there one is told, and the read of the other keeps nobody waiting`, async t => {
    const api = await aFake(t);
    const { code, stderr } = await runCli(`${verb} nope neither -y`, { api, deadlineMs: 10_000 });
    assert.equal(code, 1);
    assert.match(stderr, /^Error from server \(NotFound\): jobs.batch "(nope|neither)" not found\n$/);
  });
}

test('C14: a named object that may not be read is forbidden, never not found, also with --ignore-not-found', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1));
  api.rights.deny('get', 'jobs');
  for (const flag of ['', ' --ignore-not-found']) {
    const { code, stderr } = await runCli(`delete job/done-0000 --yes${flag}`, { api });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^Error from server \(Forbidden\): jobs\.batch "done-0000" is forbidden/);
  }
  assert.deepEqual(api.log.writes(), []);
});

test('C10: a kind that is not served', async t => {
  const api = await aFake(t);
  const { code, stderr } = await runCli('delete widget/x --yes', { api });
  assert.equal(code, 1);
  assert.match(stderr, /^error: the server doesn't have a resource type "widget"\n/);
});

for (const [status, reason, message] of [
  [403, 'Forbidden', 'admission webhook "keep.example.com" denied the request: not on Fridays'],
  [409, 'Conflict', 'Operation cannot be fulfilled on jobs.batch "done-0000": the object has been modified'],
  [422, 'Invalid', 'Job.batch "done-0000" is invalid: spec.template: field is immutable'],
] as const) {
  test(`C10: a delete that is refused with ${status} is one line with reason, message and object`, async t => {
    const api = await aFake(t);
    api.add(...finishedJobs(1));
    api.faults.on({ method: 'DELETE' }, refusing(status, reason, message));
    const { code, stdout, stderr } = await runCli(prune, { api });
    assert.equal(code, 2);
    assert.equal(stdout, '');
    const [line, summary, end] = stderr.split('\n');
    assert.equal(line, `job.batch/done-0000 not deleted: Error from server (${reason}): ${message}`);
    assert.match(summary ?? '', /^0 deleted, 1 failed \(/);
    assert.equal(end, '');
  });
}

test('a server error is tried again a few times, then told', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(2));
  api.faults.on({ method: 'DELETE', name: 'done-0000' }, [internalError()]);
  api.faults.on({ method: 'DELETE', name: 'done-0001' }, internalError());
  const { code, stderr } = await runCli(prune, { api });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^job\.batch\/done-0001 may not be deleted, no clear answer came: Error from server \(InternalError\): Internal error occurred: etcdserver: no leader$/m,
  );
  assert.match(stderr, /^1 Job deleted, 1 failed/m);
});
