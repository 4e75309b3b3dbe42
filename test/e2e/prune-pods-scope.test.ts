// `prune pods`, where it looks: one namespace unless asked otherwise, and never past what may not be read.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { createNamespace, namespacePath, untilServiceAccount } from '../cluster/state/namespaces.ts';
import { allowEverywhere, allowIn } from '../cluster/state/roles.ts';
import { aPlace } from './operator.ts';
import {
  aJobWithPods,
  aPlaceToPrune,
  assertGone,
  endedPod,
  leak,
  podsIn,
  prunePodsRules,
} from './prune-pods-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

// other tests leak Pods on this control plane too: under -A everything is narrowed to those of one test
const story = 'jobctl-story';
const ours = (namespace: string) => ({ labels: { [story]: namespace } });

test('C25: one namespace is the default; -A has to be asked for, and shows a count for each', async t => {
  const here = await aPlaceToPrune(t, plane, { everywhere: true });
  const there = await aPlace(t, plane);
  const labels = ours(here.namespace);
  await leak(admin, here.namespace, 'j', [endedPod('here-a', labels), endedPod('here-b', labels)]);
  await leak(admin, there.namespace, 'j', [endedPod('there-a', labels)]);
  await aJobWithPods(admin, there.namespace, 'lives', [endedPod('there-b', labels)]);
  const looked = await here.run(`prune pods -A -l ${story}=${here.namespace} --dry-run`);
  assert.match(looked.stdout, new RegExp(`^${here.namespace} +2 +0$`, 'm'));
  assert.match(looked.stdout, new RegExp(`^${there.namespace} +1 +1$`, 'm'));
  const before = await podsIn(admin, here.namespace, there.namespace);
  const one = await here.run('prune pods --yes');
  assert.equal(one.code, 0, one.stderr);
  const between = await podsIn(admin, here.namespace, there.namespace);
  assertGone(before, between, ['here-a', 'here-b']);
  const all = await here.run(`prune pods -A -l ${story}=${here.namespace} --yes`);
  assert.equal(all.code, 0, all.stderr);
  assertGone(between, await podsIn(admin, here.namespace, there.namespace), ['there-a']);
});

async function aKubeNamespace(t: TestContext, like: string): Promise<string> {
  const name = `kube-${like}`;
  await createNamespace(admin, { name, labels: { 'jobctl-test': 'true' } });
  t.after(() => admin.delete(namespacePath(name)));
  await untilServiceAccount(admin, name);
  return name;
}

test('under -A the kube-* namespaces are left alone, until one is named or --include-protected', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane, { everywhere: true });
  const kube = await aKubeNamespace(t, namespace);
  const labels = ours(namespace);
  await leak(admin, namespace, 'j', [endedPod('user-a', labels)]);
  await leak(admin, kube, 'j', [endedPod('kube-a', labels)]);
  const before = await podsIn(admin, namespace, kube);
  const done = await run(`prune pods -A -l ${story}=${namespace} --yes`);
  assert.equal(done.code, 0, done.stderr);
  const between = await podsIn(admin, namespace, kube);
  assertGone(before, between, ['user-a']);
  const looked = await run(`prune pods -A -l ${story}=${namespace} --include-protected --dry-run`);
  assert.match(looked.stdout, new RegExp(`^${kube} +1 +0$`, 'm'));
  assert.equal((await run(`prune pods -n ${kube} --yes`)).code, 0);
  assertGone(between, await podsIn(admin, namespace, kube), ['kube-a']);
});

test('W08: where Jobs may not be listed nothing is called leaked: that namespace is left alone, and it is said', async t => {
  const a = await aPlace(t, plane, { rules: [] });
  const b = await aPlace(t, plane, { rules: [] });
  const { user } = a;
  const [jobs, pods] = prunePodsRules;
  assert.ok(jobs && pods);
  await allowEverywhere(admin, { user, rules: [pods], name: `pods-${user}` });
  await allowIn(admin, a.namespace, { user, rules: [jobs], name: `jobs-${user}` });
  const labels = ours(a.namespace);
  await leak(admin, a.namespace, 'j', [endedPod('a-leaked', labels)]);
  await leak(admin, b.namespace, 'j', [endedPod('b-leaked', labels)]);
  await aJobWithPods(admin, b.namespace, 'lives', [endedPod('b-owned', labels)]);
  const before = await podsIn(admin, a.namespace, b.namespace);
  const trail = await auditTrail(plane);
  const done = await a.run(`prune pods -A -l ${story}=${a.namespace} --yes`);
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, a.namespace, b.namespace), ['a-leaked']);
  assert.match(done.stderr, new RegExp(`not readable: jobs.* in ${b.namespace}: .*\\(Forbidden\\)`));
  assert.match(done.stderr, /1 Pod deleted, 0 failed, 2 kept/);
  const deletes = await trail.atLeast(1, { verbs: ['delete', 'deletecollection'], user });
  assert.deepEqual(
    deletes.map(({ objectRef }) => objectRef?.namespace),
    [a.namespace],
  );
  const looked = await a.run(`prune pods -A -l ${story}=${a.namespace} --dry-run -o wide`);
  assert.match(looked.stdout, /b-leaked .*stays +Jobs cannot be read there, so whether its Job is gone/);

  // named alone it is an error, before anything is done
  const named = await a.run(`prune pods -n ${b.namespace} --yes`);
  assert.deepEqual([named.code, named.stdout], [1, '']);
  assert.match(named.stderr, /jobs.* is forbidden/);
  assertGone(before, await podsIn(admin, a.namespace, b.namespace), ['a-leaked']);
});

test('-l and --field-selector narrow what may go', async t => {
  const { namespace, run } = await aPlaceToPrune(t, plane);
  await leak(admin, namespace, 'j', [
    endedPod('x-failed', { labels: { app: 'x' }, phase: 'Failed' }),
    endedPod('x-succeeded', { labels: { app: 'x' } }),
    endedPod('y-failed', { labels: { app: 'y' }, phase: 'Failed' }),
  ]);
  const before = await podsIn(admin, namespace);
  const done = await run('prune pods -l app=x --field-selector status.phase=Failed --yes');
  assert.equal(done.code, 0, done.stderr);
  assertGone(before, await podsIn(admin, namespace), ['x-failed']);
});
