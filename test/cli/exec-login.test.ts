// Login plugins and proxies: what stands between a kubeconfig and its server.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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

test('C01: a login plugin is asked once for a whole run, and what it says is seen', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(20));
  const { kubeconfig, calls } = withPlugin(api);
  const { code, stdout, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 0, stderr);
  assert.equal(calls(), 1);
  assert.match(stderr, /open https:\/\/login\.example and type ABCD/);
  assert.doesNotMatch(stdout, /login\.example/);
  deletedOnce(api, jobs);
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

/** A proxy that tunnels, and how often it did. */
async function aProxy(t: TestContext): Promise<{ url: string; tunnels: () => number }> {
  let tunnels = 0;
  const server = createServer().on('connect', (request, socket) => {
    tunnels += 1;
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels: () => tunnels };
}

test('C03: proxy-url of the kubeconfig is used for every request', async t => {
  const api = await aFake(t);
  const proxy = await aProxy(t);
  const jobs = api.add(...finishedJobs(30));
  const kubeconfig = api.kubeconfig();
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  config.clusters[0].cluster['proxy-url'] = proxy.url;
  writeFileSync(kubeconfig, JSON.stringify(config));
  const { code, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 0, stderr);
  assert.ok(proxy.tunnels() > 0);
  assert.equal(new Set(api.log.all().map(({ connection }) => connection)).size, proxy.tunnels());
  deletedOnce(api, jobs);
});
