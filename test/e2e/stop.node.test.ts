// `stop` on a real node: containers get TERM, print their last line and end, hooks run, and Pods and logs are there afterwards.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { collection, inParallel, type KubeObject } from '../cluster/admin.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createJob } from '../cluster/state/jobs.ts';
import { podPath } from '../cluster/state/pods.ts';
import { allowEverywhere, clusterRolePaths } from '../cluster/state/roles.ts';
import { until } from '../cluster/until.ts';
import { brokenInContainers, startCases } from './node-cases.ts';
import {
  containerOf,
  deafScript,
  exitCodesOf,
  logOf,
  podSpecOf,
  savedLog,
  sharedFolder,
  statusOf,
  untilBegun,
  untilPods,
  workScript,
} from './node-work.ts';
import { aPlace } from './operator.ts';
import { endOf, pathOf, podsOf, uidsOf } from './stop-place.ts';
import { watchAftermath } from './stop-product/aftermath.ts';
import { allPairs } from './stop-product/all-pairs.ts';
import { fullProduct, isPossible, nameOf } from './stop-product/combinations.ts';
import { readTold } from './stop-product/told.ts';
import { stopRules } from './stop-product/try.ts';
import { judge } from './stop-product/verdict.ts';

const plane = await startControlPlane({ node: true });
after(() => plane.stop());
const { admin, node } = plane;

function aFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'jobctl-saved-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'evidence');
}

test('running work of every two kinds ends on its node: last line printed, preStop hook run, exit code as the work wanted it; same Pods, logs readable, and nothing new', {
  timeout: 400_000,
  // three minutes alone on a quiet machine
  skip: process.env['JOBCTL_NODE_PAIRS'] === '1' ? false : 'takes minutes: JOBCTL_NODE_PAIRS=1 runs it',
}, async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: stopRules });
  const { cases, nextRun } = await startCases(
    plane,
    namespace,
    allPairs(fullProduct().filter(isPossible)),
    150_000,
  );
  const startedMs = Date.now();
  const saved = aFolder(t);
  const told = readTold(await run(`stop cronjobs -l tried=${namespace} --yes -o json --save ${saved}`));
  const stoppedMs = Date.now();
  const aftermath = await watchAftermath(admin, namespace, { cases, nextRun });
  const pods = cases.flatMap(({ running }) => running).length;
  t.diagnostic(
    `${cases.length} Jobs with ${pods} running Pods stopped in ${(stoppedMs - startedMs) / 1000} s, watched for ${aftermath.watchedSeconds} s`,
  );
  assert.equal(told.code, 0, told.stderr);
  assert.ok(stoppedMs < nextRun.getTime(), 'it took longer than the next run of the CronJobs was away');
  const broken = await inParallel(cases, async tried => {
    const all = [...judge(tried, told, aftermath).broken, ...(await brokenInContainers(plane, tried, saved))];
    return all.map(one => `${nameOf(tried.combination)}: ${one}`);
  });
  assert.deepEqual(broken.flat(), []);
});

test('with --save the files hold the log of every container to its last line, of the init container, of the run before a restart and of the sidecar, and keep it when the Pod is deleted afterwards', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: stopRules });
  const shared = sharedFolder(plane, namespace);
  const init = containerOf(plane, { name: 'init', script: 'echo prepared' });
  const sidecar = containerOf(plane, {
    name: 'side',
    script: workScript(),
    more: { restartPolicy: 'Always' },
  });
  const main = containerOf(plane, { script: workScript({ fails: { times: 1, each: 'job' } }) });
  const second = containerOf(plane, { name: 'second', script: workScript({ exitCode: 0 }) });
  const podSpec = podSpecOf(shared, [main, second], {
    restartPolicy: 'OnFailure',
    initContainers: [init, sidecar],
  });
  await createJob(admin, { name: 'j', namespace, podSpec });
  const [pod] = await untilPods(admin, namespace, 'at work', ([one]) => {
    const { containerStatuses = [], initContainerStatuses = [] } = one === undefined ? {} : statusOf(one);
    const all = [...containerStatuses, ...initContainerStatuses];
    const restarted = containerStatuses.find(({ name }) => name === 'main');
    return all.filter(({ state }) => state.running).length === 3 && restarted?.restartCount === 1;
  });
  assert.ok(pod);
  const { name } = pod.metadata;
  await until(
    'the containers to write',
    10_000,
    async () =>
      (await logOf(plane, pod)).includes('first line') &&
      (await logOf(plane, pod, 'side')).includes('first line'),
  );
  const dir = aFolder(t);
  const done = await run(['stop', 'job/j', '--save', dir, '--yes']);
  assert.equal(done.code, 0, done.stderr);
  await admin.delete(podPath(namespace, name));
  await until('the Pod to be gone', 60_000, async () => !(await admin.find(podPath(namespace, name))));
  await assert.rejects(logOf(plane, pod), /NotFound/);
  const whole = `first line of ${name}\nlast line of ${name}\n`;
  for (const container of ['main', 'second', 'side']) assert.equal(savedLog(dir, name, container), whole);
  assert.equal(savedLog(dir, name, 'init'), 'prepared\n');
  assert.equal(savedLog(dir, name, 'main', true), 'failure 1\n');
});

test('a process that ignores TERM is killed at the end of its grace, which is told with its exit code 137; its log stays', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: stopRules });
  const shared = sharedFolder(plane, namespace);
  const main = containerOf(plane, { script: deafScript });
  const podSpec = podSpecOf(shared, [main], { terminationGracePeriodSeconds: 3 });
  const job = await createJob(admin, { name: 'j', namespace, podSpec });
  const pods = await untilBegun(admin, namespace, shared, 1);
  const [pod] = pods;
  assert.ok(pod);
  const done = await run('stop job/j --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, new RegExp(`^pod/${pod.metadata.name} ended, exit 137, logs kept$`, 'm'));
  assert.deepEqual(uidsOf(await podsOf(admin, job)), uidsOf(pods));
  assert.equal(await logOf(plane, pod), 'began\n');
});

test('a native sidecar gets TERM after the work has ended, both end with their last lines, and the Pod stays', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: stopRules });
  const shared = sharedFolder(plane, namespace);
  const sidecar = containerOf(plane, {
    name: 'side',
    script: workScript({ exitCode: 0 }),
    more: { restartPolicy: 'Always' },
  });
  const main = containerOf(plane, { script: workScript({ takes: [3] }) });
  const job = await createJob(admin, {
    name: 'j',
    namespace,
    podSpec: podSpecOf(shared, [main], { initContainers: [sidecar] }),
  });
  const pods = await untilPods(admin, namespace, 'at work', ([one]) => one !== undefined && isReady(one));
  const [pod] = pods;
  assert.ok(pod);
  const done = await run('stop job/j --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, new RegExp(`^pod/${pod.metadata.name} ended, exit 143, logs kept$`, 'm'));
  const kept = await podsOf(admin, job);
  assert.deepEqual(uidsOf(kept), uidsOf(pods));
  for (const container of ['main', 'side'])
    assert.match(await logOf(plane, pod, container), /\nlast line of /, container);
  const [after] = kept;
  assert.ok(after);
  const [work] = statusOf(after).containerStatuses ?? [];
  const [side] = statusOf(after).initContainerStatuses ?? [];
  const endOfOne = (one: typeof work) => String(one?.state.terminated?.finishedAt);
  assert.ok(endOfOne(work) <= endOfOne(side), 'the sidecar outlives the work');
});

const isReady = (pod: KubeObject): boolean => {
  const { containerStatuses = [], initContainerStatuses = [] } = statusOf(pod);
  return [...containerStatuses, ...initContainerStatuses].every(({ ready }) => ready);
};

test('a Pod whose image cannot be pulled has no log to lose: it ends by its deadline as the others do, and the Job is Failed', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: stopRules });
  const shared = sharedFolder(plane, namespace);
  const main = containerOf(plane, {
    script: workScript(),
    more: { image: 'registry.invalid/none:1', imagePullPolicy: 'IfNotPresent' },
  });
  const job = await createJob(admin, { name: 'j', namespace, podSpec: podSpecOf(shared, [main]) });
  const pods = await untilPods(admin, namespace, 'without an image', ([pod]) =>
    /^(ErrImagePull|ImagePullBackOff)$/.test(
      String(pod && statusOf(pod).containerStatuses?.[0]?.state.waiting?.reason),
    ),
  );
  const done = await run('stop job/j --no-save --yes --timeout 60s');
  assert.equal(done.code, 0, done.stderr);
  assert.equal(endOf(await admin.get(pathOf({ ...job, kind: 'Job' })))?.split('/')[0], 'Failed');
  assert.deepEqual(uidsOf(await podsOf(admin, job)), uidsOf(pods));
});

test('a Pod that finds no node cannot be kept, which is said before and after, and the Job is Failed', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: stopRules });
  const shared = sharedFolder(plane, namespace);
  const podSpec = podSpecOf(shared, [containerOf(plane, { script: workScript() })], {
    nodeSelector: { 'test.example/nowhere': 'true' },
  });
  const job = await createJob(admin, { name: 'j', namespace, podSpec });
  const [pod] = await untilPods(admin, namespace, 'unschedulable', ([one]) =>
    JSON.stringify(one?.status?.['conditions'] ?? '').includes('Unschedulable'),
  );
  assert.ok(pod);
  const shown = await run('stop job/j --no-save --dry-run');
  assert.match(shown.stdout, new RegExp(`pod/${pod.metadata.name} +never started: it has no logs`));
  assert.match(
    shown.stdout,
    /would be stopped; every Job and Pod stays, but for 1 Pod that cannot be kept\./,
  );
  const done = await run('stop job/j --no-save --yes --timeout 60s');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, new RegExp(`^pod/${pod.metadata.name} is gone: it could not be kept$`, 'm'));
  assert.equal(endOf(await admin.get(pathOf({ ...job, kind: 'Job' })))?.split('/')[0], 'Failed');
  assert.deepEqual(await podsOf(admin, job), []);
});

test('S15: a Pod on a node that does not answer is told as such when the time is out, with nothing lost; when the node is back the next stop comes to the end', {
  timeout: 240_000,
}, async t => {
  const { namespace, user, run } = await aPlace(t, plane, { rules: stopRules });
  await allowEverywhere(admin, { user, rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] });
  t.after(() => Promise.all(clusterRolePaths(user).map(path => admin.delete(path))));
  const shared = sharedFolder(plane, namespace);
  const podSpec = podSpecOf(shared, [containerOf(plane, { script: workScript() })], {
    terminationGracePeriodSeconds: 2,
  });
  const job = await createJob(admin, { name: 'j', namespace, podSpec });
  const pods = await untilBegun(admin, namespace, shared, 1);
  const [pod] = pods;
  assert.ok(pod);
  const { name } = pod.metadata;
  await node.stopKubelet();
  t.after(() => node.startKubelet());
  await until('the node to be unknown', 60_000, async () => {
    const { status } = await admin.get(`${collection('v1', 'nodes')}/${node.name}`);
    const { conditions } = status as { conditions: readonly { type: string; status: string }[] };
    return conditions.some(one => one.type === 'Ready' && one.status === 'Unknown');
  });

  const late = await run('stop job/j --no-save --yes --timeout 12s');
  assert.equal(late.code, 4, late.stderr);
  assert.match(late.stderr, /^error: timed out after 12s: 1 object not at its end$/m);
  assert.match(
    late.stderr,
    new RegExp(`^ {2}pod/${name}: its node ${node.name.replaceAll('.', '\\.')} does not answer`, 'm'),
  );
  assert.deepEqual(uidsOf(await podsOf(admin, job)), uidsOf(pods));

  // its log cannot be had now, and without it nothing more is done
  const dir = aFolder(t);
  const unsaved = await run(['stop', 'job/j', '--save', dir, '--yes']);
  assert.equal(unsaved.code, 2, unsaved.stderr);
  assert.match(unsaved.stderr, new RegExp(`^error: log of pod/${name} not saved: `, 'm'));

  await node.startKubelet();
  const done = await run('stop job/j --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^job\.batch\/j failed \(BackoffLimitExceeded\), 1 Pod kept$/m);
  const kept = await podsOf(admin, job);
  assert.deepEqual(uidsOf(kept), uidsOf(pods));
  assert.deepEqual(kept.flatMap(exitCodesOf), [143]);
  assert.equal(await logOf(plane, pod), `first line of ${name}\nlast line of ${name}\n`);
});
