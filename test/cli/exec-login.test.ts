// Login plugins: asked when needed, and what they say to the person in front of them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FakeApi } from '../support/fake-api.ts';
import { runCli } from '../support/run-cli.ts';
import { aFake } from './fake.ts';
import { deletedOnce, finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

/** A plugin that notes each call, says something on stderr and gives `token-of-` and the number of the call. */
function withPlugin(api: FakeApi, more: object = {}): { kubeconfig: string; calls: () => number } {
  const calls = join(api.kubeconfig(), '..', 'calls');
  const script = `
    const { appendFileSync, readFileSync } = require('node:fs');
    appendFileSync(${JSON.stringify(calls)}, 'x');
    process.stderr.write('open https://login.example and type ABCD\\n');
    const token = 'token-of-' + readFileSync(${JSON.stringify(calls)}, 'utf8').length;
    console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }));`;
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', script],
    interactiveMode: 'IfAvailable',
    ...more,
  };
  return {
    kubeconfig: api.kubeconfig({ login: { exec } }),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').length : 0),
  };
}

test('a login plugin is asked once for a whole run, and writes nothing between the data', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(20));
  const { kubeconfig, calls } = withPlugin(api);
  const { code, stdout, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 0, stderr);
  assert.equal(calls(), 1);
  assert.doesNotMatch(stdout, /login\.example/);
  deletedOnce(api, jobs);
});

test('C01: what a login plugin says, a device code for example, is seen', async t => {
  const api = await aFake(t);
  const { stderr } = await runCli('prune', { kubeconfig: withPlugin(api).kubeconfig });
  assert.match(stderr, /open https:\/\/login\.example and type ABCD/);
});

test('C08: a login that ends in the middle is asked for again, once for all requests that meet its end', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(40));
  const { kubeconfig, calls } = withPlugin(api);
  api.faults.on({ method: 'DELETE', name: 'done-0010' }, [
    async (_, pass) => {
      api.acceptOnly('token-of-2');
      return pass();
    },
  ]);
  const { code, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 0, stderr);
  assert.equal(calls(), 2);
  deletedOnce(api, jobs);
});

test('C02: a plugin that is not installed is named, with the hint of the kubeconfig', async t => {
  const api = await aFake(t);
  const { kubeconfig } = withPlugin(api, {
    command: 'no-such-login',
    installHint: 'brew install no-such-login',
  });
  const { code, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 1);
  assert.match(stderr, /^error: getting credentials: [^\n]*no-such-login/);
  assert.match(stderr, /brew install no-such-login/);
  assert.doesNotMatch(stderr, /\n {4}at /);
});

test('C01: a plugin that fails is told with what it said, in place of a stack', async t => {
  const api = await aFake(t);
  const script = "process.stderr.write('not signed in: run login first\\n'); process.exit(3)";
  const { kubeconfig } = withPlugin(api, { args: ['-e', script] });
  const { code, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 1);
  assert.match(stderr, /not signed in: run login first/);
  assert.match(stderr, /error: getting credentials: /);
  assert.doesNotMatch(stderr, /\n {4}at /);
  assert.deepEqual(api.log.all(), []);
});
