// Much history of one CronJob, on a control plane whose own CronJob controller does not tidy it up first.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createFinishedJobs, jobPath } from '../cluster/state/jobs.ts';
import { until } from '../cluster/until.ts';
import { aPlace } from './operator.ts';

const plane = await startControlPlane({ controllerManagerFlags: ['--controllers=*,-cronjob-controller'] });
after(() => plane.stop());
const { admin } = plane;
const limits = { spec: { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 } };

async function history(namespace: string, count: number): Promise<void> {
  const owner = await createCronJob(admin, { name: 'nightly', namespace, ...limits });
  const wanted = Array.from({ length: count }, (_, at) => ({
    name: `j-${String(at).padStart(4, '0')}`,
    namespace,
    owner,
    ended: `${at + 1}m`,
    outcome: at % 10 === 9 ? ('failed' as const) : ('complete' as const),
  }));
  await createFinishedJobs(admin, wanted);
}
const jobsOf = async (namespace: string): Promise<string[]> =>
  (await admin.list(jobPath(namespace))).map(job => job.metadata.name).sort();
// the newest three that succeeded, and the newest that failed
const right = ['j-0000', 'j-0001', 'j-0002', 'j-0009'];

test('P01: 1,000 finished Jobs of one CronJob with limits 3 and 1: one prune leaves exactly the right four, a second one deletes nothing', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  await history(namespace, 1000);
  const trail = await auditTrail(plane);
  const done = await run('prune --yes -o name');
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(await jobsOf(namespace), right);
  const deleted = done.stdout.trim().split('\n');
  assert.deepEqual([deleted.length, new Set(deleted).size], [996, 996]);
  const events = await trail.atLeast(996, { verbs: ['delete'], resource: 'jobs', user });
  assert.equal(events.length, 996, 'each Job was deleted once');
  const again = await run('prune --yes -o json');
  assert.deepEqual(JSON.parse(again.stdout).summary.deleted, 0);
  assert.equal((await trail.events({ verbs: ['delete'], user })).length, 996);
});

test('an apiserver that dies in the middle of a prune and comes back loses nothing and deletes nothing twice', async t => {
  const { namespace, start, run } = await aPlace(t, plane);
  await history(namespace, 600);
  const running = start('prune --yes --concurrency 4');
  await until('the first deletes', 60_000, async () => running.soFar().stdout.split('\n').length > 40);
  await plane.killApiserver();
  assert.equal(running.hasEnded(), false);
  await plane.startApiserver();
  const done = await running.ended;
  const said = done.stdout.trim().split('\n');
  assert.equal(new Set(said).size, said.length, 'no Job is told twice');
  t.diagnostic(
    `the run that met the restart ended with ${done.code}: ${done.stderr.trim().split('\n').at(-1)}`,
  );
  // it either finishes or says what it could not do
  if (done.code !== 0) assert.match(done.stderr, /not deleted: /);
  const next = await run('prune --yes');
  assert.equal(next.code, 0, next.stderr);
  assert.deepEqual(await jobsOf(namespace), right);
});
