// Answers that a well-behaved server would not give, and what a person is told about them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbage, refusing, sending } from '../support/fake/faults.ts';
import { runCli } from '../support/run-cli.ts';
import { aJob } from '../support/world.ts';
import { aFake } from './fake.ts';
import { finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

test('D04: a Job whose delete is refused with 422 is failed, its message shown in full, and the others go', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(5));
  const message =
    'Job.batch "done-0002" is invalid: spec.template: Invalid value: core.PodTemplateSpec{…}: field is immutable';
  api.faults.on({ method: 'DELETE', name: 'done-0002' }, refusing(422, 'Invalid', message));
  const { code, stdout, stderr } = await runCli(prune, { api });
  assert.equal(code, 2);
  assert.ok(
    stderr.includes(`job.batch/done-0002 not deleted: Error from server (Invalid): ${message}\n`),
    stderr,
  );
  assert.match(stderr, /^4 Jobs deleted, 1 failed/m);
  assert.doesNotMatch(stdout, /done-0002/);
  assert.deepEqual(api.names('jobs'), ['done-0002']);
});

test('D12: a ghost that only lists still show was already gone, and is asked for once', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(2));
  api.ghost(aJob('ghost').complete('2d ago'));
  const { code, stdout } = await runCli(`${prune} --timeout 5s`, { api });
  assert.equal(code, 0);
  assert.match(stdout, /^job\.batch\/ghost was already gone \(.*the server’s cache is inconsistent\)$/m);
  assert.equal(api.log.writes().filter(({ name }) => name === 'ghost').length, 1);
});

test('P21: a list whose items are null is an empty one', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1));
  const list = {
    kind: 'JobList',
    apiVersion: 'batch/v1',
    metadata: { resourceVersion: '1', new: {} },
    items: null,
  };
  api.faults.on({ method: 'GET', resource: 'jobs' }, sending(list));
  const { code, stdout, stderr } = await runCli(prune, { api });
  assert.equal(code, 0);
  assert.equal(stdout, '');
  assert.match(stderr, /No Jobs here\./);
});

test('P21: fields that nobody knows and fields of the wrong type are no reason to stop', async t => {
  const api = await aFake(t);
  const [made] = api.add(aJob('odd').complete('2d ago'));
  assert.ok(made);
  const metadata = {
    ...made.metadata,
    labels: null,
    annotations: [],
    finalizers: null,
    ownerReferences: 'none',
  };
  const odd = {
    ...made,
    metadata,
    spec: null,
    status: { ...made.status, uncountedTerminatedPods: 7, news: [1] },
  };
  const list = { kind: 'JobList', apiVersion: 'batch/v1', metadata: {}, items: [odd], surprise: true };
  api.faults.on(asked => asked.method === 'GET' && asked.resource === 'jobs', [sending(list)]);
  const { code, stdout, stderr } = await runCli(prune, { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^job\.batch "odd" deleted/m);
});

test('P21: a page of a proxy in place of a list is told in one line, and nothing is deleted', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1));
  api.faults.on({ method: 'GET', resource: 'jobs' }, garbage(200));
  const { code, stderr } = await runCli(prune, { api });
  assert.equal(code, 1);
  assert.match(stderr, /^error: the server's answer cannot be read: [^\n]+\n$/);
  assert.deepEqual(api.log.writes(), []);
});

test('an answer of a proxy to a delete is a failure of that object, without its markup', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  api.faults.on({ method: 'DELETE', name: 'done-0001' }, garbage(413, '<html><body>Too large</body></html>'));
  const { code, stderr } = await runCli(prune, { api });
  assert.equal(code, 2);
  assert.match(stderr, /^job\.batch\/done-0001 not deleted: Error from server: HTTP 413$/m);
  assert.match(stderr, /^2 Jobs deleted, 1 failed/m);
});

test('control characters from the cluster do not reach the terminal', async t => {
  const api = await aFake(t);
  const evil = 'x\u001b[2J\u001b]0;title\u0007\u202e\r\ny';
  api.add(
    aJob('failed').failed('2d ago', evil),
    aJob('held')
      .complete('2d ago')
      .finalizers([`example.com/${evil}`]),
    aJob('refused').complete('2d ago'),
    aJob('marked')
      .complete('2d ago')
      .annotated({ 'argocd.argoproj.io/tracking-id': `${evil}:batch/Job` }),
  );
  api.faults.on({ method: 'DELETE', name: 'refused' }, refusing(422, `Bad${evil}`, `no ${evil}`));
  const words = ['prune --standalone --older-than 1d', 'delete jobs --all'];
  for (const line of words) {
    const shown = await runCli(`${line} --dry-run -o wide`, { api });
    const done = await runCli(`${line} --yes --wait=false -o wide`, { api });
    for (const { stdout, stderr } of [shown, done]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      assert.doesNotMatch(stdout + stderr, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  }
});
