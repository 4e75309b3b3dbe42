// A CronJob that has filled the cluster: many Jobs at once, in every state that work can be in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { writePodStatus } from '../cluster/state/pods.ts';
import {
  aCronJob,
  aPlaceToStop,
  assertKept,
  endOf,
  jobsOf,
  pathOf,
  podsOf,
  startAll,
  startPending,
  writesOf,
} from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const names = (what: string, count: number) => Array.from({ length: count }, (_, at) => `${what}-${at}`);

test('S13: of 40 Jobs of a CronJob 15 run, 20 are pending and 5 crash again and again: the CronJob first, then all of them; what ran is kept, what never started goes and is told', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const owner = await aCronJob(admin, namespace, 'c', { concurrencyPolicy: 'Allow' });
  const wanted = { namespace, owner };
  const running = await startAll(
    admin,
    names('running', 15).map(name => ({ ...wanted, name, play: { takesToEnd: 2 } })),
  );
  const crashing = await startAll(
    admin,
    names('crashing', 5).map(name => ({
      ...wanted,
      name,
      play: { restarts: 4 },
      podSpec: { restartPolicy: 'OnFailure' },
    })),
  );
  for (const { pod } of crashing) {
    const [container] = (pod.status?.['containerStatuses'] ?? []) as object[];
    const state = { waiting: { reason: 'CrashLoopBackOff' } };
    await writePodStatus(admin, pod, { containerStatuses: [{ ...container, ready: false, state }] });
  }
  const pending = await inParallel(names('pending', 20), name => startPending(admin, { ...wanted, name }));

  const looked = await run('stop cronjob/c --no-save --dry-run -o wide');
  assert.equal(looked.stdout.match(/never started: it has no logs/g)?.length, 20);
  assert.match(looked.stdout, /1 CronJob, 40 Jobs, 20 running Pods would be stopped/);

  const trail = await auditTrail(plane);
  const done = await run('stop cronjob/c --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /^stopped: 1 CronJob suspended, 40 of 40 Jobs ended, 20 Pods ended and kept/m);
  for (const work of [...running, ...crashing]) {
    await assertKept(admin, work);
    assert.match(
      done.stdout,
      new RegExp(`^job\\.batch/${work.job.metadata.name} failed \\(.+\\), 1 Pod kept$`, 'm'),
    );
  }
  for (const { job, pod } of pending) {
    assert.match(endOf(await admin.get(pathOf(job))) ?? '', /^Failed\//);
    assert.deepEqual(await podsOf(admin, job), []);
    assert.match(done.stderr, new RegExp(`^pod/${pod.metadata.name} is gone: it could not be kept$`, 'm'));
  }
  assert.equal((await jobsOf(admin, namespace, owner.metadata.uid)).length, 40);
  const [first] = await writesOf(trail, user);
  assert.equal(first?.objectRef?.resource, 'cronjobs');
});
