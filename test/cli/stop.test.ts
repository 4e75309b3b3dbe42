// `stop` from the outside, where a real server will not do on demand what the scenario needs: other writers at the same moment, questions.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Fault, refusing, slow } from '../support/fake/faults.ts';
import { fieldsOf, withMetadata } from '../support/fake/object.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { runInTerminal } from '../support/terminal.ts';
import { aCronJob, aJob, aPod } from '../support/world.ts';
import { accepted, aFake, onPatch, patchesOf, playControllers, times, words } from './stop-fake.ts';

const enter = '\r';

test('S01: what is written, and in which order: the CronJob, the Job, its Pod, and the Job to its end', async t => {
  const api = await aFake(t);
  playControllers(api);
  const { code, stdout, stderr } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    api.log.lines().filter(line => line.startsWith('PATCH')),
    [
      'PATCH cronjobs batch/c',
      'PATCH jobs batch/j-0',
      'PATCH pods batch/p-0',
      'PATCH jobs batch/j-0',
      'PATCH jobs batch/j-0',
    ],
  );
  assert.match(stdout, /^pod\/p-0 ended, exit 143, logs kept$/m);
  assert.match(stdout, /^job\.batch\/j-0 failed \(BackoffLimitExceeded\), 1 Pod kept$/m);
});

// --- other writers ---------------------------------------------------------------------------------------------------------

/** The CronJob controller writes its status just before our patch comes in. */
const meanwhile =
  (api: FakeApi, labels: Readonly<Record<string, string>> = {}): Fault =>
  (_, pass) => {
    api.update('cronjobs', 'batch', 'c', object =>
      withMetadata(object, { labels: { ...labels, beat: String(Math.random()) } }),
    );
    return pass();
  };

test('409 on the CronJob several times: read again each time, and suspended in the end', async t => {
  const api = await aFake(t);
  api.faults.on(onPatch('cronjobs'), times(4, meanwhile(api)));
  playControllers(api);
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
  const patches = patchesOf(api, 'cronjobs');
  assert.deepEqual(
    patches.map(({ status }) => status),
    [409, 409, 409, 409, 200],
  );
  const versions = patches.map(({ body }) => fieldsOf(fieldsOf(body)['metadata'])['resourceVersion']);
  assert.equal(new Set(versions).size, 5, 'each with the version that was read last');
  assert.equal(fieldsOf(api.get('cronjobs', 'batch', 'c')?.spec)['suspend'], true);
});

test('409 on the CronJob again and again: no Job and no Pod is touched, it is said how to go on, exit 2', async t => {
  const api = await aFake(t);
  api.faults.on(onPatch('cronjobs'), meanwhile(api));
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^error: cronjob\.batch\/c not changed: /m);
  assert.match(stderr, /^error: stopped half-way: 1 object not touched, what runs goes on$/m);
  assert.match(stderr, /^Go on: kubectl jobctl stop cronjob\.batch\/c -n batch$/m);
  assert.equal(accepted(api), 0);
  assert.deepEqual([patchesOf(api, 'jobs'), patchesOf(api, 'pods')], [[], []]);
});

test('of the CronJobs that were named one cannot be suspended: none of their Jobs is touched', async t => {
  const api = await aFake(t);
  api.add(aCronJob('other'));
  api.faults.on({ ...onPatch('cronjobs'), name: 'other' }, refusing(403, 'Forbidden', 'not this one'));
  const { code, stderr } = await runCli('stop cronjob/c cronjob/other --no-save --yes', { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /error: cronjob\.batch\/other not changed: .*not this one/);
  assert.match(stderr, /stopped half-way/);
  assert.deepEqual([patchesOf(api, 'jobs'), patchesOf(api, 'pods')], [[], []]);
});

test('409 on Job and Pod: decided again on what is there now, and written then', async t => {
  const api = await aFake(t);
  api.faults.on(onPatch('jobs'), [touched(api, 'jobs', 'j-0')]);
  api.faults.on(onPatch('pods'), [touched(api, 'pods', 'p-0')]);
  playControllers(api);
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
  assert.ok(patchesOf(api, 'jobs').some(({ status }) => status === 409));
  assert.deepEqual(
    patchesOf(api, 'pods').map(({ status }) => status),
    [409, 200],
  );
});

test('409 under --dry-run=server: decided again too, on CronJob, Job and Pod; nothing is written', async t => {
  const api = await aFake(t);
  api.faults.on(onPatch('cronjobs'), times(2, meanwhile(api)));
  api.faults.on(onPatch('jobs'), times(2, touched(api, 'jobs', 'j-0')));
  api.faults.on(onPatch('pods'), times(2, touched(api, 'pods', 'p-0')));
  const { code, stderr } = await runCli('stop cronjob/c --no-save --dry-run=server', { api });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /3 writes would be accepted/);
  for (const resource of ['cronjobs', 'jobs', 'pods'] as const)
    assert.deepEqual(
      patchesOf(api, resource).map(({ status }) => status),
      [409, 409, 200],
      resource,
    );
  assert.equal(fieldsOf(api.get('cronjobs', 'batch', 'c')?.spec)['suspend'], false);
});

test('under --dry-run=server a Pod that ended by the time of its write has nothing to be written; one that cannot be read again is not told as done', async t => {
  const api = await aFake(t);
  api.faults.on(onPatch('pods'), [
    (_, pass) => {
      api.update('pods', 'batch', 'p-0', pod => ({ ...pod, status: { ...pod.status, phase: 'Succeeded' } }));
      return pass();
    },
  ]);
  const ended = await runCli('stop cronjob/c --no-save --dry-run=server', { api });
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stderr, /2 writes would be accepted/);
  assert.doesNotMatch(ended.stdout, /pod\/p-0 told/);
  assert.deepEqual(
    patchesOf(api, 'pods').map(({ status }) => status),
    [409],
  );

  const unread = await aFake(t);
  unread.faults.on(onPatch('pods'), (request, pass) => {
    unread.faults.on(
      { method: 'GET', resource: 'jobs', name: 'j-0' },
      refusing(403, 'Forbidden', 'not any more'),
    );
    return touched(unread, 'pods', 'p-0')(request, pass);
  });
  const { code, stderr } = await runCli('stop cronjob/c --no-save --dry-run=server', { api: unread });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /pod\/p-0 not changed/);
});

test('a CronJob that somebody deletes by the time of its patch takes its Jobs with it: they are told as lost, exit 2', async t => {
  const api = await aFake(t);
  api.faults.on(onPatch('cronjobs'), [
    (_, pass) => {
      api.remove('cronjobs', 'batch', 'c');
      return pass();
    },
  ]);
  playControllers(api);
  const { code, stdout, stderr } = await runCli(words, { api });
  assert.equal(code, 2, stderr);
  assert.match(stdout, /^cronjob\.batch\/c was already gone$/m);
  assert.match(stderr, /^error: job\.batch\/j-0 is gone: somebody or something deleted it$/m);
  assert.match(stderr, /^error: pod\/p-0 is gone/m);
});

// --- what is said, and the question -------------------------------------------------------------------------------------------

test('what is named and not there is not found, as kubectl says it', async t => {
  const api = await aFake(t);
  const { code, stderr } = await runCli('stop cronjob/nope --no-save --yes', { api });
  assert.equal(code, 1);
  assert.match(stderr, /cronjobs\.batch "nope" not found/);
});

test('S14: an entry of status.active that is gone is mentioned, and a CronJob of the same name in another life has no say', async t => {
  const api = await aFake(t);
  api.update('cronjobs', 'batch', 'c', object => ({
    ...object,
    status: { active: [{ kind: 'Job', name: 'gone' }] },
  }));
  const earlier = aCronJob('c').withUid('earlier');
  const job = aJob('c-1').ownedBy(earlier).running();
  api.add(job, aPod('c-1-x').of(job).running());
  playControllers(api);
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
  assert.match(
    stderr,
    /cronjob\.batch\/c lists gone as active, which is not; 1 unfinished Job of it was found by owner/,
  );
  assert.deepEqual(
    patchesOf(api, 'jobs').filter(({ name }) => name === 'c-1'),
    [],
  );
});

test('without --yes and without a terminal nothing is done; the plan’s digest goes ahead with exactly that plan', async t => {
  const api = await aFake(t);
  playControllers(api);
  const refused = await runCli('stop cronjob/c --no-save', { api });
  assert.equal(refused.code, 3, refused.stderr);
  const [, digest] = /--confirm ([0-9a-f]{8})/.exec(refused.stderr) ?? [];
  assert.ok(digest, refused.stderr);
  assert.equal(accepted(api), 0);
  const other = await runCli('stop cronjob/c --no-save --confirm 00000000', { api });
  assert.equal(other.code, 3, other.stderr);
  assert.equal(accepted(api), 0);
  const done = await runCli(`stop cronjob/c --no-save --confirm ${digest}`, { api });
  assert.equal(done.code, 0, done.stderr);
});

test('on a terminal the namespace has to be typed, because running work ends', async t => {
  const api = await aFake(t);
  playControllers(api);
  const no = runInTerminal('stop cronjob/c --no-save', { api, columns: 160 });
  await no.waitFor(
    /Stop 1 CronJob, 1 Job, 1 running Pod in namespace batch.*running work among them ends[\s\S]*Type batch:/,
  );
  no.type(`y${enter}`);
  assert.equal(await no.ended, 5);
  assert.equal(accepted(api), 0);
  const yes = runInTerminal('stop cronjob/c --no-save', { api, columns: 160 });
  await yes.waitFor(/Type batch:/);
  yes.type(`batch${enter}`);
  assert.equal(await yes.ended, 0);
  assert.match(yes.screen(), /stopped: 1 CronJob suspended, 1 of 1 Job ended/);
});

test('--dry-run reads and writes nothing', async t => {
  const api = await aFake(t);
  const { code, stdout } = await runCli('stop cronjob/c --dry-run', { api });
  assert.equal(code, 0);
  assert.match(stdout, /would be stopped; every Job and Pod stays\./);
  assert.deepEqual(patchesOf(api, 'cronjobs'), []);
  assert.equal(accepted(api), 0);
});

test('Ctrl-C in a --dry-run=server: it is said that not all was asked about, exit 130', async t => {
  const api = await aFake(t, 20);
  api.faults.on({ method: 'PATCH' }, slow(200));
  const { code, stdout } = await runCli('stop cronjob/c --no-save --dry-run=server --concurrency 1 -o json', {
    api,
    signalAfter: api.log.until(({ method }) => method === 'PATCH', 2),
  });
  const { notStarted, summary, actions } = JSON.parse(stdout);
  assert.deepEqual([code, summary.interrupted], [130, true]);
  assert.ok(notStarted.length > 0);
  assert.equal(actions.length + notStarted.length, 41);
});

test('Ctrl-C before the CronJob is answered: nothing of its Jobs is touched, and it is said how to go on', async t => {
  const api = await aFake(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  api.faults.on(onPatch('cronjobs'), async (_, pass) => {
    await promise;
    return pass();
  });
  const run = startCli(words, { api });
  await api.log.until(({ method, resource }) => method === 'PATCH' && resource === 'cronjobs');
  run.signal('SIGINT');
  await run.says(/interrupted: finishing/);
  resolve();
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 130, stderr);
  assert.match(stdout, /^cronjob\.batch\/c suspended$/m);
  assert.match(stderr, /^Undo: kubectl jobctl resume cronjob\.batch\/c -n batch$/m);
  assert.deepEqual([patchesOf(api, 'jobs'), patchesOf(api, 'pods')], [[], []]);
});

/** Somebody else writes to it at the same moment. */
const touched =
  (api: FakeApi, resource: 'jobs' | 'pods', name: string): Fault =>
  (_, pass) => {
    api.update(resource, 'batch', name, object =>
      withMetadata(object, { labels: { ...object.metadata.labels, beat: randomUUID() } }),
    );
    return pass();
  };
