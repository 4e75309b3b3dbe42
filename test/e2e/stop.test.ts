// Running work is stopped: the same Pods end by their own deadlines and stay, the Job is Failed, nothing is started in their place, and
// what was changed is remembered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { until } from '../cluster/until.ts';
import {
  aCronJob,
  aPlaceToStop,
  assertKept,
  endOf,
  isRefused,
  jobsOf,
  noteOn,
  pathOf,
  podsOf,
  rememberedOn,
  startWork,
  stopRules,
  templateOf,
  uidsOf,
  untilItRan,
  untilRunning,
  untilTold,
  writesOf,
} from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const outOfReach = 2_147_483_647;
const [deadline, parallelism, backoffLimit] = [
  '/spec/activeDeadlineSeconds',
  '/spec/parallelism',
  '/spec/backoffLimit',
];

test('S01: the Pod of a CronJob’s Job ends by its own deadline and stays, the Job is Failed, no second Pod comes, the CronJob is suspended, and what was changed is remembered', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c', {
    schedule: '*/5 * * * *',
    concurrencyPolicy: 'Forbid',
    jobTemplate: { spec: { backoffLimit: 6, template: templateOf({}) } },
  });
  const work = await untilRunning(admin, await untilItRan(admin, cronJob), { active: 1 });

  const done = await run('stop cronjob/c --reason INC-1234 --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  const { name } = work.pod.metadata;
  assert.match(done.stdout, /^cronjob\.batch\/c suspended$/m);
  assert.match(done.stdout, new RegExp(`^pod/${name} ended, exit 143, logs kept$`, 'm'));
  assert.match(done.stdout, /^job\.batch\/c-\d+ failed \(BackoffLimitExceeded\), 1 Pod kept$/m);
  assert.match(done.stderr, /^stopped: 1 CronJob suspended, 1 of 1 Job ended, 1 Pod ended and kept/m);
  assert.match(done.stderr, new RegExp(`^Look: kubectl logs -n ${namespace} ${name}$`, 'm'));
  assert.match(
    done.stderr,
    new RegExp(`^Go on later: kubectl jobctl resume cronjob.batch/c -n ${namespace}$`, 'm'),
  );
  await assertKept(admin, work);
  assert.deepEqual(uidsOf(await jobsOf(admin, namespace, cronJob.metadata.uid)), [work.job.metadata.uid]);

  const stopped = await admin.get(pathOf(cronJob));
  assert.deepEqual([stopped.spec?.['suspend'], stopped.spec?.['failedJobsHistoryLimit']], [true, outOfReach]);
  assert.deepEqual(rememberedOn(stopped), {
    '/spec/suspend': false,
    '/spec/failedJobsHistoryLimit': 1,
    '/spec/successfulJobsHistoryLimit': 3,
  });
  const job = await admin.get(pathOf(work.job));
  assert.deepEqual(rememberedOn(job), { [backoffLimit]: 6, [parallelism]: 1 });
  const pod = await admin.get(pathOf(work.pod));
  assert.deepEqual(noteOn(pod).changes, [{ path: deadline, was: null, set: 1 }]);
  for (const object of [stopped, job, pod]) {
    const { uid, by, reason } = noteOn(object);
    assert.deepEqual([uid, by, reason], [object.metadata.uid, user, 'INC-1234']);
  }

  const said = await until('an Event about the CronJob and the Job', 10_000, async () => {
    const events = await admin.list(
      `/api/v1/namespaces/${namespace}/events?fieldSelector=reason=StoppedByUser`,
    );
    return (
      events.length === 2 && (events as unknown as { message: string }[]).map(event => event.message).sort()
    );
  });
  assert.deepEqual(said, [
    `stopped by ${user} with kubectl jobctl stop: INC-1234`,
    `suspended by ${user} with kubectl jobctl stop: INC-1234`,
  ]);
});

test('S02: with concurrencyPolicy Replace the next run would delete the running Job; it does not, because the CronJob is suspended before the Pod is touched', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  // past the next run, however late in its minute this is
  const takesToEnd = 64 - new Date().getSeconds();
  const cronJob = await aCronJob(admin, namespace, 'c', {
    schedule: '* * * * *',
    concurrencyPolicy: 'Replace',
    jobTemplate: { spec: { template: templateOf({ play: { takesToEnd } }) } },
  });
  const work = await untilRunning(admin, await untilItRan(admin, cronJob), { active: 1 });
  const trail = await auditTrail(plane);
  const done = await run('stop cronjob/c --no-save --yes --timeout 100s');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, work);
  assert.deepEqual(uidsOf(await jobsOf(admin, namespace, cronJob.metadata.uid)), [work.job.metadata.uid]);
  const writes = (await writesOf(trail, user)).map(({ objectRef }) => objectRef?.resource);
  assert.equal(writes[0], 'cronjobs');
  assert.ok(writes.indexOf('pods') > writes.indexOf('cronjobs'), writes.join());
});

test('S03: a Pod that has a deadline of 1 already is sent nothing, one with 3600 is lowered to 1, and its old deadline is remembered', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const { pods, ...work } = await startWork(admin, {
    name: 'j',
    namespace,
    spec: { parallelism: 2, completions: 2 },
    play: { takesToEnd: 4 },
    podSpec: { activeDeadlineSeconds: 3600 },
  });
  const [ending, other] = pods;
  assert.ok(ending && other);
  await admin.patch(pathOf(ending), { spec: { activeDeadlineSeconds: 1 } });
  // as a server answers: lower is possible, and never higher again
  const raised = admin.patch(pathOf(ending), { spec: { activeDeadlineSeconds: 3600 } });
  await assert.rejects(raised, isRefused(422, /must be less than or equal to previous value/));
  const trail = await auditTrail(plane);
  const looked = await run('stop job/j --no-save --dry-run -o wide');
  assert.match(looked.stdout, new RegExp(`pod/${ending.metadata.name} +ending already`));
  const done = await run('stop job/j --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, { ...work, pods });
  const writes = await trail.events({ user, verbs: ['patch'], resource: 'pods' });
  assert.deepEqual(
    writes.map(({ objectRef }) => objectRef?.name),
    [other.metadata.name],
  );
  assert.deepEqual(rememberedOn(await admin.get(pathOf(other))), { [deadline]: 3600 });
});

test('S04: the audit log shows no suspension of a Job, no deadline of a Job while a Pod is active, no parallelism below the active ones, and every write pinned by its resourceVersion', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    owner: cronJob,
    spec: { parallelism: 3, completions: 6, backoffLimit: 6 },
    play: { failsFirst: 2, takesToEnd: [0, 4, 8] },
  });
  const trail = await auditTrail(plane);
  const done = await run('stop cronjob/c --no-save --yes');
  assert.equal(done.code, 0, done.stderr);
  await assertKept(admin, work);

  const events = await trail.events({ namespace, verbs: ['patch', 'delete', 'deletecollection', 'update'] });
  const inOrder = [...events].sort((one, other) => one.at.getTime() - other.at.getTime());
  let active = 3;
  for (const { user: by, verb, objectRef, requestObject, code } of inOrder) {
    const {
      spec = {},
      status = {},
      metadata = {},
    } = (requestObject ?? {}) as Record<string, Record<string, unknown>>;
    if (objectRef?.resource === 'pods' && status['phase'] === 'Failed') active -= 1;
    if (by !== user || code !== 200) continue;
    assert.equal(verb, 'patch');
    assert.equal(typeof metadata['resourceVersion'], 'string', `${objectRef?.resource} is pinned`);
    if (objectRef?.resource !== 'jobs') continue;
    assert.equal('suspend' in spec, false);
    if (active > 0) assert.equal(spec['activeDeadlineSeconds'] ?? null, null);
    assert.ok(
      Number(spec['parallelism'] ?? 3) >= active,
      `parallelism ${spec['parallelism']} with ${active} active`,
    );
  }
  assert.equal(active, 0);
});

test('a second stop neither forgets nor overwrites what the first one remembered, and has nothing to do', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c', { failedJobsHistoryLimit: 2 });
  const { job } = await startWork(admin, { name: 'j', namespace, owner: cronJob });
  assert.equal((await run('stop cronjob/c --reason first --no-save --yes')).code, 0);
  const notes = async () => [noteOn(await admin.get(pathOf(cronJob))), noteOn(await admin.get(pathOf(job)))];
  const first = await notes();
  const trail = await auditTrail(plane);
  const again = await run('stop cronjob/c --reason second --no-save --yes');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stderr, new RegExp(`cronjob.batch/c +stopped already, by ${user}`));
  assert.deepEqual(await trail.events({ user, verbs: ['patch'] }), []);
  assert.deepEqual(await notes(), first);

  // somebody puts it back in between: what is remembered is still how it was before the first stop
  await admin.patch(pathOf(cronJob), { spec: { suspend: false, failedJobsHistoryLimit: 9 } });
  const third = await run('stop cronjob/c --reason third --no-save --yes');
  assert.equal(third.code, 0, third.stderr);
  const [note] = await notes();
  assert.deepEqual([note?.reason, note?.at], ['first', first[0]?.at]);
  assert.equal(rememberedOn(await admin.get(pathOf(cronJob)))['/spec/failedJobsHistoryLimit'], 2);
});

test('--dry-run=server asks the server about every first write, and writes nothing', async t => {
  const { namespace, user, run } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const { job, pod } = await startWork(admin, { name: 'j', namespace, owner: cronJob });
  const trail = await auditTrail(plane);
  const done = await run('stop cronjob/c --dry-run=server');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /3 writes would be accepted/);
  const writes = await trail.atLeast(3, { user, verbs: ['patch'] });
  assert.deepEqual(writes.map(({ objectRef }) => objectRef?.resource).sort(), ['cronjobs', 'jobs', 'pods']);
  assert.ok(writes.every(({ dryRun, code }) => dryRun && code === 200));
  assert.deepEqual(await writesOf(trail, user), []);
  for (const object of [cronJob, job, pod])
    assert.deepEqual((await admin.get(pathOf(object))).spec, object.spec, object.kind);
});

test('interrupted by Ctrl-C it says how far it came and how to go on, and the next stop finishes', async t => {
  const { namespace, run, start } = await aPlaceToStop(t, plane);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    owner: cronJob,
    spec: { parallelism: 2, completions: 2 },
    play: { takesToEnd: [2, 6] },
  });
  const first = start('stop cronjob/c --no-save --yes');
  await untilTold(admin, work.pod, first);
  first.process.kill('SIGINT');
  const ended = await first.ended;
  assert.equal(ended.code, 130, ended.stderr);
  assert.match(ended.stderr, /^interrupted: \d objects? not at (its|their) end$/m);
  assert.match(ended.stderr, new RegExp(`^Go on: kubectl jobctl stop cronjob.batch/c -n ${namespace}$`, 'm'));
  assert.match(
    ended.stderr,
    new RegExp(`^Undo: kubectl jobctl resume cronjob.batch/c -n ${namespace}$`, 'm'),
  );
  const second = await run('stop cronjob/c --no-save --yes');
  assert.equal(second.code, 0, second.stderr);
  await assertKept(admin, work);
});

test('S16: who may not patch Pods changes nothing at all, and is told so; --suspend-only needs no more than the CronJob', async t => {
  const [batch, , events] = stopRules;
  assert.ok(batch && events);
  const rules = [batch, events, { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
  const { namespace, user, run } = await aPlaceToStop(t, plane, rules);
  const cronJob = await aCronJob(admin, namespace, 'c');
  const { job, pod } = await startWork(admin, { name: 'j', namespace, owner: cronJob });
  const trail = await auditTrail(plane);
  const done = await run('stop cronjob/c --no-save --yes');
  assert.equal(done.code, 3, done.stderr);
  assert.match(done.stderr, new RegExp(`you may not patch pods in ${namespace}; nothing was changed`));
  assert.deepEqual(await writesOf(trail, user), []);

  const half = await run('stop cronjob/c --suspend-only --yes');
  assert.equal(half.code, 0, half.stderr);
  assert.equal((await admin.get(pathOf(cronJob))).spec?.['suspend'], true);
  assert.deepEqual((await admin.get(pathOf(job))).spec, job.spec);
  assert.equal(endOf(await admin.get(pathOf(job))), undefined);
  assert.deepEqual((await admin.get(pathOf(pod))).spec, pod.spec);
  assert.deepEqual(uidsOf(await podsOf(admin, job)), [pod.metadata.uid]);
});
