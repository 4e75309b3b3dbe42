// Where the lines go: data to standard output, all else to standard error; readers that are slow or go away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusing, slow } from '../support/fake/faults.ts';
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

test('--quiet: nothing but the document, also of failures and of a refusal', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const quiet = `${prune} --yes -o json --quiet`;
  const refused = await runCli(`${quiet} --max 1`, { api });
  const { refusal, exitCode } = JSON.parse(refused.stdout);
  assert.deepEqual([refused.code, exitCode, refused.stderr], [3, 3, '']);
  assert.equal(refusal.code, 'too-many');
  assert.match(refusal.text.join(), /--max/);

  api.faults.on({ method: 'DELETE', name: 'done-0001' }, refusing(403, 'Forbidden', 'not yours'));
  const failed = await runCli(quiet, { api });
  const { actions } = JSON.parse(failed.stdout);
  assert.deepEqual([failed.code, failed.stderr], [2, '']);
  assert.match(JSON.stringify(actions), /"state":"failed","problem":\{[^}]*not yours/);
  assert.deepEqual(api.names('jobs'), ['done-0001']);
});

test('--quiet without a document would leave nothing, and nobody could see what is asked about: refused, unless it is agreed to', async t => {
  const api = await aFake(t);
  const alone = await runCli(`${prune} --yes --quiet`, { api });
  assert.deepEqual([alone.code, api.log.all()], [1, []]);
  assert.match(
    alone.stderr,
    /^error: --quiet leaves nothing but what is for programs; give -o json, jsonl or yaml/,
  );
  const chosen = await runCli(`${prune} -o json --quiet -i`, { api });
  assert.deepEqual([chosen.code, api.log.all()], [1, []]);
  assert.match(chosen.stderr, /^error: --interactive asks, and --quiet shows nothing to people/);
  api.add(...finishedJobs(3));
  const terminal = runInTerminal(`${prune} -o json --quiet`, { api });
  assert.equal(await terminal.ended, 3);
  const { refusal } = JSON.parse(terminal.written());
  assert.equal(refusal.code, 'quiet');
  assert.match(refusal.text[0], /^--quiet shows no plan to agree to; nothing was deleted$/);
  assert.equal(api.names('jobs').length, 3);
  const { digest } = refusal.facts;
  const agreed = await runCli(`${prune} -o json --quiet --confirm ${digest}`, { api });
  assert.deepEqual([agreed.code, agreed.stderr, api.names('jobs')], [0, '', []]);
  // nothing to be asked about: a look
  assert.equal((await runCli(`${prune} -o json --quiet`, { api })).code, 0);
});

test('--quiet: no line while it reads, and none at a Ctrl-C; the document says that it was interrupted', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  api.faults.on({ method: 'GET' }, slow(700));
  const loud = runInTerminal(`${prune} --dry-run -o json`, { api });
  assert.equal(await loud.ended, 0);
  assert.match(loud.written(), /reading … \d+ requests/);
  const quiet = runInTerminal(`${prune} --dry-run -o json --quiet`, { api });
  assert.equal(await quiet.ended, 0);
  assert.equal(JSON.parse(quiet.written()).exitCode, 0);

  api.faults.clear();
  api.add(...finishedJobs(20));
  api.faults.on({ method: 'DELETE' }, slow(300));
  const { code, stdout, stderr } = await runCli(`${prune} --yes -o json --quiet --concurrency 1`, {
    api,
    signalAfter: api.log.until(({ method }) => method === 'DELETE'),
    signal: 'SIGTERM',
  });
  assert.deepEqual([code, stderr], [130, '']);
  const { summary, exitCode } = JSON.parse(stdout);
  assert.deepEqual([exitCode, summary.interrupted], [130, true]);
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
