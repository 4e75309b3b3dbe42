// Which cluster and which namespace: the flags count for every request, and every preview says where it would happen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/run-cli.ts';
import { aJob } from '../support/world.ts';
import { aFake } from './fake.ts';

test('C17: --context is honoured by every request, discovery included', async t => {
  const [prod, dev] = [await aFake(t), await aFake(t)];
  for (const api of [prod, dev]) api.add(aJob('etl').in('work').complete('2d ago'));
  const work = { namespace: 'work' };
  const kubeconfig = prod.kubeconfig(
    { context: 'prod', user: 'prod-user', ...work },
    { context: 'dev', user: 'dev-user', at: dev, ...work },
  );
  for (const words of [
    'delete etl --yes',
    'prune --standalone --older-than 1d --yes',
    'delete etl --dry-run=server',
  ]) {
    await runCli(`${words} --context dev`, { kubeconfig });
  }
  assert.deepEqual(prod.log.all(), []);
  assert.ok(dev.log.all().length > 5);
  assert.ok(dev.log.all().every(({ user }) => user === 'dev-user'));
  assert.deepEqual(dev.names('jobs'), []);
});

test('C17: a context that does not exist, and a flag that does not, end the run before any request', async t => {
  const api = await aFake(t);
  const unknown = await runCli('prune --context nope --yes', { api });
  assert.equal(unknown.code, 1);
  assert.equal(unknown.stderr, 'error: context "nope" does not exist\n');
  const flag = await runCli('prune --kontext dev --yes', { api });
  assert.equal(flag.code, 1);
  assert.match(flag.stderr, /^error: unknown flag: --kontext\n/);
  assert.deepEqual(api.log.all(), []);
});

test('C16: the preview begins with context, server and namespace', async t => {
  const api = await aFake(t);
  api.add(aJob('etl').complete('2d ago'));
  const { stdout } = await runCli('delete etl --dry-run', {
    api,
    kubeconfig: api.kubeconfig({ context: 'prod' }),
  });
  assert.equal(stdout.split('\n')[0], `prod (${api.url}), namespace batch (dry run)`);
});

test('C16: without a terminal nothing is asked and nothing is done', async t => {
  const api = await aFake(t);
  api.add(aJob('etl').complete('2d ago'));
  for (const stdin of ['', 'y\n']) {
    const { code, stdout, stderr } = await runCli('delete etl', { api, stdin });
    assert.equal(code, 3);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^error: no terminal to ask on; nothing was deleted\nPass --yes to go ahead, or --confirm [0-9a-f]{8}/m,
    );
  }
  assert.deepEqual(api.log.writes(), []);
});

test('-n counts for every request that has a namespace', async t => {
  const api = await aFake(t);
  api.add(aJob('etl').in('other').complete('2d ago'), aJob('etl').complete('2d ago'));
  const { code } = await runCli('delete etl -n other --yes', { api });
  assert.equal(code, 0);
  const namespaces = api.log.all().flatMap(({ namespace }) => namespace ?? []);
  assert.deepEqual([...new Set(namespaces)], ['other']);
  assert.deepEqual(api.names('jobs'), ['etl']);
});
