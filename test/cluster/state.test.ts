import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aNamespace, sharedControlPlane } from './shared.ts';
import { createCronJob, cronJobPath } from './state/cronjobs.ts';
import { createCustomResource, createDefinition, customResourcePath } from './state/custom-resources.ts';
import { ownerReference } from './state/draft.ts';
import { configMapPath, createConfigMap, releaseObject, untilGone } from './state/finalizers.ts';
import {
  createFinishedJob,
  createFinishedJobs,
  createJob,
  createJobByHand,
  createRunningJob,
  jobPath,
  writeJobStatus,
} from './state/jobs.ts';
import { createNode, nodePath, writeNodeReady } from './state/nodes.ts';
import { createLeakedPod, createPod, createPodOf, endPod, podPath, writePodStatus } from './state/pods.ts';
import { until } from './until.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly lastTransitionTime: string;
}

const conditionsOf = (status: unknown) => (status as { conditions?: readonly Condition[] }).conditions ?? [];

test('a Job that finished in the past is kept as it was written', async t => {
  const namespace = await aNamespace(t, plane);
  const ended = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
  await createFinishedJob(admin, { namespace, name: 'complete', ended });
  await createFinishedJob(admin, {
    namespace,
    name: 'failed',
    ended,
    outcome: 'failed',
    reason: 'DeadlineExceeded',
  });
  // A Job the controller works on tells that it has had the time to touch the others.
  await createJob(admin, { namespace, name: 'live' });
  await until(
    'the Job controller to have come by',
    30_000,
    async () => (await admin.get(jobPath(namespace, 'live'))).status?.['active'] === 1,
  );
  const { status: complete } = await admin.get(jobPath(namespace, 'complete'));
  assert.equal(complete?.['completionTime'], '2026-01-02T03:04:05Z');
  assert.deepEqual(
    conditionsOf(complete).map(c => c.type),
    ['SuccessCriteriaMet', 'Complete'],
  );
  const { status: failed } = await admin.get(jobPath(namespace, 'failed'));
  assert.equal(failed?.['completionTime'], undefined);
  const last = conditionsOf(failed).at(-1);
  assert.deepEqual(
    [last?.type, last?.reason, last?.lastTransitionTime],
    ['Failed', 'DeadlineExceeded', '2026-01-02T03:04:05Z'],
  );
});

test('a Job made by hand takes the states between the others', async t => {
  const namespace = await aNamespace(t, plane);
  const job = await createJobByHand(admin, { namespace, name: 'never-started' });
  assert.equal(job.status?.['startTime'], undefined);
  const now = new Date().toISOString();
  const ending = {
    type: 'FailureTarget',
    status: 'True',
    reason: 'DeadlineExceeded',
    lastTransitionTime: now,
  };
  const { status } = await writeJobStatus(admin, job, {
    startTime: now,
    terminating: 1,
    conditions: [ending],
  });
  assert.deepEqual(
    conditionsOf(status).map(c => c.type),
    ['FailureTarget'],
  );
});

test('a hundred finished Jobs of one CronJob take seconds', async t => {
  const namespace = await aNamespace(t, plane);
  // Limits that the real CronJob controller does not act on.
  const spec = { successfulJobsHistoryLimit: 1000, failedJobsHistoryLimit: 1000 };
  const owner = await createCronJob(admin, { namespace, name: 'nightly', spec });
  const started = Date.now();
  const names = Array.from({ length: 100 }, (_, i) => `nightly-${i}`);
  await createFinishedJobs(
    admin,
    names.map((name, i) => ({ namespace, name, owner, ended: `${i + 1}h` })),
  );
  assert.equal((await admin.list(jobPath(namespace))).length, 100);
  assert.equal((await admin.get(cronJobPath(namespace, 'nightly'))).spec?.['suspend'], true);
  assert.ok(Date.now() - started < 20_000);
});

test('a running Job and its Pods in every phase, with and without a node', async t => {
  const namespace = await aNamespace(t, plane);
  const node = `node-${namespace}`;
  await createNode(admin, { name: node });
  t.after(() => admin.delete(nodePath(node)));
  const job = await createRunningJob(admin, { namespace, name: 'working' });
  assert.equal(job.status?.['active'], 1);
  for (const phase of ['Pending', 'Running', 'Succeeded', 'Failed'] as const) {
    for (const where of [{}, { node }]) {
      const name = `${phase.toLowerCase()}-${'node' in where ? 'bound' : 'unbound'}`;
      const pod = await createPodOf(admin, job, { name, phase, restarts: 7, ...where });
      assert.equal(pod.status?.['phase'], phase);
      assert.equal(pod.metadata.ownerReferences?.[0]?.['uid'], job.metadata.uid);
    }
  }
});

test('a Pod on a node stays Terminating until the test ends it, with its grace period', async t => {
  const namespace = await aNamespace(t, plane);
  const node = `node-${namespace}`;
  await createNode(admin, { name: node });
  t.after(() => admin.delete(nodePath(node)));
  const wanted = { namespace, node, phase: 'Running', preStop: ['sleep', '5'], graceSeconds: 120 } as const;
  const pod = await createPod(admin, { name: 'slow', ...wanted });
  await admin.delete(podPath(namespace, 'slow'));
  const held = await admin.get(podPath(namespace, 'slow'));
  assert.equal(held.metadata.deletionGracePeriodSeconds, 120);
  await writeNodeReady(admin, node, 'Unknown');
  assert.equal(conditionsOf((await admin.get(nodePath(node))).status)[0]?.status, 'Unknown');
  await endPod(admin, pod);
  assert.equal(await admin.find(podPath(namespace, 'slow')), undefined);
});

test('a leaked Pod stays: nobody owns it', async t => {
  const namespace = await aNamespace(t, plane);
  const leaked = await createLeakedPod(admin, { namespace, name: 'leaked', phase: 'Running' });
  await writePodStatus(admin, leaked, { phase: 'Failed', reason: 'Evicted' });
  assert.equal(leaked.metadata.ownerReferences, undefined);
  // The collector came by when something it does collect is gone.
  const owner = await createConfigMap(admin, { namespace, name: 'owner' });
  const ownerReferences = [ownerReference(owner, { controller: false, blockOwnerDeletion: false })];
  await createConfigMap(admin, { namespace, name: 'owned', ownerReferences });
  await admin.delete(configMapPath(namespace, 'owner'));
  await untilGone(admin, configMapPath(namespace, 'owned'), 60_000);
  assert.ok(await admin.find(podPath(namespace, 'leaked')));
});

test('a finalizer holds an object until it is released', async t => {
  const namespace = await aNamespace(t, plane);
  const path = configMapPath(namespace, 'held');
  await createConfigMap(admin, { namespace, name: 'held', finalizers: ['example.test/hold'] });
  await admin.delete(path);
  assert.ok((await admin.get(path)).metadata.deletionTimestamp);
  await releaseObject(admin, path);
  await untilGone(admin, path);
});

test('custom resources, namespaced and of the cluster', async t => {
  const namespace = await aNamespace(t, plane);
  const group = `${namespace}.example.test`;
  const widgets = await createDefinition(admin, { group, kind: 'Widget', plural: 'widgets' });
  const gizmos = await createDefinition(admin, { group, kind: 'Gizmo', plural: 'gizmos', scope: 'Cluster' });
  t.after(() => Promise.all([widgets, gizmos].map(definition => admin.delete(definition.path))));
  await createCustomResource(admin, widgets, { namespace, name: 'w', finalizers: ['example.test/hold'] });
  await createCustomResource(admin, gizmos, { name: 'g' });
  assert.equal((await admin.list(customResourcePath(widgets, namespace))).length, 1);
  assert.equal((await admin.list(customResourcePath(gizmos))).length, 1);
  await releaseObject(admin, customResourcePath(widgets, namespace, 'w'));
});
