// `prune pods`, how it deletes: what it asks of the server, what it waits for, and what it only shows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { releaseObject } from '../cluster/state/finalizers.ts';
import { createLeakedPod, createPodOf, endPod, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { countingProxy } from './counting-proxy.ts';
import { session } from './kubectl-jobctl.ts';
import { aNode } from './operator.ts';
import {
  aJobWithPods,
  aPlaceToPrune,
  assertGone,
  deleteTheOldWay,
  endedPod,
  leak,
  podsIn,
} from './prune-pods-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;
const many = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => endedPod(`${prefix}-${at}`));

test('W05: a leaked Pod that still runs stays and is shown; --include-running ends it with its grace period, and waits until it is gone', async t => {
  const { namespace, user, run, start } = await aPlaceToPrune(t, plane);
  const node = await aNode(t, plane, namespace);
  const job = await aJobWithPods(admin, namespace, 'gone', [endedPod('ended')]);
  const pod = await createPodOf(admin, job, {
    name: 'running',
    phase: 'Running',
    node,
    graceSeconds: 60,
    preStop: ['true'],
  });
  await deleteTheOldWay(admin, job);
  const before = await podsIn(admin, namespace);
  const looked = await run('prune pods --dry-run');
  assert.match(looked.stdout, /^running +Running, up to 60s grace, 1 preStop hook +- .*--include-running/m);
  const first = await run('prune pods --yes');
  assert.equal(first.code, 0, first.stderr);
  const between = await podsIn(admin, namespace);
  assertGone(before, between, ['ended']);

  const trail = await auditTrail(plane);
  const running = start('prune pods --include-running --yes');
  await until('the Pod to be terminating', 30_000, async () => {
    const { deletionTimestamp } = (await admin.get(podPath(namespace, 'running'))).metadata;
    if (running.hasEnded()) throw new Error(JSON.stringify(running.soFar()));
    return deletionTimestamp !== undefined;
  });
  const { metadata } = await admin.get(podPath(namespace, 'running'));
  assert.equal(metadata.deletionGracePeriodSeconds, 60, "the Pod's own grace period");
  assert.equal(running.hasEnded(), false, 'done is not said while the Pod runs');
  await endPod(admin, pod);
  const done = await running.ended;
  assertGone(between, await podsIn(admin, namespace), ['running']);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /1 Pod deleted, 0 failed/);
  const [sent] = await trail.atLeast(1, { verbs: ['delete'], user });
  assert.equal(sent?.requestObject?.['gracePeriodSeconds'], undefined);
});

test('W06: a leaked Pod that another controller holds is not called deleted: its finalizer is named, nothing is stripped; exit 4', async t => {
  const { namespace, user, run } = await aPlaceToPrune(t, plane);
  const finalizers = ['kueue.x-k8s.io/managed'];
  await leak(admin, namespace, 'gone', [endedPod('held', { finalizers }), endedPod('free')]);
  t.after(() => releaseObject(admin, podPath(namespace, 'held')));
  const trail = await auditTrail(plane);
  const done = await run('prune pods --yes --timeout 2s');
  assert.equal(done.code, 4, done.stderr);
  assert.match(done.stdout, /pod\/held deletion accepted, waiting on: kueue\.x-k8s\.io\/managed/);
  assert.match(done.stderr, /1 Pod deleted, 1 accepted but not gone, 0 failed/);
  assert.deepEqual(await trail.events({ verbs: ['patch', 'update'], user }), []);
  const again = await run('prune pods --yes');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stderr, /^held .*terminating since .*kueue\.x-k8s\.io\/managed/m);
});

test('W10: Pods that somebody else removes at the same time are gone, not failed, and both numbers are told', async t => {
  const { namespace, kubeconfig } = await aPlaceToPrune(t, plane);
  await leak(admin, namespace, 'gone', many('p', 20));
  const taken = new Set(['p-0', 'p-4', 'p-8', 'p-12', 'p-16']);
  const proxy = await countingProxy(t, kubeconfig, {
    beforeWrite: async write => {
      const name = write.split('/').at(-1) ?? '';
      if (taken.has(name)) await admin.delete(podPath(namespace, name), { gracePeriodSeconds: 0 });
    },
  });
  const done = await session(plane, proxy.kubeconfig).run('prune pods --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /20 Pods deleted, 5 of them already gone when we came, 0 failed/);
  assert.deepEqual(await podsIn(admin, namespace), []);
});

test('W13: one list of Pods, one of Jobs, and one look at each dead Job, however many Pods it has left; each delete is pinned to what was seen', async t => {
  const { namespace, user, run } = await aPlaceToPrune(t, plane);
  await aJobWithPods(admin, namespace, 'lives', many('lives', 5));
  const dead = ['x', 'y', 'z'];
  for (const name of dead) await leak(admin, namespace, name, many(name, 15));
  const pods = new Map(
    (await admin.list(podPath(namespace))).map(({ metadata }) => [metadata.name, metadata]),
  );
  const trail = await auditTrail(plane);
  const done = await run('prune pods --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /45 Pods deleted, 0 failed, 5 kept/);
  const deletes = await trail.atLeast(45, { verbs: ['delete'], user });
  for (const { objectRef, requestObject } of deletes) {
    const seen = pods.get(objectRef?.name ?? '');
    assert.deepEqual(requestObject?.['preconditions'], {
      uid: seen?.uid,
      resourceVersion: seen?.resourceVersion,
    });
    assert.equal(requestObject?.['propagationPolicy'], 'Background');
  }
  const reads = (await trail.events({ user, verbs: ['get', 'list'] })).flatMap(
    ({ verb, objectRef, requestURI }) =>
      objectRef?.resource === undefined
        ? []
        : [
            `${verb} ${objectRef.resource}${verb === 'get' ? ` ${objectRef.name}` : ''}${requestURI.includes('resourceVersion=0') ? ' cached' : ''}`,
          ],
  );
  assert.deepEqual(reads.sort(), [...dead.map(name => `get jobs ${name}`), 'list jobs', 'list pods']);
});

test('a Pod that changes between the plan and its delete is not deleted', async t => {
  const { namespace, kubeconfig } = await aPlaceToPrune(t, plane);
  await leak(admin, namespace, 'gone', many('p', 3));
  const proxy = await countingProxy(t, kubeconfig, {
    beforeWrite: async write => {
      if (!write.endsWith('/p-1')) return;
      await admin.patch(podPath(namespace, 'p-1'), { metadata: { labels: { adopted: 'yes' } } });
    },
  });
  const before = await podsIn(admin, namespace);
  const done = await session(plane, proxy.kubeconfig).run('prune pods --yes');
  assert.equal(done.code, 2, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['p-0', 'p-2']);
  assert.match(done.stderr, /pod\/p-1 not deleted: /);
});

test('--older-than counts from the end, of a running one from its making; what ended less long ago stays', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  await leak(admin, namespace, 'gone', [
    endedPod('hours', { ended: '3h', started: '4h' }),
    endedPod('minutes', { ended: '30m' }),
    { name: 'running', phase: 'Running', started: '5h' },
  ]);
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods --older-than 1h --include-running --yes -o wide');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['hours']);
  assert.match(done.stderr, /^minutes .*stays +ended less than 1h ago$/m);
  assert.match(done.stderr, /^running .*stays +made less than 1h ago$/m);
});

test('--dry-run=client writes nothing but access reviews; its digest lets exactly this plan through, and no other', async t => {
  const { namespace, user, run } = await aPlaceToPrune(t, plane);
  await leak(admin, namespace, 'gone', many('p', 3));
  const before = await podsIn(admin, namespace);
  const trail = await auditTrail(plane);
  const looked = await run('prune pods --dry-run=client');
  assert.equal(looked.code, 0, looked.stderr);
  const [, digest] = /--confirm ([0-9a-f]{8})/.exec(looked.stdout) ?? [];
  assert.ok(digest, looked.stdout);
  const asked = await run('prune pods');
  assert.equal(asked.code, 3);
  assert.match(asked.stderr, new RegExp(`--confirm ${digest}`));
  const wrong = await run('prune pods --confirm 00000000');
  assert.equal(wrong.code, 3);
  await createLeakedPod(admin, { ...endedPod('one-more'), namespace });
  assert.equal((await run(`prune pods --confirm ${digest}`)).code, 3, 'it is another plan now');
  const writes = await trail.events({
    user,
    verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
  });
  const written = writes.filter(({ objectRef }) => objectRef?.resource !== 'selfsubjectaccessreviews');
  assert.deepEqual(written, []);
  await admin.delete(podPath(namespace, 'one-more'), { gracePeriodSeconds: 0 });
  assertGone(before, await podsIn(admin, namespace), []);
  const done = await run(`prune pods --confirm ${digest}`);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(await podsIn(admin, namespace), []);
});

test('--dry-run=server asks the server to check each delete, and nothing goes', async t => {
  const { namespace, user, run } = await aPlaceToPrune(t, plane);
  await leak(admin, namespace, 'gone', many('p', 3));
  const before = await podsIn(admin, namespace);
  const trail = await auditTrail(plane);
  const done = await run('prune pods --dry-run=server --yes');
  assert.equal(done.code, 0, done.stderr);
  const deletes = await trail.atLeast(3, { verbs: ['delete'], user });
  assert.ok(deletes.every(({ dryRun }) => dryRun));
  assertGone(before, await podsIn(admin, namespace), []);
});
