// `delete` on a real node, to the end: what preStop hooks did, what the kubelet said of them, and a node that does not answer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { collection, type Fields, type KubeObject } from '../cluster/admin.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createJob } from '../cluster/state/jobs.ts';
import { podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import {
  containerOf,
  deafScript,
  podSpecOf,
  type Shared,
  sharedFolder,
  untilBegun,
  workScript,
} from './node-work.ts';
import { aPlace } from './operator.ts';
import { untilItRan } from './stop-place.ts';

const plane = await startControlPlane({ node: true });
after(() => plane.stop());
const { admin, node } = plane;

interface Wish {
  readonly namespace: string;
  readonly name?: string;
  readonly script?: string;
  readonly preStop?: string;
  readonly graceSeconds?: number;
  readonly initContainers?: readonly Fields[];
}

function specOf({ namespace, name = 'j', script, preStop, graceSeconds = 30, initContainers }: Wish) {
  const shared = sharedFolder(plane, `${namespace}-${name}`);
  const work = containerOf(plane, {
    script: script ?? workScript(),
    ...(preStop === undefined ? {} : { preStop }),
  });
  const podSpec = podSpecOf(shared, [work], {
    terminationGracePeriodSeconds: graceSeconds,
    ...(initContainers === undefined ? {} : { initContainers }),
  });
  return { shared, podSpec };
}

/** A Job whose Pod is at work. */
async function aJob(wish: Wish): Promise<{ readonly shared: Shared; readonly pod: KubeObject }> {
  const { namespace, name = 'j' } = wish;
  const { shared, podSpec } = specOf(wish);
  await createJob(admin, { name, namespace, podSpec });
  await untilBegun(admin, namespace, shared, 1);
  const [pod] = await admin.list(`${podPath(namespace)}?labelSelector=job-name%3D${name}`);
  assert.ok(pod);
  return { shared, pod };
}

const failedLine = (pod: KubeObject, container = 'main') =>
  new RegExp(
    `^error: pod/${pod.metadata.name} is gone, and the preStop hook of container ${container} failed or took all of the grace period`,
    'm',
  );

const podsIn = (namespace: string) => admin.list(podPath(namespace));

test('when the command returns the preStop hook has run, TERM has come after it, and the Pod is gone', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const { shared } = await aJob({
    namespace,
    script:
      'trap "echo TERM >>/shared/story; exit 0" TERM; echo >/shared/began-$POD; while :; do sleep 1000 & wait; done',
    // long enough for a command that does not wait for it to be noticed
    preStop: 'sleep 2; echo hook >>/shared/story',
  });
  const done = await run('delete job/j --yes');
  assert.equal(shared.read('story'), 'hook\nTERM\n');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^job\.batch "j" deleted/m);
  assert.doesNotMatch(done.stderr, /hook/);
  assert.deepEqual(await podsIn(namespace), []);
});

test('a preStop hook that fails is named with its Pod and container, and the exit code is 2: what it was to remove is still there', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const { shared, pod } = await aJob({ namespace, preStop: 'echo >/shared/left-over; exit 3' });
  const done = await run('delete job/j --yes');
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, failedLine(pod));
  assert.match(done.stderr, /1 preStop hook failed/);
  assert.ok(shared.has('left-over'));
  assert.deepEqual(await podsIn(namespace), []);
});

test('a preStop hook that takes all of the grace period is named, once the Pod is gone', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const { shared, pod } = await aJob({ namespace, preStop: 'sleep 60; echo >/shared/hook', graceSeconds: 3 });
  const done = await run('delete job/j --yes');
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, failedLine(pod));
  assert.equal(shared.has('hook'), false);
  assert.deepEqual(await podsIn(namespace), []);
});

test('a container that does not hear TERM is named: it had to be killed at the end of the grace period; that is no failure', async t => {
  const { namespace, run } = await aPlace(t, plane);
  // its exit code may stand for a tenth of a second only, so that one may be missed; not three in a row
  for (let tries = 1; ; tries += 1) {
    const { pod } = await aJob({ namespace, script: deafScript, graceSeconds: 3 });
    const { name } = pod.metadata;
    const done = await run('delete job/j --yes -o json');
    assert.equal(done.code, 0, done.stderr);
    const line = `^pod/${name} took all of its grace period of 3s: main had to be killed at its end$`;
    const isTold = new RegExp(line, 'm').test(done.stderr);
    const { actions } = JSON.parse(done.stdout);
    const isInDocument = actions.some(
      (action: { state: string; name: string; killed?: string[] }) =>
        action.state === 'grace-used-up' && action.name === name && action.killed?.join() === 'main',
    );
    assert.equal(isInDocument, isTold, done.stdout);
    if (isTold) return;
    assert.ok(tries < 3, done.stderr);
  }
});

test('a container that ends a second before its grace period does is not said to have been killed', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const script = `trap "sleep 2; exit 0" TERM; echo >/shared/began-$POD; while :; do sleep 1000 & wait; done`;
  await aJob({ namespace, script, graceSeconds: 5 });
  const done = await run('delete job/j --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.doesNotMatch(done.stderr, /killed|grace period/);
});

test('of two containers and a sidecar, those whose hooks failed are named, and no other', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const sidecar = containerOf(plane, {
    name: 'side',
    script: workScript(),
    preStop: 'exit 1',
    more: { restartPolicy: 'Always' },
  });
  const { pod } = await aJob({ namespace, preStop: 'true', initContainers: [sidecar] });
  const done = await run('delete job/j --yes');
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, failedLine(pod, 'side'));
  assert.doesNotMatch(done.stderr, failedLine(pod, 'main'));
});

test('hooks of the Pods of a CronJob’s Jobs are looked at too, and those of other Pods are not blamed', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const other = await aJob({ namespace, name: 'other', preStop: 'exit 1' });
  const { shared, podSpec } = specOf({ namespace, name: 'c', preStop: 'exit 1' });
  const cronJob = await createCronJob(admin, {
    name: 'c',
    namespace,
    spec: { schedule: '*/5 * * * *', suspend: false, jobTemplate: { spec: { template: { spec: podSpec } } } },
  });
  const job = await untilItRan(admin, cronJob);
  const ofJob = `${podPath(namespace)}?labelSelector=job-name%3D${job.metadata.name}`;
  const pod = await until('the Pod of the CronJob to be at work', 60_000, async () => {
    const [one] = await admin.list(ofJob);
    return one !== undefined && shared.has(`began-${one.metadata.name}`) && one;
  });
  // its hook fails before ours does
  await admin.delete(podPath(namespace, other.pod.metadata.name));
  const events = `${collection('v1', 'events', namespace)}?fieldSelector=reason%3DFailedPreStopHook`;
  await until('the other hook to fail', 30_000, async () => (await admin.list(events)).length > 0);
  const done = await run('delete cronjob/c --yes');
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, failedLine(pod));
  assert.doesNotMatch(done.stderr, failedLine(other.pod));
});

test('without the right to list Events it is said that nobody can tell whether a hook failed', async t => {
  const rules = [
    { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'delete'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'delete'] },
  ];
  const { namespace, run } = await aPlace(t, plane, { rules });
  await aJob({ namespace, preStop: 'exit 1' });
  const done = await run('delete job/j --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stderr,
    new RegExp(`^whether preStop hooks failed in ${namespace} cannot be told: .*forbidden`, 'm'),
  );
});

test('a Pod that is still within its grace period is told apart from one on a node that does not answer; with the node back it goes', {
  timeout: 180_000,
}, async t => {
  const { namespace, run } = await aPlace(t, plane, { everywhere: true });
  const { pod } = await aJob({ namespace, script: deafScript, graceSeconds: 15 });
  const { name } = pod.metadata;
  const inGrace = await run('delete job/j --yes --timeout 3s');
  assert.equal(inGrace.code, 4, inGrace.stderr);
  assert.match(inGrace.stderr, new RegExp(`^ {2}pod/${name}: \\d+s of 15s grace left`, 'm'));
  assert.doesNotMatch(inGrace.stderr, /does not answer/);

  await node.stopKubelet();
  await until('the node to be unknown', 60_000, async () => {
    const { status } = await admin.get(`${collection('v1', 'nodes')}/${node.name}`);
    const { conditions } = status as { conditions: readonly { type: string; status: string }[] };
    return conditions.some(one => one.type === 'Ready' && one.status === 'Unknown');
  });
  const silent = await run(`delete pod/${name} --yes --timeout 3s`);
  assert.equal(silent.code, 4, silent.stderr);
  assert.match(
    silent.stderr,
    new RegExp(`^ {2}pod/${name}: its node ${node.name.replaceAll('.', '\\.')} does not answer`, 'm'),
  );
  assert.doesNotMatch(silent.stderr, /grace left/);

  const waiting = run(`delete pod/${name} --yes --timeout 90s`);
  await node.startKubelet();
  const gone = await waiting;
  assert.equal(gone.code, 0, gone.stderr);
  assert.deepEqual(await podsIn(namespace), []);
});
