// What else has a say: the CronJob behind a Job, other owners, GitOps, queues, controllers of other clusters, lists that are out of date.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { cronJobPath } from '../cluster/state/cronjobs.ts';
import { createCustomResource } from '../cluster/state/custom-resources.ts';
import { createJob } from '../cluster/state/jobs.ts';
import {
  aCronJob,
  aPlaceToStop,
  assertKept,
  endOf,
  pathOf,
  phaseOf,
  startAll,
  startWork,
  templateOf,
  untilTold,
  writesOf,
} from './stop-place.ts';
import { aDefinition } from './unstick-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

test('stop job/x adds the CronJob that would start it again, visibly; its other Jobs go on', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const [named, other] = await startAll(
    admin,
    ['x', 'y'].map(name => ({ name, namespace, owner: cronJob })),
  );
  assert.ok(named && other);
  const looked = await run('stop job/x --no-save --dry-run');
  assert.match(
    looked.stdout,
    /suspend +cronjob\.batch\/c +suspend false → true.*\(it makes this Job: it would start another one, and its history limits would delete this one\)/,
  );
  assert.doesNotMatch(looked.stdout, /job\.batch\/y/);
  const done = await run('stop job/x --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^cronjob\.batch\/c suspended$/m);
  assert.match(done.stderr, /1 CronJob suspended, 1 of 1 Job ended/);
  await assertKept(admin, named);
  assert.equal((await admin.get(pathOf(cronJob))).spec?.['suspend'], true);
  assert.deepEqual((await admin.get(pathOf(other.job))).spec, other.job.spec);
  assert.equal(phaseOf(await admin.get(pathOf(other.pod))), 'Running');
});

test('a Job marked jobctl/keep that only the selector matches runs on, though its CronJob and its other Job are stopped', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const labels = { app: 'shop' };
  const cronJob = await aCronJob(admin, namespace, 'c');
  await admin.patch(pathOf(cronJob), { metadata: { labels } });
  const [kept, other] = await startAll(admin, [
    { name: 'kept', namespace, owner: cronJob, labels: { ...labels, 'jobctl/keep': '' } },
    { name: 'other', namespace, owner: cronJob, labels },
  ]);
  assert.ok(kept && other);
  const done = await run('stop cronjobs,jobs -l app=shop --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /1 CronJob suspended, 1 of 1 Job ended/);
  await assertKept(admin, other);
  assert.deepEqual((await admin.get(pathOf(kept.job))).spec, kept.job.spec);
  assert.equal(phaseOf(await admin.get(pathOf(kept.pod))), 'Running');
});

test('S08: a CronJob that Argo CD manages is said to be put back; where that happens during the stop it ends with 2 and says so', async t => {
  const { namespace, run, start } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(
    admin,
    namespace,
    'c',
    {},
    {
      annotations: { 'argocd.argoproj.io/tracking-id': `shop:batch/CronJob:${namespace}/c` },
    },
  );
  const work = await startWork(admin, { name: 'j', namespace, owner: cronJob, play: { takesToEnd: 3 } });
  const note =
    /cronjob\.batch\/c is managed by Argo CD \(application shop\), which may put it back: pause its sync\./;
  assert.match((await run('stop cronjob/c --no-save --dry-run')).stdout, note);
  const stopping = start('stop cronjob/c --no-save --yes');
  await untilTold(admin, work.pod, stopping);
  await admin.patch(pathOf(cronJob), { spec: { suspend: false } });
  const done = await stopping.ended;
  assert.equal(done.code, 2, done.stderr);
  assert.match(done.stderr, note);
  assert.match(
    done.stderr,
    /error: cronjob\.batch\/c is not suspended any more: somebody put it back after us/,
  );
  assert.match(done.stderr, /not all is stopped/);
  await assertKept(admin, work);
});

test('S09: a Job that spec.managedBy gives to another controller is refused with the reason, and nothing is done; --suspend-only is offered and works', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const job = await createJob(admin, {
    name: 'j',
    namespace,
    owner: cronJob,
    spec: { managedBy: 'kueue.x-k8s.io/multikueue' },
  });
  const trail = await auditTrail(plane);
  const refused = await run('stop cronjob/c --no-save --yes');
  assert.equal(refused.code, 3, refused.stderr);
  assert.match(
    refused.stderr,
    /refused: spec\.managedBy says kueue\.x-k8s\.io\/multikueue: that controller drives it, and its Pods may be in another cluster/,
  );
  assert.match(refused.stderr, /--suspend-only sees to it that no new Jobs are made/);
  assert.deepEqual(await writesOf(trail, user), []);
  const done = await run('stop cronjob/c --suspend-only --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.equal((await admin.get(pathOf(cronJob))).spec?.['suspend'], true);
  assert.deepEqual((await admin.get(pathOf(job))).spec, job.spec);
});

test('S10: a queued Job with one Pod is stopped with a warning and seen to be Failed; one with several Pods would be started again by Kueue, and is refused', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const labels = { 'kueue.x-k8s.io/queue-name': 'team' };
  const [one, two] = await startAll(admin, [
    { name: 'one', namespace, labels },
    { name: 'two', namespace, labels, spec: { parallelism: 2, completions: 2 } },
  ]);
  assert.ok(one && two);
  const trail = await auditTrail(plane);
  const refused = await run('stop job/two --no-save --yes');
  assert.equal(refused.code, 3, refused.stderr);
  assert.match(refused.stderr, /Kueue queue team would start all 2 Pods again/);
  assert.deepEqual(await writesOf(trail, user), []);
  const done = await run('stop job/one --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /job\.batch\/one is queued with Kueue \(team\), which may start it again/);
  await assertKept(admin, one);
});

test('S12: a Job that belongs to something else than a CronJob is stopped, and its owner is named, which may start another one', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const suffix = namespace.slice(-6);
  const definition = await aDefinition(t, plane, {
    group: `stop-${suffix}.example.test`,
    kind: 'TaskRun',
    plural: 'taskruns',
  });
  const owner = await createCustomResource(admin, definition, { name: 'build', namespace });
  const work = await startWork(admin, { name: 'j', namespace, owner });
  const done = await run('stop job/j --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stderr,
    new RegExp(
      `job\\.batch/j belongs to taskrun\\.stop-${suffix}\\.example\\.test/build, which may start another one: stop that first\\.`,
    ),
  );
  await assertKept(admin, work);
});

test('S14: Jobs are found by their owner, not in status.active, which lists none of them', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const works = await startAll(
    admin,
    ['one', 'two'].map(name => ({ name, namespace, owner: cronJob })),
  );
  // alike by name, and nobody's
  const alike = await startWork(admin, { name: 'c-29000000', namespace });
  const { status = {} } = await admin.get(cronJobPath(namespace, 'c'));
  assert.equal(status['active'], undefined);
  const done = await run('stop cronjob/c --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /2 of 2 Jobs ended/);
  for (const work of works) await assertKept(admin, work);
  assert.equal(phaseOf(await admin.get(pathOf(alike.pod))), 'Running');
  assert.equal(endOf(await admin.get(pathOf(alike.job))), undefined);
});

test('what a CronJob makes while it is being stopped is stopped too, and told', async t => {
  const { namespace, start } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const work = await startWork(admin, { name: 'j', namespace, owner: cronJob, play: { takesToEnd: 4 } });
  const stopping = start('stop cronjob/c --no-save --yes');
  await untilTold(admin, work.pod, stopping);
  // as a CronJob controller that was in the middle of a sync
  const late = await createJob(admin, {
    name: 'late',
    namespace,
    owner: cronJob,
    spec: { template: templateOf({}) },
  });
  const done = await stopping.ended;
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /^job\.batch\/late appeared since the plan was shown, and is stopped too$/m);
  await assertKept(admin, work);
  assert.match(endOf(await admin.get(pathOf(late))) ?? '', /^Failed\//);
});

test('by label, what was selected is stopped, and nothing else', async t => {
  const { namespace, run } = await aPlaceToStop(t, plane);
  const [chosen, other] = await startAll(admin, [
    { name: 'chosen', namespace, labels: { team: 'billing' } },
    { name: 'other', namespace, labels: { team: 'search' } },
  ]);
  assert.ok(chosen && other);
  const done = await run('stop jobs -l team=billing --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, chosen);
  assert.deepEqual((await admin.get(pathOf(other.job))).spec, other.job.spec);
  // a second one with the same words finds nothing to do
  const again = await run('stop jobs -l team=billing --no-save --yes');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stderr, /stopped already/);
});
