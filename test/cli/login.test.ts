// Who the requests come from: logins that expire in the middle, and impersonation.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { FakeApi } from '../support/fake-api.ts';
import { runCli } from '../support/run-cli.ts';
import { aFake } from './fake.ts';
import { deletedOnce, finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';
const unauthorized = 'error: You must be logged in to the server (Unauthorized)';

/** A kubeconfig whose token is in a file, as in a Pod, and the file. */
function withTokenFile(api: FakeApi, token: string): { kubeconfig: string; tokenFile: string } {
  const tokenFile = join(api.kubeconfig(), '..', 'token');
  writeFileSync(tokenFile, `${token}\n`);
  return { kubeconfig: api.kubeconfig({ login: { tokenFile } }), tokenFile };
}

async function aFakeWithJobs(t: TestContext, count: number) {
  const api = await aFake(t);
  return { api, jobs: api.add(...finishedJobs(count)) };
}

test('C08: a token that is renewed in the middle of the deletes is read again, once', async t => {
  const { api, jobs } = await aFakeWithJobs(t, 40);
  const { kubeconfig, tokenFile } = withTokenFile(api, 'token-of-tester');
  api.faults.on({ method: 'DELETE', name: 'done-0020' }, [
    async (_, pass) => {
      writeFileSync(tokenFile, 'token-of-renewed\n');
      api.acceptOnly('token-of-renewed');
      return pass();
    },
  ]);
  const { code, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^40 Jobs deleted, 0 failed/m);
  assert.ok(api.log.writes().some(({ user, status }) => user === 'renewed' && status === 200));
  deletedOnce(api, jobs);
});

test('C08: a login that the server does not take is tried twice, then told in the words of kubectl', async t => {
  const { api } = await aFakeWithJobs(t, 1);
  const { kubeconfig } = withTokenFile(api, 'token-of-nobody');
  api.acceptOnly('token-of-somebody');
  const { code, stdout, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.equal(stderr, `${unauthorized}\n`);
  assert.ok(api.log.all().every(({ status }) => status === 401));
  assert.equal(api.log.all().filter(({ path }) => path === '/apis').length, 2);
});

test('C08: a login that ends for good in the middle stops the run: one failure is told, the rest is not begun', async t => {
  const { api } = await aFakeWithJobs(t, 10);
  const { kubeconfig } = withTokenFile(api, 'token-of-tester');
  api.faults.on({ method: 'DELETE', name: 'done-0004' }, [
    async (_, pass) => {
      api.acceptOnly('token-of-somebody-else');
      return pass();
    },
  ]);
  const { code, stdout, stderr } = await runCli(`${prune} --concurrency 1`, { kubeconfig });
  assert.equal(code, 2);
  assert.equal(stdout.match(/ deleted from /g)?.length, 5);
  assert.equal(stderr.match(/^job\.batch\/done-\d+ not deleted: error: You must be logged in/gm)?.length, 1);
  assert.match(
    stderr,
    /does not let us in any more; 4 deletes not started\nThe next prune takes up the rest/,
  );
  assert.match(stderr, /^5 Jobs deleted, 1 failed/m);
});

for (const protocol of ['h2', 'plain'] as const) {
  test(`C20: --as, --as-group and --as-user-extra reach the server with every request, each group by itself (${protocol})`, async t => {
    const api = await aFake(t, { protocol });
    api.add(...finishedJobs(2));
    const words = [...prune.split(' '), '--as', 'jane', '--as-group', 'ops', '--as-group=night,shift'];
    const { code, stderr } = await runCli([...words, '--as-uid', '7', '--as-user-extra', 'scopes=view'], {
      api,
    });
    assert.equal(code, 0, stderr);
    assert.ok(api.log.all().length > 5);
    for (const { headers, rawHeaders, path } of api.log.all()) {
      assert.equal(headers['impersonate-user'], 'jane', path);
      assert.equal(headers['impersonate-uid'], '7', path);
      assert.equal(headers['impersonate-extra-scopes'], 'view', path);
      assert.deepEqual(groupsIn(rawHeaders), ['ops', 'night,shift'], path);
    }
  });
}

/** One entry for each header; Node joins them in `headers`. */
const groupsIn = (raw: readonly string[]): string[] =>
  raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === 'impersonate-group');

test('C20: impersonation of the kubeconfig is sent, and --as replaces all of it', async t => {
  const { api } = await aFakeWithJobs(t, 1);
  const login = { token: 'token-of-tester', as: 'jane', 'as-groups': ['ops'] };
  const kubeconfig = api.kubeconfig({ login });
  const seen = () =>
    api.log.all().map(({ headers }) => `${headers['impersonate-user']} ${headers['impersonate-group']}`);
  await runCli('prune', { kubeconfig });
  assert.deepEqual([...new Set(seen())], ['jane ops']);
  api.log.clear();
  await runCli('prune --as bob', { kubeconfig });
  assert.deepEqual([...new Set(seen())], ['bob undefined']);
});

test('C20: a group without a user is refused before any request', async t => {
  const { api } = await aFakeWithJobs(t, 1);
  const { code, stderr } = await runCli('prune --as-group ops', { api });
  assert.equal(code, 1);
  assert.match(stderr, /^error: .*--as\n$/);
  assert.deepEqual(api.log.all(), []);
});
