// A stop that does not come through: what is told of the Pods that do not end, of those that are gone, and of writes that are refused; how
// to go on, and how to undo.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { endPod, podPath, writePodStatus } from '../cluster/state/pods.ts';
import { createPolicy } from '../cluster/state/policies.ts';
import { allowEverywhere, clusterRolePaths } from '../cluster/state/roles.ts';
import { until } from '../cluster/until.ts';
import { aNode } from './operator.ts';
import {
  aCronJob,
  aPlaceToStop,
  assertKept,
  endOf,
  pathOf,
  phaseOf,
  podsOf,
  startWork,
  statusOf,
  untilEndedByHand,
  untilTold,
  writesOf,
} from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const onItsOwn = { takesToEnd: untilEndedByHand };

test('S07: a phase that says Failed while the container runs is no end, and one within its grace is told apart from it when the time is out', async t => {
  const { namespace, start, run } = await aPlaceToStop(t, plane);
  const preStop = { exec: { command: ['sleep', '300'] } };
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    spec: { parallelism: 2, completions: 2 },
    play: onItsOwn,
    podSpec: {
      terminationGracePeriodSeconds: 600,
      containers: [{ name: 'main', image: 'registry.example/none:1', lifecycle: { preStop } }],
    },
  });
  const [early, slow] = work.pods;
  assert.ok(early && slow);
  const looked = await run('stop job/j --no-save --dry-run');
  assert.match(looked.stdout, /TERM, up to 600s grace, preStop: 1 hook/);
  const stopping = start('stop job/j --no-save --yes --timeout 6s');
  for (const pod of [early, slow]) await untilTold(admin, pod, stopping);
  // as the kubelet does when the deadline passes: the phase first, the containers when they have ended
  await writePodStatus(admin, early, { phase: 'Failed', reason: 'DeadlineExceeded' });
  const done = await stopping.ended;
  assert.equal(done.code, 4, done.stderr);
  assert.match(done.stderr, /error: timed out after 6s: 2 objects not at their end/);
  const line = (pod: typeof early) => `^ {2}pod/${pod.metadata.name}: `;
  assert.match(done.stderr, new RegExp(`${line(early)}its phase says Failed, and main still runs$`, 'm'));
  assert.match(done.stderr, new RegExp(`${line(slow)}5\\d\\ds of 600s grace left`, 'm'));
  assert.match(done.stderr, new RegExp(`^Go on: kubectl jobctl stop job.batch/j -n ${namespace}$`, 'm'));
  assert.doesNotMatch(done.stdout, /ended/);

  // the containers end, and the next stop finishes
  const next = start('stop job/j --no-save --yes');
  await endPod(admin, slow, { phase: 'Failed' });
  await writePodStatus(admin, slow, { reason: 'DeadlineExceeded' });
  await until('the Job to have its end', 30_000, async () => endOf(await admin.get(pathOf(work.job))));
  assert.equal(next.hasEnded(), false, 'a container still runs');
  await endPod(admin, early, { phase: 'Failed' });
  const finished = await next.ended;
  assert.equal(finished.code, 0, finished.stderr);
  await assertKept(admin, work);
});

test('S11: of two Pods one is being deleted: it is told that it cannot be kept, the other is; the Job is waited for from FailureTarget to Failed', async t => {
  const { namespace, start, run } = await aPlaceToStop(t, plane);
  const nodeName = await aNode(t, plane, namespace);
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    spec: { parallelism: 2, completions: 2, podReplacementPolicy: 'Failed' },
    podSpec: { nodeName, terminationGracePeriodSeconds: 300 },
    play: { takesToEnd: 1 },
  });
  const [going, kept] = work.pods;
  assert.ok(going && kept);
  await admin.delete(pathOf(going));
  const looked = await run('stop job/j --no-save --dry-run');
  assert.match(
    looked.stdout,
    new RegExp(`pod/${going.metadata.name} +being deleted since .*: it cannot be kept`),
  );
  const stopping = start('stop job/j --no-save --yes');
  await until('the Job to say that it will fail', 60_000, async () =>
    statusOf(await admin.get(pathOf(work.job))).conditions?.some(({ type }) => type === 'FailureTarget'),
  );
  assert.equal(endOf(await admin.get(pathOf(work.job))), undefined);
  assert.equal(stopping.hasEnded(), false);
  await endPod(admin, going);
  const done = await stopping.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, new RegExp(`^pod/${going.metadata.name} is gone: it could not be kept$`, 'm'));
  await assertKept(admin, { ...work, pods: [kept] });
});

test('S15: a Pod on a node that does not answer is told to end and does not: the time runs out, and the node is named', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const nodeName = await aNode(t, plane, namespace, 'Unknown');
  await allowEverywhere(admin, { user, rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] });
  t.after(async () => {
    for (const path of clusterRolePaths(user)) await admin.delete(path);
  });
  const work = await startWork(admin, { name: 'j', namespace, play: onItsOwn, podSpec: { nodeName } });
  const done = await run('stop job/j --no-save --yes --timeout 5s');
  assert.equal(done.code, 4, done.stderr);
  assert.match(
    done.stderr,
    new RegExp(
      `pod/${work.pod.metadata.name} is on node ${nodeName}, which does not answer: it cannot be told to end`,
    ),
  );
  assert.match(
    done.stderr,
    new RegExp(`pod/${work.pod.metadata.name}: its node ${nodeName} does not answer`),
  );
  assert.doesNotMatch(done.stdout + done.stderr, /ended and kept|logs kept/);
  assert.equal(phaseOf(await admin.get(pathOf(work.pod))), 'Running');
  assert.equal(endOf(await admin.get(pathOf(work.job))), undefined);
});

test('S17: where admission rejects the write on the Pod, it is told what was done and what runs on, how to go on and how to undo; exit 2, and the next stop finishes', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const [work, other] = [
    await startWork(admin, { name: 'j', namespace, owner: cronJob }),
    await startWork(admin, { name: 'other', namespace, owner: cronJob }),
  ];
  const name = `no-deadline-${namespace}`;
  const { bindingPath } = await createPolicy(t, admin, {
    name,
    namespace,
    resource: 'pods',
    expression: `object.metadata.name != '${work.pod.metadata.name}' || !has(object.spec.activeDeadlineSeconds)`,
    message: 'the deadline of this Pod is not yours',
    probe: { path: pathOf(work.pod), patch: { spec: { activeDeadlineSeconds: 1 } } },
  });
  const trail = await auditTrail(plane);
  const done = await run('stop cronjob/c --no-save --yes');
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stdout, /^cronjob\.batch\/c suspended$/m);
  assert.match(
    done.stderr,
    new RegExp(
      `^error: pod/${work.pod.metadata.name} not changed: .*the deadline of this Pod is not yours`,
      'm',
    ),
  );
  assert.match(done.stderr, new RegExp(name), 'the policy is named');
  assert.match(done.stderr, /^not all is stopped: 1 CronJob suspended, 1 of 2 Jobs ended/m);
  assert.match(done.stderr, new RegExp(`pod/${work.pod.metadata.name}.* still runs`), 'what runs on');
  assert.match(done.stderr, new RegExp(`^Go on: kubectl jobctl stop cronjob.batch/c -n ${namespace}$`, 'm'));
  assert.match(done.stderr, new RegExp(`^Undo: kubectl jobctl resume cronjob.batch/c -n ${namespace}$`, 'm'));
  await assertKept(admin, other);
  assert.equal(phaseOf(await admin.get(pathOf(work.pod))), 'Running');
  assert.equal(endOf(await admin.get(pathOf(work.job))), undefined);
  const refused = (await writesOf(trail, user)).filter(({ code }) => code === 422);
  assert.ok(refused.length > 0 && refused.length < 6, `asked ${refused.length} times`);

  await admin.delete(bindingPath);
  await until('the policy to be gone', 30_000, async () => {
    const patch = { spec: { activeDeadlineSeconds: 1 } };
    return admin.patch(`${podPath(namespace, work.pod.metadata.name)}?dryRun=All`, patch).then(() => true);
  });
  const finished = await run('stop cronjob/c --no-save --yes');
  assert.equal(finished.code, 0, finished.stderr);
  await assertKept(admin, work);
});

test('a Pod that somebody deletes half-way is told as lost, and the stop ends with 2; the others are kept', async t => {
  const { namespace, start } = await aPlaceToStop(t, plane);
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    spec: { parallelism: 2, completions: 2 },
    play: { takesToEnd: [3, 6] },
  });
  const [lost, kept] = work.pods;
  assert.ok(lost && kept);
  const stopping = start('stop job/j --no-save --yes');
  for (const pod of work.pods) await untilTold(admin, pod, stopping);
  await admin.delete(pathOf(lost));
  const done = await stopping.ended;
  assert.equal(done.code, 2, done.stderr);
  assert.match(
    done.stderr,
    new RegExp(`^error: pod/${lost.metadata.name} is gone: somebody or something deleted it$`, 'm'),
  );
  assert.match(done.stderr, /^not all is stopped: 1 of 1 Job ended, 1 Pod ended and kept, 1 lost/m);
  assert.deepEqual(
    (await podsOf(admin, work.job)).map(({ metadata }) => metadata.uid),
    [kept.metadata.uid],
  );
});

test('a Job that somebody deletes half-way is told as lost with its Pods', async t => {
  const { namespace, start } = await aPlaceToStop(t, plane);
  const work = await startWork(admin, { name: 'j', namespace, play: onItsOwn });
  const stopping = start('stop job/j --no-save --yes');
  await untilTold(admin, work.pod, stopping);
  await admin.delete(pathOf(work.job), { propagationPolicy: 'Background' });
  const done = await stopping.ended;
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, /^error: job\.batch\/j is gone: somebody or something deleted it$/m);
  assert.match(done.stderr, new RegExp(`^error: pod/${work.pod.metadata.name} is gone`, 'm'));
});
