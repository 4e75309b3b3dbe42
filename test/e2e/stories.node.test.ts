// Two of the stories that this tool was made for, on a real node: first the way in which they went wrong, then with `kubectl jobctl`.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createJob, jobPath } from '../cluster/state/jobs.ts';
import { podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import {
  containerOf,
  exitCodesOf,
  logOf,
  podSpecOf,
  type Shared,
  sharedFolder,
  statusOf,
  untilBegun,
  workScript,
} from './node-work.ts';
import { aPlace, operatorRules } from './operator.ts';
import { aCronJob, byHand, pathOf, podsOf, uidsOf, untilEnded, untilItRan, untilLost } from './stop-place.ts';
import { stopRules } from './stop-product/try.ts';

const plane = await startControlPlane({ node: true });
after(() => plane.stop());
const { admin } = plane;

/** A run that failed once before: its second Pod is at work. */
async function aRunThatFailedOnce(namespace: string, name: string) {
  const shared = sharedFolder(plane, `${namespace}-${name}`);
  const work = containerOf(plane, {
    // as real work does; at once, and the recipe below were a race that now and then ends well
    script: workScript({ fails: { times: 1, each: 'job' }, takes: [3] }),
    preStop: 'echo >/shared/hook',
  });
  const cronJob = await aCronJob(admin, namespace, name, {
    schedule: '*/5 * * * *',
    jobTemplate: { spec: { backoffLimit: 6, template: { spec: podSpecOf(shared, [work]) } } },
  });
  const job = await untilItRan(admin, cronJob);
  const [pod] = await untilBegun(admin, namespace, shared, 1).then(pods =>
    pods.filter(one => statusOf(one).phase === 'Running'),
  );
  assert.ok(pod);
  await until(
    'the failure to be counted',
    30_000,
    async () => (await admin.get(pathOf(job))).status?.['failed'] === 1,
  );
  return { cronJob, job, pods: await podsOf(admin, job), pod: { ...pod, kind: 'Pod' }, shared };
}

test('the emergency stop by the recipe, backoffLimit 0 and then a deadline on the Pod, takes the running Pod of a Job that failed once away, and its log', async t => {
  const { namespace } = await aPlace(t, plane);
  const { job, pod } = await aRunThatFailedOnce(namespace, 'sync');
  assert.match(await logOf(plane, pod), /^first line of /);
  await byHand.limit(admin, job, 0);
  await byHand.deadline(admin, pod).catch(() => undefined);
  await untilLost(admin, pod);
  await assert.rejects(logOf(plane, pod), /NotFound/);
  assert.equal(await untilEnded(admin, job), 'Failed/BackoffLimitExceeded');
});

test('the emergency stop with kubectl jobctl keeps both Pods and their logs, to the last line; no new work starts, and afterwards everything goes on as before', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: stopRules });
  const { cronJob, job, pods, pod, shared } = await aRunThatFailedOnce(namespace, 'sync');
  const { spec } = await admin.get(pathOf(cronJob));
  const stopped = await run('stop cronjob/sync --reason INC-1 --no-save --yes');
  assert.equal(stopped.code, 0, stopped.stderr);
  assert.match(stopped.stdout, new RegExp(`^pod/${pod.metadata.name} ended, exit 143, logs kept$`, 'm'));
  assert.deepEqual(uidsOf(await podsOf(admin, job)), uidsOf(pods));
  const { name } = pod.metadata;
  assert.equal(await logOf(plane, pod), `first line of ${name}\nlast line of ${name}\n`);
  assert.ok(shared.has('hook'));
  const failed = pods.find(({ metadata }) => metadata.uid !== pod.metadata.uid);
  assert.ok(failed);
  assert.equal(await logOf(plane, failed), 'failure 1\n');
  assert.deepEqual(exitCodesOf(await admin.get(podPath(namespace, name))), [143]);
  assert.equal((await admin.get(pathOf(cronJob))).spec?.['suspend'], true);

  const resumed = await run('resume cronjob/sync --yes');
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.deepEqual((await admin.get(pathOf(cronJob))).spec, spec);
  assert.deepEqual(uidsOf(await podsOf(admin, job)), uidsOf(pods));
});

/** A Job at work whose preStop hook clears its temporary files, in a folder of the node. */
async function aJobWithFiles(namespace: string): Promise<Shared> {
  const shared = sharedFolder(plane, `${namespace}-import`);
  const files = join(shared.path, 'scratch');
  mkdirSync(files);
  writeFileSync(join(files, 'chunk-1'), 'half of it');
  const work = containerOf(plane, {
    script: workScript(),
    preStop: 'echo >/shared/hook; rm -r /shared/scratch',
  });
  await createJob(admin, { name: 'import', namespace, podSpec: podSpecOf(shared, [work]) });
  await untilBegun(admin, namespace, shared, 1);
  return shared;
}

test('a Job deleted through the API without a policy leaves its Pod running: the preStop hook never runs, and the files stay', async t => {
  const { namespace } = await aPlace(t, plane);
  const shared = await aJobWithFiles(namespace);
  const [before] = await admin.list(podPath(namespace));
  // as a client that gives no options does it
  await admin.request('DELETE', jobPath(namespace, 'import'));
  await until('the Pod to be nobody’s', 30_000, async () => {
    const [pod] = await admin.list(podPath(namespace));
    return (pod?.metadata.ownerReferences ?? []).length === 0;
  });
  // the collector lets the Pod go first, and then the Job
  await until('the Job to be gone', 30_000, async () => {
    return (await admin.find(jobPath(namespace, 'import'))) === undefined;
  });
  const [pod] = await admin.list(podPath(namespace));
  assert.ok(pod);
  assert.equal(pod.metadata.uid, before?.metadata.uid);
  assert.deepEqual([statusOf(pod).phase, pod.metadata.deletionTimestamp], ['Running', undefined]);
  assert.deepEqual([shared.has('hook'), shared.has('scratch/chunk-1')], [false, true]);
});

test('the same Job deleted with kubectl jobctl: the hook has run and the files are gone when the command returns, the Pod too', async t => {
  const { namespace, run } = await aPlace(t, plane, { rules: operatorRules });
  const shared = await aJobWithFiles(namespace);
  const done = await run('delete job/import --yes');
  assert.deepEqual([shared.has('hook'), shared.has('scratch')], [true, false]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^job\.batch "import" deleted/m);
  assert.deepEqual(await admin.list(podPath(namespace)), []);
});
