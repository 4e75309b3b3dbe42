// The runners themselves: words, the locked room, a terminal.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { split } from '../../support/command-line.ts';
import { silent } from '../../support/fake/faults.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { runCli } from '../../support/run-cli.ts';
import { runInTerminal } from '../../support/terminal.ts';
import { aCronJob, aJob } from '../../support/world.ts';

for (const [line, words] of [
  ['prune -A', ['prune', '-A']],
  [`delete job/a -l 'app in (a, b)'`, ['delete', 'job/a', '-l', 'app in (a, b)']],
  ['delete "a b" --x="c d"', ['delete', 'a b', '--x=c d']],
  [String.raw`a\ b "say \"hi\"" ''`, ['a b', 'say "hi"', '']],
] as const) {
  test(`a line is split as a shell does: ${line}`, () => assert.deepEqual(split(line), words));
}

test('a kubeconfig that these tests did not write is refused', async t => {
  const api = await startFakeApi(t);
  const path = join(api.dir, 'foreign');
  writeFileSync(path, 'apiVersion: v1\nclusters: [{name: prod, cluster: {server: "https://127.0.0.1:1"}}]\n');
  for (const run of [
    () => runCli('prune jobs', { kubeconfig: path }),
    () => runCli('prune jobs', { api, env: { KUBECONFIG: path } }),
    () => runCli(`prune jobs --kubeconfig ${path}`, { api }),
    () => runCli(`prune jobs --kubeconfig=${path}`, { api }),
  ]) {
    await assert.rejects(async () => run(), /was not written by these tests/);
  }
  await assert.rejects(async () => runCli('prune jobs --server https://10.0.0.1', { api }), /is not local/);
});

async function aHistory(t: Parameters<typeof startFakeApi>[0]) {
  const api = await startFakeApi(t);
  const owner = aCronJob('nightly').limits(1, 1);
  api.add(owner, ...[1, 2, 3].map(at => aJob(`nightly-${at}`).ownedBy(owner).complete(`${at}d ago`)));
  return api;
}

test('the command line runs against the fake, with its own streams and exit code', async t => {
  const api = await aHistory(t);
  const { stdout, stderr, code } = await runCli('prune jobs --yes', { api });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /job\.batch "nightly-3" deleted/);
  assert.deepEqual(api.names('jobs'), ['nightly-1']);
  api.log.assertWritesArePinned();
});

test('a signal reaches it at the request that was waited for', async t => {
  const api = await aHistory(t);
  api.faults.on({ method: 'DELETE' }, silent());
  const signalAfter = api.log.until(({ method }) => method === 'DELETE');
  const { code } = await runCli('prune jobs --yes', { api, signalAfter, signal: 'SIGKILL' });
  assert.equal(code, 137);
  assert.equal(api.names('jobs').length, 3);
});

test('in a terminal it asks, and is answered by typing', async t => {
  const api = await aHistory(t);
  const term = runInTerminal('prune jobs', { api, columns: 120 });
  await term.waitFor(/Delete 2 Jobs .*\?/);
  term.type('n\r');
  assert.equal(await term.ended, 5, term.screen());
  assert.deepEqual(api.log.lines(), []);
});
