// Completion where there is nothing to be had: no message, no question, no second try, and soon.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../cluster/until.ts';
import { invocationOf } from '../support/command-line.ts';
import {
  garbage,
  internalError,
  reset,
  silent,
  tooManyRequests,
  unauthorized,
} from '../support/fake/faults.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { runCli } from '../support/run-cli.ts';
import { runInTerminal } from '../support/terminal.ts';
import { aJob } from '../support/world.ts';
import { aFake, completed, furnish, patient, requests } from './completing.ts';

for (const [name, fault] of Object.entries({
  '500': internalError(),
  '401': unauthorized(),
  '429': tooManyRequests(1),
  'a page of a proxy': garbage(),
  'a connection that breaks': reset('before'),
})) {
  test(`${name}: nothing is offered, nothing is said, and it is not asked twice`, async t => {
    const api = await aFake(t);
    furnish(api);
    api.faults.on({ method: 'GET' }, fault);
    assert.deepEqual(await completed('delete job _', { api }), [':4']);
    assert.equal(requests(api).length, 1);
  });
}

test('what may not be listed is not offered, and not complained about', async t => {
  const api = await aFake(t);
  furnish(api);
  api.rights.deny('list', 'jobs');
  assert.deepEqual(await completed('delete job _', { api }), [':4']);
  assert.deepEqual(await completed('stop _', { api }), ['cronjobs', 'jobs', 'scaledjobs', ':4']);
});

for (const [name, line, options] of [
  ['no kubeconfig, and nobody at its standard address', 'delete job _', { kubeconfig: null }],
  ['a kubeconfig that does not exist', 'delete --kubeconfig /nowhere job _', { kubeconfig: null }],
  ['a context that does not exist', 'delete --context nope job _', {}],
  ['a flag that does not exist', 'delete -Q job _', {}],
  ['a server that is not there', 'delete -s https://127.0.0.1:1 job _', {}],
] as const) {
  test(`${name}: nothing is offered, nothing is said`, async t => {
    const api = await aFake(t);
    assert.deepEqual(await completed(line, { api, ...options }), [':4']);
    assert.deepEqual(requests(api), []);
  });
}

test('a server that does not answer is not waited for, and the kinds that every cluster has are offered', async t => {
  const api = await aFake(t);
  furnish(api);
  api.faults.on({ method: 'GET' }, silent());
  const env = { JOBCTL_COMPLETION_TIMEOUT: '4s' };
  const { stdout, ms } = await runCli(['__complete', 'stop', ''], { api, env });
  assert.equal(stdout, 'cronjobs\njobs\n:4\n');
  assert.ok(ms < 15_000, `${ms} ms`);
});

test('a server that takes the connection and nothing else is waited for two seconds', async t => {
  const api = await aFake(t);
  api.freeze();
  const { stdout, ms } = await runCli(['__complete', 'delete', 'job', ''], { api });
  assert.equal(stdout, ':4\n');
  assert.ok(ms < 8000, `${ms} ms`);
});

test('half of a list is not offered: what looks like the only choice would be typed', async t => {
  const api = await aFake(t);
  api.add(...Array.from({ length: 501 }, (_, at) => aJob(`job-${String(at).padStart(3, '0')}`).running()));
  assert.equal((await completed('delete job job-', { api })).length, 502);
  api.faults.on(({ query }) => query['continue'] !== undefined, silent());
  assert.deepEqual(await completed('delete job job-49', { api, env: { JOBCTL_COMPLETION_TIMEOUT: '2s' } }), [
    ':4',
  ]);
});

/** A login plugin that notes what it was told, says something, and waits so long. */
function withPlugin(api: FakeApi, waitMs: number, more: object = {}) {
  const note = join(api.dir, 'told');
  const script = `
    const { writeFileSync } = require('node:fs');
    writeFileSync(${JSON.stringify(note)}, process.env.KUBERNETES_EXEC_INFO);
    process.stderr.write('open https://login.example and type ABCD\\n');
    process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(note)}, 'ended'); process.exit(); });
    setTimeout(() => console.log(JSON.stringify({ status: { token: 'token-of-tester' } })), ${waitMs});`;
  const exec = { command: process.execPath, args: ['-e', script], interactiveMode: 'IfAvailable', ...more };
  return { kubeconfig: api.kubeconfig({ login: { exec } }), note };
}

test('a login plugin is asked on a terminal too without one, and what it says does not reach the screen', async t => {
  const api = await aFake(t);
  furnish(api);
  const { kubeconfig, note } = withPlugin(api, 0);
  const terminal = runInTerminal(['__complete', 'resume', 'cronjob', ''], { kubeconfig, env: patient });
  assert.equal(await terminal.ended, 0);
  assert.equal(terminal.screen(), 'sync\n:4');
  assert.match(readFileSync(note, 'utf8'), /"interactive":false/);
});

test('a login plugin that has to ask is not asked', async t => {
  const api = await aFake(t);
  const { kubeconfig, note } = withPlugin(api, 0, { interactiveMode: 'Always' });
  const terminal = runInTerminal(['__complete', 'resume', 'cronjob', ''], { kubeconfig, env: patient });
  assert.equal(await terminal.ended, 0);
  assert.equal(terminal.screen(), ':4');
  assert.ok(!existsSync(note));
});

test('a login plugin that hangs is ended when the time is over', async t => {
  const api = await aFake(t);
  const { kubeconfig, note } = withPlugin(api, 600_000);
  const env = { JOBCTL_COMPLETION_TIMEOUT: '6s' };
  const { stdout, stderr, ms } = await runCli(['__complete', 'delete', 'job', ''], { kubeconfig, env });
  assert.deepEqual([stdout, stderr], [':4\n', '']);
  assert.ok(ms < 15_000, `${ms} ms`);
  await until('the plugin to be ended', 5000, async () => readFileSync(note, 'utf8') === 'ended');
});

/** A mount of one's own needs root, and a container that lets it. */
const unshare = '/usr/bin/unshare';
const canHideNames = spawnSync(unshare, ['-m', 'true']).status === 0;

test('a name server that does not answer is not waited for either, although nothing can end the question', {
  skip: !canHideNames && 'another resolv.conf for one process needs root and Linux',
}, async t => {
  const api = await aFake(t);
  const server = createSocket('udp4');
  t.after(() => server.close());
  const { promise, resolve } = Promise.withResolvers<void>();
  server.bind(53, '127.0.0.153', resolve);
  await promise;
  const names = join(api.dir, 'resolv.conf');
  writeFileSync(names, 'nameserver 127.0.0.153\n');
  const words = ['__complete', 'delete', '-s', 'https://api.invalid', 'job', ''];
  const { file, args, env, leave } = invocationOf(words, { api });
  t.after(leave);
  const hidden = ['-m', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', names, file, ...args];
  const startedMs = performance.now();
  const { status, stdout, stderr } = spawnSync(unshare, hidden, { env, encoding: 'utf8' });
  assert.deepEqual([status, stdout, stderr], [0, ':4\n', '']);
  // glibc asks twice, for five seconds each
  const ms = performance.now() - startedMs;
  assert.ok(ms < 8000, `${ms} ms`);
});

for (const [line, loaded] of [
  ['delete --', []],
  ['status --context _', ['src/cluster', 'yaml']],
  ['delete job _', ['src/cluster', 'undici', 'yaml']],
] as const) {
  test(`“${line}” loads ${loaded.join(', ') || 'no library'}, and never yargs or the client library`, {
    skip: process.env['KUBECTL_JOBCTL_BINARY'] !== undefined && 'a binary has no modules to be seen',
  }, async t => {
    const api = await aFake(t);
    const note = join(api.dir, 'loaded');
    const hook = `import { appendFileSync } from 'node:fs';
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) {
        appendFileSync(${JSON.stringify(note)}, url + '\\n');
        return next(url, context);
      } });`;
    writeFileSync(join(api.dir, 'hook.mjs'), hook);
    const env = { NODE_OPTIONS: `--import ${join(api.dir, 'hook.mjs')}` };
    await completed(line, { api, env });
    const urls = readFileSync(note, 'utf8');
    const libraries = ['src/cluster', 'undici', 'yaml', 'yargs', '@kubernetes/client-node', 'inquirer'];
    assert.deepEqual(
      libraries.filter(name => urls.includes(`/${name}/`)),
      loaded,
    );
  });
}
