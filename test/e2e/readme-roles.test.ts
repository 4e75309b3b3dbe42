// The roles that the README points at are enough for what it says they are for: they are read from docs/roles/ and tried.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sharedControlPlane } from '../cluster/shared.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { releaseObject } from '../cluster/state/finalizers.ts';
import { createFinishedJob, jobPath } from '../cluster/state/jobs.ts';
import { createLeakedPod, createPodOf, endPod, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { documentedRoles, documentedRules } from '../support/documented-role.ts';
import { aNode, aPlace } from './operator.ts';
import { aCronJob, aPlaceToStop, startWork } from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;
/** Every one has to be tried. */
const tried = new Set<string>();
function rulesOf(name: string) {
  tried.add(name);
  return documentedRules(name);
}

for (const [role, command] of [
  ['prune-jobs', 'prune --older-than 1h --yes'],
  ['delete', 'delete job/old --yes'],
] as const) {
  test(`the role ${role} is enough for: ${command}`, async t => {
    const { namespace, run } = await aPlace(t, plane, { rules: rulesOf(role) });
    await createCronJob(admin, { name: 'c', namespace });
    const job = await createFinishedJob(admin, { name: 'old', namespace, ended: '2d' });
    await createPodOf(admin, job, { name: 'old-pod', phase: 'Succeeded' });
    const done = await run(command);
    assert.equal(done.code, 0, done.stderr);
    assert.doesNotMatch(done.stderr, /not readable/);
    assert.match(done.stderr, /1 Job deleted, 1 Pod gone/);
    assert.deepEqual([await admin.list(jobPath(namespace)), await admin.list(podPath(namespace))], [[], []]);
  });
}

test('the role prune-pods is enough for: prune pods --include-running --yes, with a Pod that takes its time', async t => {
  const { namespace, start } = await aPlace(t, plane, { rules: rulesOf('prune-pods') });
  const node = await aNode(t, plane, namespace);
  await createLeakedPod(admin, { name: 'ended', namespace, phase: 'Succeeded' });
  const pod = await createLeakedPod(admin, { name: 'running', namespace, phase: 'Running', node });
  const running = start('prune pods --include-running --yes');
  await until('the Pod to be terminating', 30_000, async () => {
    if (running.hasEnded()) throw new Error(JSON.stringify(running.soFar()));
    return (await admin.get(podPath(namespace, 'running'))).metadata.deletionTimestamp !== undefined;
  });
  await endPod(admin, pod);
  const done = await running.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.doesNotMatch(done.stderr, /not readable/);
  assert.match(done.stderr, /2 Pods deleted, 0 failed/);
  assert.deepEqual(await admin.list(podPath(namespace)), []);
});

test('the role unstick is enough for: unstick job/old --yes, with the Pod that keeps it', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: rulesOf('unstick'), everywhere: true });
  const job = await createFinishedJob(admin, { name: 'old', namespace, ended: '2d' });
  const finalizers = ['batch.kubernetes.io/job-tracking'];
  await createPodOf(admin, job, { name: 'old-pod', phase: 'Succeeded', finalizers });
  t.after(() => releaseObject(admin, podPath(namespace, 'old-pod')));
  await admin.delete(jobPath(namespace, 'old'), { propagationPolicy: 'Foreground' });
  await until('the collector to have come to the Pod', 30_000, async () => {
    const pod = await admin.get(podPath(namespace, 'old-pod'));
    return pod.metadata.deletionTimestamp !== undefined;
  });
  const done = await run('unstick job/old --stuck-for 0s --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.doesNotMatch(done.stderr, /not readable/);
  assert.match(done.stderr, /1 object freed and gone, 1 gone after them/);
  assert.deepEqual([await admin.list(jobPath(namespace)), await admin.list(podPath(namespace))], [[], []]);
});

test('the role stop is enough for: stop cronjob/c and resume cronjob/c --skip-missed --run-now', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane, rulesOf('stop'));
  const cronJob = await aCronJob(admin, namespace, 'c');
  const { job } = await startWork(admin, { name: 'j', namespace, owner: cronJob });
  const saved = mkdtempSync(join(tmpdir(), 'jobctl-test-saved-'));
  t.after(() => rmSync(saved, { recursive: true, force: true }));
  const stopped = await run(`stop cronjob/c --yes --save ${saved}`);
  assert.equal(stopped.code, 0, stopped.stderr);
  assert.equal((await admin.get(jobPath(namespace, job.metadata.name))).spec?.['parallelism'], 0);
  const resumed = await run('resume cronjob/c --skip-missed --run-now --yes');
  assert.equal(resumed.code, 0, resumed.stderr);
});

test('the role status is enough for: status -o wide, with a CronJob, a Job and a Pod', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: rulesOf('status') });
  await createCronJob(admin, { name: 'c', namespace });
  const job = await createFinishedJob(admin, { name: 'old', namespace, ended: '2d' });
  await createPodOf(admin, job, { name: 'old-pod', phase: 'Succeeded' });
  const done = await run('status -o wide');
  assert.equal(done.code, 0, done.stderr);
  assert.doesNotMatch(done.stdout + done.stderr, /not readable/);
  assert.match(done.stdout, /cronjob\.batch\/c/);
});

test('every role of the documents was tried', () => {
  assert.deepEqual([...tried].sort(), [...documentedRoles.keys()]);
});
