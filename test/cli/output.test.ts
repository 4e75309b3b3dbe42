// Where the lines go: data to standard output, all else to standard error; readers that are slow or go away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slow } from '../support/fake/faults.ts';
import { runCli } from '../support/run-cli.ts';
import { runInTerminal } from '../support/terminal.ts';
import { aFake } from './fake.ts';
import { finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d';

test('C22: a reader that goes away after a line ends nothing: all Jobs go, without a stack', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1000));
  const { code, stdout, stderr } = await runCli(`${prune} --yes`, { api, readLines: 1 });
  assert.equal(stdout.split('\n').length, 2);
  assert.doesNotMatch(stderr, /EPIPE|\n {4}at /);
  assert.equal(code, 0);
  assert.deepEqual(api.names('jobs'), []);
});

test('-o name prints only what is gone, one a line', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const { stdout } = await runCli(`${prune} --yes -o name`, { api });
  assert.deepEqual(stdout.trim().split('\n').sort(), [
    'job.batch/done-0000',
    'job.batch/done-0001',
    'job.batch/done-0002',
  ]);
});

test('-o json is one document on standard output, with the exit code in it', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const { code, stdout } = await runCli(`${prune} --yes -o json`, { api });
  const document = JSON.parse(stdout);
  assert.equal(document.exitCode, code);
  assert.equal(document.kind, 'Result');
});

test('on a terminal the updating line of the deletes is about the deletes', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(200));
  api.faults.on({ method: 'DELETE' }, slow(80));
  const terminal = runInTerminal(`${prune} --yes --concurrency 4`, { api });
  assert.equal(await terminal.ended, 0);
  const written = terminal.written();
  const deleting = written.slice(written.indexOf('job.batch "'));
  assert.ok(/deleting \d+\/200/.test(deleting));
  assert.equal(deleting.match(/reading …/g)?.length ?? 0, 0);
});
