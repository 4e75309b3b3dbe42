// `stop` while the server is in trouble: throttling, a login that ends, a connection that breaks, lists that cannot be read for a while.
// What is not known is never told as lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internalError, refusing, reset, tooManyRequests, unauthorized } from '../support/fake/faults.ts';
import { fieldsOf } from '../support/fake/object.ts';
import type { Asked } from '../support/fake/request.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import {
  accepted,
  aFake,
  endPod,
  onPatch,
  patchesOf,
  playControllers,
  times,
  untilTold,
  words,
} from './stop-fake.ts';

const isRead = ({ method, resource }: Asked): boolean =>
  method === 'GET' && (resource === 'pods' || resource === 'jobs');

test('429: waits as long as it is told, goes on, and says so at the end', async t => {
  const api = await aFake(t);
  for (const resource of ['cronjobs', 'jobs', 'pods']) api.faults.on(onPatch(resource), [tooManyRequests(1)]);
  playControllers(api);
  const { code, stderr, ms } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^stopped: .*throttled 3 times/m);
  assert.ok(ms > 3000, `${ms} ms`);
});

test('500 on the Pod patch a few times: told to end in the end', async t => {
  const api = await aFake(t);
  api.faults.on(onPatch('pods'), times(2, internalError()));
  playControllers(api);
  const { code, stderr } = await runCli(words, { api });
  assert.equal(code, 0, stderr);
});

test('S17: a Pod patch that is refused: the other Job is stopped, what runs on is named, exit 2, and the refusal is not asked for again and again', async t => {
  const api = await aFake(t, 2);
  api.faults.on({ ...onPatch('pods'), name: 'p-0' }, refusing(403, 'Forbidden', 'the deadline is not yours'));
  playControllers(api);
  const { code, stdout, stderr } = await runCli(words, { api });
  assert.equal(code, 2, stderr);
  assert.match(stdout, /^job\.batch\/j-1 failed/m);
  assert.match(stderr, /^error: pod\/p-0 not changed: .*the deadline is not yours/m);
  assert.match(stderr, /^ {2}pod\/p-0: still runs, it was not told to end$/m);
  assert.match(stderr, /^Undo: kubectl jobctl resume cronjob\.batch\/c -n batch$/m);
  assert.equal(patchesOf(api, 'pods').filter(({ name }) => name === 'p-0').length, 1);
});

test('401 at the first Pod: nothing more is sent, what was done stands, and it is said how to go on', async t => {
  const api = await aFake(t, 3);
  api.faults.on(onPatch('pods'), unauthorized());
  const { code, stderr } = await runCli(`${words} --concurrency 1`, { api });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^stopped: the server cannot be reached, or does not let us in any more$/m);
  assert.match(stderr, /^Go on: kubectl jobctl stop cronjob\.batch\/c -n batch$/m);
  assert.match(stderr, /^not all is stopped: 1 CronJob suspended, 0 of 3 Jobs ended/m);
  // the login is read anew once, and the same write tried again
  assert.deepEqual(
    patchesOf(api, 'pods').map(({ name }) => name),
    ['p-0', 'p-0'],
  );
});

test('401 while it waits: nothing is told lost, because nothing is known; it ends by its timeout', async t => {
  const api = await aFake(t);
  playControllers(api, { holds: true });
  const run = startCli(`${words} --timeout 4s`, { api });
  await untilTold(api);
  api.faults.on(isRead, unauthorized());
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 4, stderr);
  assert.match(stderr, /job\.batch\/j-0: cannot be read now, so it is not known to be gone/);
  assert.doesNotMatch(stdout + stderr, / is gone|\d lost/);
});

test('a connection that breaks in the middle of the waiting is made anew', async t => {
  const api = await aFake(t);
  playControllers(api, { holds: true });
  const run = startCli(words, { api });
  await untilTold(api);
  api.faults.on(isRead, times(5, reset('before')));
  await api.log.until(({ status }) => status === 'reset', 5);
  api.breakConnections();
  endPod(api, 'p-0');
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^job\.batch\/j-0 failed \(BackoffLimitExceeded\), 1 Pod kept$/m);
});

test('a server that goes away in the middle of the waiting, and comes back', async t => {
  const api = await aFake(t);
  playControllers(api, { holds: true });
  const run = startCli(words, { api });
  await untilTold(api);
  await api.stop();
  endPod(api, 'p-0');
  await api.start();
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^pod\/p-0 ended, exit 143, logs kept$/m);
  assert.doesNotMatch(stdout + stderr, / is gone|\d lost/);
});

test('the answer to a Pod patch is lost, and it had its effect: told to end once, remembered once', async t => {
  const api = await aFake(t);
  api.faults.on(onPatch('pods'), [reset('after')]);
  playControllers(api);
  const run = startCli(words, { api });
  await api.log.until(({ method, resource }) => method === 'PATCH' && resource === 'pods');
  endPod(api, 'p-0');
  const { code, stderr } = await run.ended;
  assert.equal(code, 0, stderr);
  const note = String(fieldsOf(api.get('pods', 'batch', 'p-0')?.metadata.annotations)['jobctl/stopped']);
  assert.deepEqual(JSON.parse(note).changes, [{ path: '/spec/activeDeadlineSeconds', was: null, set: 1 }]);
});

for (const resource of ['pods', 'jobs'] as const) {
  test(`${resource} cannot be listed for a while: unknown is not absent, nothing is told lost, and it goes on afterwards`, async t => {
    const api = await aFake(t, 5);
    playControllers(api, { holds: true });
    const run = startCli(words, { api });
    await api.log.until(
      ({ method, resource: of, status }) => method === 'PATCH' && of === 'pods' && status === 200,
      5,
    );
    const before = api.log.all().length;
    api.faults.on({ method: 'GET', resource }, times(9, internalError()));
    await api.log.until(({ status }) => status === 500, 9);
    assert.equal(run.hasEnded(), false);
    assert.ok(api.log.all().length > before);
    for (let at = 0; at < 5; at += 1) endPod(api, `p-${at}`);
    const { code, stdout, stderr } = await run.ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^stopped: 1 CronJob suspended, 5 of 5 Jobs ended, 5 Pods ended and kept/m);
    assert.doesNotMatch(stdout + stderr, / is gone|\d lost/);
  });
}

test('403 for the list of Pods from the middle on: nothing is told lost, exit 4', async t => {
  const api = await aFake(t);
  playControllers(api, { holds: true });
  const run = startCli(`${words} --timeout 4s`, { api });
  await untilTold(api);
  api.faults.on({ method: 'GET', resource: 'pods' }, refusing(403, 'Forbidden', 'pods is forbidden'));
  const { code, stdout, stderr } = await run.ended;
  assert.equal(code, 4, stderr);
  assert.match(stderr, /cannot be read now, so it is not known to be gone/);
  assert.doesNotMatch(stdout + stderr, / is gone|\d lost/);
});

for (const resource of ['cronjobs', 'jobs', 'pods']) {
  test(`who may not read ${resource} is told so before anything is written`, async t => {
    const api = await aFake(t);
    api.rights.deny('list', resource).deny('get', resource);
    const { code, stderr } = await runCli(words, { api });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /[Ff]orbidden/);
    assert.equal(accepted(api), 0);
  });
}
