// What a stop has changed is given back, and nothing else: byte for byte, only where it is still as the stop left it, and said before.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { KubeObject } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { cronJobPath } from '../cluster/state/cronjobs.ts';
import { apiTime } from '../cluster/state/draft.ts';
import { createFinishedJob, createJobByHand, jobPath, writeJobStatus } from '../cluster/state/jobs.ts';
import { endPod } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import { runInTerminal } from '../support/terminal.ts';
import { countingProxy } from './counting-proxy.ts';
import { session } from './kubectl-jobctl.ts';
import type { Place } from './operator.ts';
import {
  aPlaceToResume,
  jobNameAt,
  jobNamesOf,
  minuteOf,
  resumeRules,
  stateOf,
  untilLeft,
  whileWatching,
} from './resume-place.ts';
import {
  aCronJob,
  endOf,
  noteOn,
  pathOf,
  phaseOf,
  podsOf,
  startWork,
  statusOf,
  templateOf,
  uidsOf,
  untilEndedByHand,
  untilLost,
  untilTold,
  writesOf,
} from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

const outOfReach = 2_147_483_647;
const memory = 'jobctl/stopped';
const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);

const lie = (cronJob: KubeObject, lastScheduleTime: Date): Promise<KubeObject> =>
  admin.patch(`${pathOf(cronJob)}/status`, { status: { lastScheduleTime: apiTime(lastScheduleTime) } });

const stop = async ({ run }: Place, words: string): Promise<void> => {
  const done = await run(`stop ${words} --yes`);
  assert.equal(done.code, 0, done.stderr);
};

test('stop, then resume: every CronJob has the spec that it had at the start, byte for byte, and no other annotation; one that was suspended stays suspended', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  const specs = {
    plain: {},
    'no-history': { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 },
    'much-history': { successfulJobsHistoryLimit: 12, failedJobsHistoryLimit: outOfReach },
    suspended: { suspend: true },
    rich: {
      timeZone: 'Europe/Berlin',
      schedule: '15 3 * 1 1-5',
      startingDeadlineSeconds: 300,
      concurrencyPolicy: 'Replace',
      jobTemplate: {
        metadata: { labels: { app: 'a"}b' } },
        spec: { backoffLimit: 0, ttlSecondsAfterFinished: 60, template: templateOf({}) },
      },
    },
  };
  const cronJobs = await Promise.all(
    Object.entries(specs).map(([name, spec]) =>
      aCronJob(admin, namespace, name, spec, name === 'rich' ? { annotations: { note: 'kept' } } : {}),
    ),
  );
  const before = await Promise.all(cronJobs.map(cronJob => stateOf(plane, cronJob)));
  await stop(place, 'cronjobs --all --no-save');
  for (const cronJob of cronJobs) {
    const stopped = await admin.get(pathOf(cronJob));
    assert.equal(stopped.spec?.['suspend'], true);
    assert.ok(stopped.metadata.annotations?.[memory]);
  }
  const done = await run('resume cronjobs --all --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stderr,
    /^cronjob.batch\/suspended was suspended before the stop, and stays suspended\.$/m,
  );
  assert.match(done.stdout, /^cronjob\.batch\/plain resumed: suspend true → false/m);
  assert.deepEqual(await Promise.all(cronJobs.map(cronJob => stateOf(plane, cronJob))), before);
  assert.equal((await admin.get(cronJobPath(namespace, 'suspended'))).spec?.['suspend'], true);

  // nothing is left to be given back
  const again = await run('resume cronjob/plain --yes');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /carries no memory of a stop/);
});

test('what somebody has changed since the stop stays and is shown, and the rest is given back', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  const cronJob = await aCronJob(admin, namespace, 'c', { failedJobsHistoryLimit: 2 });
  await stop(place, 'cronjob/c --no-save');
  await admin.patch(pathOf(cronJob), { spec: { failedJobsHistoryLimit: 7 } });
  const looked = await run('resume cronjob/c --dry-run');
  const changed =
    /cronjob\.batch\/c: failedJobsHistoryLimit is 7 now, which is not what the stop has set: somebody has changed it since, and it stays\./;
  assert.match(looked.stdout, changed);
  const done = await run('resume cronjob/c --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, changed);
  const now = await admin.get(pathOf(cronJob));
  const { suspend, failedJobsHistoryLimit, successfulJobsHistoryLimit } = now.spec ?? {};
  assert.deepEqual([suspend, failedJobsHistoryLimit, successfulJobsHistoryLimit], [false, 7, 3]);
  assert.equal(now.metadata.annotations?.[memory], undefined);
});

test('what was put back by hand already is no conflict, and is not written again', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, user, run } = place;
  const cronJob = await aCronJob(admin, namespace, 'c');
  const before = await stateOf(plane, cronJob);
  await stop(place, 'cronjob/c --no-save');
  await admin.patch(pathOf(cronJob), { spec: { suspend: false } });
  const trail = await auditTrail(plane);
  const done = await run('resume cronjob/c --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.doesNotMatch(done.stderr, /somebody has changed it/);
  const [write] = await trail.atLeast(1, { user, verbs: ['patch'] });
  assert.equal('suspend' in ((write?.requestObject?.['spec'] ?? {}) as object), false);
  assert.deepEqual(await stateOf(plane, cronJob), before);
});

test('S18: after 15 days of every minute the count is said as a floor, the newest run starts at once and only that, the controller warns, and no deadline is written', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  const cronJob = await aCronJob(admin, namespace, 'c', { schedule: '* * * * *', suspend: true });
  const other = await aCronJob(admin, namespace, 'skips', { schedule: '* * * * *', suspend: true });
  // as a stop left them 15 days ago
  for (const one of [cronJob, other]) {
    await admin.patch(pathOf(one), {
      metadata: { annotations: { [memory]: memoryOf(one, { at: days(15) }) } },
    });
    await lie(one, days(15));
  }
  await untilLeft(40);
  const minute = minuteOf(new Date());
  const [done, skipped] = await Promise.all([
    run('resume cronjob/c --yes'),
    run('resume cronjob/skips --skip-missed --yes'),
  ]);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(skipped.code, 0, skipped.stderr);
  assert.match(done.stderr, /cronjob\.batch\/c: more than 1000 runs were missed/);
  const said = `${minute.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  assert.match(done.stderr, new RegExp(`the run of ${said} starts at once.*--skip-missed prevents it`));
  assert.match(done.stderr, /more than 100 runs were missed: the controller starts the newest one and warns/);
  assert.match(skipped.stderr, new RegExp(`the run of ${said} is counted as served and does not start`));

  const expected = jobNameAt('c', minute);
  await until('the newest run to start', 15_000, async () => {
    return (await jobNamesOf(admin, cronJob)).includes(expected);
  });
  await whileWatching(5, async () => {
    assert.deepEqual(await jobNamesOf(admin, cronJob), [expected]);
    assert.deepEqual(await jobNamesOf(admin, other), []);
  });
  await until('the warning of the controller', 10_000, async () => {
    const events = (await admin.list(
      `/api/v1/namespaces/${namespace}/events?fieldSelector=reason=TooManyMissedTimes`,
    )) as unknown as { involvedObject: { name: string } }[];
    return events.some(({ involvedObject }) => involvedObject.name === 'c');
  });
  for (const one of [cronJob, other])
    assert.equal((await admin.get(pathOf(one))).spec?.['startingDeadlineSeconds'], undefined);
});

test('S19: a stopped Job stays Failed with what keeps it, and --run-now starts exactly what kubectl create job --from starts', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  const cronJob = await aCronJob(admin, namespace, 'c', {
    failedJobsHistoryLimit: 5,
    jobTemplate: {
      metadata: { labels: { team: 'batch' }, annotations: { note: 'of the template' } },
      spec: { backoffLimit: 4, ttlSecondsAfterFinished: 3600, template: templateOf({}) },
    },
  });
  const work = await startWork(admin, {
    name: 'old',
    namespace,
    owner: cronJob,
    spec: { ttlSecondsAfterFinished: 3600 },
  });
  await stop(place, 'cronjob/c --no-save');
  const stopped = await stateOf(plane, work.job);

  const looked = await run('resume cronjob/c --run-now --dry-run');
  assert.match(looked.stdout, /job\.batch\/old +stays as it is, kept from being deleted/);
  assert.match(looked.stdout, /1 stopped Job stays as it is: it has failed and cannot go on/);
  assert.match(looked.stdout, /^1 CronJob and 1 new Job would be resumed\.$/m);
  const done = await run('resume cronjob/c --run-now --yes');
  assert.equal(done.code, 0, done.stderr);
  const [, made = ''] = /^job\.batch\/(\S+) created from cronjob\.batch\/c$/m.exec(done.stdout) ?? [];
  assert.match(made, /^c-resumed-/);
  assert.match(endOf(await admin.get(pathOf(work.job))) ?? '', /^Failed\//);
  assert.deepEqual(await stateOf(plane, work.job), stopped);
  assert.deepEqual(uidsOf(await podsOf(admin, work.job)), uidsOf(work.pods));

  await kubectl(plane, ['create', 'job', 'by-kubectl', '--from=cronjob/c', '-n', namespace]);
  const [ours, theirs] = await Promise.all(
    [made, 'by-kubectl'].map(name => admin.get(jobPath(namespace, name))),
  );
  assert.ok(ours && theirs);
  assert.deepEqual(withoutIdentity(ours), withoutIdentity(theirs));
  assert.deepEqual((ours.metadata.ownerReferences ?? [])[0]?.['uid'], cronJob.metadata.uid);
});

/** What two Jobs of one template do not share. */
function withoutIdentity({ metadata, spec }: KubeObject): unknown {
  const { name, uid, labels, annotations, ownerReferences, namespace, finalizers } = metadata;
  const rest = { namespace, labels, annotations, ownerReferences, finalizers, spec };
  return JSON.parse(JSON.stringify(rest).replaceAll(uid, 'UID').replaceAll(name, 'NAME'));
}

test('S20: without its memory a suspended CronJob is asked about: refused without a terminal, resumed by a typed word or -y, and a resume of a selection leaves it alone', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, user, run, kubeconfig } = place;
  const cronJob = await aCronJob(admin, namespace, 'c');
  const forget = async () => {
    await stop(place, 'cronjob/c --no-save');
    await admin.patch(pathOf(cronJob), { metadata: { annotations: { [memory]: null } } });
  };
  const isSuspended = async () => (await admin.get(pathOf(cronJob))).spec?.['suspend'];
  await forget();

  const trail = await auditTrail(plane);
  const selected = await run('resume cronjobs --all --yes');
  assert.equal(selected.code, 0, selected.stderr);
  const refused = await run('resume cronjob/c');
  assert.equal(refused.code, 3, refused.stderr);
  assert.match(
    refused.stderr,
    /cronjob\.batch\/c +suspend true → false; carries no memory of a stop: only its suspension would be lifted/,
  );
  assert.match(refused.stderr, /no terminal to ask on; nothing was changed/);
  assert.deepEqual(await writesOf(trail, user), []);
  assert.equal(await isSuspended(), true);

  const wrong = runInTerminal('resume cronjob/c', { kubeconfig, columns: 200 });
  await wrong.waitFor(/it may have been suspended on purpose\) Type /);
  wrong.type('yes\r');
  assert.notEqual(await wrong.ended, 0);
  assert.equal(await isSuspended(), true);
  const terminal = runInTerminal('resume cronjob/c', { kubeconfig, columns: 200 });
  await terminal.waitFor(new RegExp(`Type ${namespace}:`));
  terminal.type(`${namespace}\r`);
  assert.equal(await terminal.ended, 0, terminal.screen());
  assert.equal(await isSuspended(), false);

  await forget();
  const done = await run('resume cronjob/c -y');
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await isSuspended(), false);
  // nobody knows how the limits were
  assert.equal((await admin.get(pathOf(cronJob))).spec?.['failedJobsHistoryLimit'], outOfReach);
});

const memoryOf = (
  { metadata }: KubeObject,
  more: { readonly v?: number; readonly uid?: string; readonly at?: Date } = {},
): string =>
  JSON.stringify({
    v: more.v ?? 1,
    uid: more.uid ?? metadata.uid,
    at: (more.at ?? new Date()).toISOString(),
    by: 'anna',
    changes: [{ path: '/spec/suspend', was: false, set: true }],
  });

test('a memory that cannot be read is refused where it is named and left alone where it is not, and one that was copied from another object is none', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, user, run } = place;
  const names = ['newer', 'broken', 'copied'] as const;
  const [newer, broken, copied] = await Promise.all(
    names.map(name => aCronJob(admin, namespace, name, { suspend: true })),
  );
  assert.ok(newer && broken && copied);
  const annotate = (object: KubeObject, text: string) =>
    admin.patch(pathOf(object), { metadata: { annotations: { [memory]: text } } });
  await annotate(newer, memoryOf(newer, { v: 2 }));
  await annotate(broken, '{"v":1,');
  await annotate(copied, memoryOf(copied, { uid: newer.metadata.uid }));

  const trail = await auditTrail(plane);
  for (const name of ['newer', 'broken']) {
    const refused = await run(`resume cronjob/${name} --yes`);
    assert.equal(refused.code, 3, refused.stderr);
    assert.match(
      refused.stderr,
      /refused: its memory of the stop cannot be read: written by a newer version/,
    );
  }
  const all = await run('resume cronjobs --all --yes -o wide');
  assert.equal(all.code, 0, all.stderr);
  assert.match(all.stderr, /cronjob\.batch\/newer +its memory of the stop cannot be read/);
  assert.match(all.stderr, /cronjob\.batch\/copied +carries no memory of a stop/);
  const listed = await run('resume');
  assert.match(listed.stdout, /cronjob\.batch\/broken +its memory of the stop cannot be read/);
  assert.doesNotMatch(listed.stdout, /cronjob\.batch\/copied/);
  assert.deepEqual(await writesOf(trail, user), []);

  const done = await run('resume cronjob/copied --yes');
  assert.equal(done.code, 0, done.stderr);
  const now = await admin.get(pathOf(copied));
  assert.equal(now.spec?.['suspend'], false);
});

test('a Job with a memory that cannot be read is refused where it is named', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  const { job } = await startWork(admin, { name: 'j', namespace });
  await stop(place, 'job/j --no-save');
  const text = (await admin.get(pathOf(job))).metadata.annotations?.[memory] ?? '';
  await admin.patch(pathOf(job), {
    metadata: { annotations: { [memory]: text.replace('"v":1', '"v":2') } },
  });
  const stopped = await stateOf(plane, job);
  const refused = await run('resume job/j --release-evidence --yes');
  assert.equal(refused.code, 3, refused.stdout + refused.stderr);
  assert.match(refused.stderr, /its memory of the stop cannot be read/);
  assert.deepEqual(await stateOf(plane, job), stopped);
});

test('--release-evidence gives a stopped Job its limits back byte for byte, and its TTL then deletes it', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  const cronJob = await aCronJob(admin, namespace, 'c', { failedJobsHistoryLimit: 9 });
  const spec = { backoffLimit: 4, parallelism: 2, completions: 4 };
  const [long, short, indexed] = await Promise.all([
    startWork(admin, {
      name: 'long',
      namespace,
      owner: cronJob,
      spec: { ...spec, ttlSecondsAfterFinished: 3600, activeDeadlineSeconds: 3600 },
      play: { failsFirst: 1 },
    }),
    startWork(admin, {
      name: 'short',
      namespace,
      owner: cronJob,
      spec: { ...spec, ttlSecondsAfterFinished: 1 },
    }),
    startWork(admin, {
      name: 'indexed',
      namespace,
      owner: cronJob,
      spec: {
        completionMode: 'Indexed',
        parallelism: 2,
        completions: 2,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 1,
      },
    }),
  ]);
  const before = await Promise.all([long, short, indexed].map(({ job }) => stateOf(plane, job)));
  await stop(place, 'cronjob/c --no-save');
  const looked = await run('resume job/long');
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(
    looked.stdout,
    /job\.batch\/long +stays as it is, kept from being deleted \(--release-evidence/,
  );

  const done = await run('resume cronjob/c --release-evidence --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^job\.batch\/long released: /m);
  await untilLost(admin, short.job);
  assert.deepEqual(await podsOf(admin, short.job), []);
  assert.deepEqual(await stateOf(plane, long.job), before[0]);
  assert.deepEqual(await stateOf(plane, indexed.job), before[2]);
  assert.deepEqual(uidsOf(await podsOf(admin, long.job)), uidsOf(long.pods));
});

test('a half-stopped Job that still runs gets its limits back, and is not ended by that', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run, start } = place;
  const cronJob = await aCronJob(admin, namespace, 'c');
  const work = await startWork(admin, {
    name: 'j',
    namespace,
    owner: cronJob,
    spec: { parallelism: 2, completions: 2, backoffLimit: 3, ttlSecondsAfterFinished: 60 },
    play: { failsFirst: 1, takesToEnd: untilEndedByHand },
  });
  const before = await Promise.all([cronJob, work.job].map(object => stateOf(plane, object)));
  const stopping = start('stop cronjob/c --no-save --yes');
  await untilTold(admin, work.pod, stopping);
  stopping.process.kill('SIGKILL');
  await stopping.ended;
  assert.notDeepEqual((await stateOf(plane, work.job)).spec, before[1]?.spec);

  const done = await run('resume cronjob/c --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^job\.batch\/j resumed: /m);
  assert.deepEqual(await Promise.all([cronJob, work.job].map(object => stateOf(plane, object))), before);
  await whileWatching(8, async () => {
    assert.equal(endOf(await admin.get(pathOf(work.job))), undefined);
    assert.deepEqual(uidsOf(await podsOf(admin, work.job)), uidsOf(work.pods));
  });
});

test('a half-stopped Job that its own limits would end is refused; a second stop finishes it with everything kept', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run, start } = place;
  // of two Pods one ends and the other goes on until the test ends it; of the third Job both do
  const half = { takesToEnd: [0, untilEndedByHand] };
  const spec = { parallelism: 2, completions: 2, backoffLimit: 0 };
  const perIndex = { completionMode: 'Indexed', backoffLimitPerIndex: 0, maxFailedIndexes: 0 };
  const { backoffLimit: _, ...two } = spec;
  const [counted, indexed, told] = await Promise.all([
    startWork(admin, { name: 'counted', namespace, spec, play: half }),
    startWork(admin, { name: 'indexed', namespace, spec: { ...two, ...perIndex }, play: half }),
    startWork(admin, { name: 'told', namespace, spec, play: { takesToEnd: untilEndedByHand } }),
  ]);
  const works = [counted, indexed, told];
  const stopping = start('stop job/counted job/indexed job/told --no-save --yes');
  for (const { job } of [counted, indexed])
    await until(`one Pod of ${job.metadata.name} to end, and parallelism to follow`, 60_000, async () => {
      const now = await admin.get(pathOf(job));
      return statusOf(now).failed === 1 && statusOf(now).active === 1 && now.spec?.['parallelism'] === 1;
    });
  for (const pod of told.pods) await untilTold(admin, pod, stopping);
  stopping.process.kill('SIGKILL');
  await stopping.ended;
  const before = await Promise.all(works.map(({ job }) => stateOf(plane, job)));

  const refused = await run('resume job/counted job/indexed job/told --yes');
  assert.equal(refused.code, 3, refused.stderr);
  const row = (job: string, field: string) =>
    new RegExp(
      `^ *job\\.batch/${job} +refused: stays held: 2 failures counted or on the way, and its ${field} is 0`,
      'm',
    );
  assert.match(refused.stderr, row('counted', 'backoffLimit'));
  assert.match(refused.stderr, row('indexed', 'maxFailedIndexes'));
  assert.match(refused.stderr, row('told', 'backoffLimit'));
  assert.match(
    refused.stderr,
    new RegExp(
      `^ *job\\.batch/told: .*Finish the stop: kubectl jobctl stop job\\.batch/told -n ${namespace}$`,
      'm',
    ),
  );
  assert.deepEqual(await Promise.all(works.map(({ job }) => stateOf(plane, job))), before);

  const again = start('stop job/counted job/indexed job/told --no-save --yes');
  for (const { job } of works)
    for (const pod of await podsOf(admin, job))
      if (phaseOf(pod) === 'Running')
        await endPod(admin, pod, { phase: 'Failed', reason: 'DeadlineExceeded' });
  const done = await again.ended;
  assert.equal(done.code, 0, done.stderr);
  for (const { job, pods } of works)
    assert.deepEqual(uidsOf(await podsOf(admin, job)), uidsOf(pods), job.metadata.name);
});

test('a deadline that has passed is not given back, that is said, and it stays remembered', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run, start } = place;
  const { job, pod } = await startWork(admin, {
    name: 'late',
    namespace,
    spec: { activeDeadlineSeconds: 15 },
    play: { takesToEnd: untilEndedByHand },
  });
  const stopping = start('stop job/late --no-save --yes');
  await untilTold(admin, pod, stopping);
  stopping.process.kill('SIGKILL');
  await stopping.ended;
  await until('its deadline to have passed', 30_000, async () => {
    const startTime = (await admin.get(pathOf(job))).status?.['startTime'];
    return Date.now() - Date.parse(String(startTime)) > 15_500;
  });

  const done = await run('resume job/late --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stderr,
    /^ *job\.batch\/late: activeDeadlineSeconds is not given back, because it has passed: it would end the Job at once/m,
  );
  const now = await admin.get(pathOf(job));
  assert.equal(now.spec?.['activeDeadlineSeconds'], undefined);
  assert.deepEqual(noteOn(now).changes, [{ path: '/spec/activeDeadlineSeconds', was: 15, set: null }]);
  assert.equal(endOf(now), undefined);
});

test('resume alone lists what is stopped, by whom, since when and why, and changes nothing', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, user, run } = place;
  const empty = await run('resume');
  assert.equal(empty.code, 0, empty.stderr);
  assert.match(empty.stdout, /Nothing is stopped here\./);
  const cronJob = await aCronJob(admin, namespace, 'c');
  await aCronJob(admin, namespace, 'suspended-by-others', { suspend: true });
  await startWork(admin, { name: 'owned', namespace, owner: cronJob });
  await startWork(admin, { name: 'alone', namespace });
  await stop(place, 'cronjob/c job/alone --reason INC-1234 --no-save');
  const trail = await auditTrail(plane);
  for (const words of ['resume', 'resume --yes']) {
    const listed = await run(words);
    assert.equal(listed.code, 0, listed.stderr);
    for (const object of ['cronjob.batch/c', 'job.batch/owned', 'job.batch/alone'])
      assert.match(
        listed.stdout,
        new RegExp(`^${object} +stopped +\\(by ${user} \\d+s ago, INC-1234\\)$`, 'm'),
      );
    assert.doesNotMatch(listed.stdout, /suspended-by-others/);
    assert.match(listed.stdout, /3 objects are stopped\. Resume one: kubectl jobctl resume TYPE\/NAME/);
  }
  assert.deepEqual(await writesOf(trail, user), []);
  assert.ok(noteOn(await admin.get(pathOf(cronJob))));
});

test('the Jobs that the history limits will delete are named before, and the controller deletes exactly those', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  const cronJob = await aCronJob(admin, namespace, 'c', { successfulJobsHistoryLimit: 2 });
  await stop(place, 'cronjob/c --no-save');
  const finished = (name: string, outcome: 'complete' | 'failed', ended: string) =>
    createFinishedJob(admin, { name, namespace, owner: cronJob, outcome, ended });
  await Promise.all([
    finished('bad-1', 'failed', '3h'),
    finished('bad-2', 'failed', '2h'),
    finished('bad-3', 'failed', '1h'),
    finished('good-1', 'complete', '3h'),
    finished('good-2', 'complete', '2h'),
    finished('good-3', 'complete', '1h'),
  ]);
  // the controller counts by the start: the one that started first is the one that ended last
  const long = await createJobByHand(
    admin,
    { name: 'good-0', namespace, owner: cronJob },
    { startTime: apiTime(days(1)), active: 1, ready: 1 },
  );
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: 'CompletionsReached',
    lastTransitionTime: apiTime(new Date()),
  });
  await writeJobStatus(admin, long, {
    active: null,
    ready: null,
    succeeded: 1,
    completionTime: apiTime(new Date()),
    conditions: ['SuccessCriteriaMet', 'Complete'].map(condition),
  });
  const before = await jobNamesOf(admin, cronJob);
  const done = await run('resume cronjob/c --yes');
  assert.equal(done.code, 0, done.stderr);
  const named = [
    ...done.stderr.matchAll(/lets the controller delete \d+ \S+ Jobs? with \S+ Pods: (.*?)\.$/gm),
  ]
    .flatMap(([, names = '']) => names.split(', '))
    .map(name => name.replace('job.batch/', '').replace(/ .*$/, ''))
    .sort();
  assert.deepEqual(named, ['bad-1', 'bad-2', 'good-0', 'good-1']);
  const left = before.filter(name => !named.includes(name));
  await until('the Jobs that were named to be deleted', 30_000, async () => {
    return (await jobNamesOf(admin, cronJob)).every(name => left.includes(name));
  });
  await whileWatching(4, async () => assert.deepEqual(await jobNamesOf(admin, cronJob), left));
});

test('S16: whoever may not do all of it changes nothing: patch, the status for --skip-missed, a Job for --run-now', async t => {
  const without = (resource: string, verb: string) =>
    resumeRules.flatMap(rule =>
      rule.resources.includes(resource)
        ? [{ ...rule, verbs: rule.verbs.filter(one => one !== verb) }].filter(({ verbs }) => verbs.length > 0)
        : [rule],
    );
  const cases = [
    ['cronjobs', 'patch', 'resume cronjob/c --yes', /you may not patch cronjobs\.batch in/],
    [
      'cronjobs/status',
      'patch',
      'resume cronjob/c --skip-missed --yes',
      /you may not patch .*patch cronjobs\.batch\/status in/,
    ],
    ['jobs', 'create', 'resume cronjob/c --run-now --yes', /you may not patch .*create jobs\.batch in/],
  ] as const;
  for (const [resource, verb, words, says] of cases) {
    const { namespace, user, run } = await aPlaceToResume(t, plane, without(resource, verb));
    const cronJob = await aCronJob(admin, namespace, 'c', { schedule: '0 * * * *', suspend: true });
    await admin.patch(pathOf(cronJob), { metadata: { annotations: { [memory]: memoryOf(cronJob) } } });
    await lie(cronJob, days(1));
    const before = await stateOf(plane, cronJob);
    const trail = await auditTrail(plane);
    const done = await run(words);
    assert.equal(done.code, 3, done.stderr);
    assert.match(done.stderr, says);
    assert.match(done.stderr, /nothing was changed/);
    assert.deepEqual(await writesOf(trail, user), []);
    assert.deepEqual(await stateOf(plane, cronJob), before);
  }
});

test('--dry-run writes nothing; --dry-run=server asks the server about every write, and writes nothing', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, user, run } = place;
  const cronJob = await aCronJob(admin, namespace, 'c', { schedule: '0 * * * *' });
  const { job } = await startWork(admin, { name: 'j', namespace, owner: cronJob });
  await stop(place, 'cronjob/c --no-save');
  await lie(cronJob, days(1));
  const before = await Promise.all([cronJob, job].map(object => stateOf(plane, object)));
  const jobs = await jobNamesOf(admin, cronJob);
  const words = 'resume cronjob/c --skip-missed --run-now --release-evidence';

  const trail = await auditTrail(plane);
  const client = await run(`${words} --dry-run`);
  assert.equal(client.code, 0, client.stderr);
  assert.match(client.stdout, /would be resumed/);
  const server = await run(`${words} --dry-run=server`);
  assert.equal(server.code, 0, server.stderr);
  assert.match(server.stderr, /4 writes would be accepted/);
  const sent = (await trail.atLeast(4, { user, verbs: ['patch', 'create'] })).filter(
    ({ objectRef }) => objectRef?.apiGroup === 'batch',
  );
  assert.ok(sent.every(({ dryRun, code }) => dryRun && code < 300));
  assert.deepEqual(
    sent
      .map(({ verb, objectRef }) =>
        [verb, objectRef?.resource, objectRef?.subresource ?? ''].join(' ').trim(),
      )
      .sort(),
    ['create jobs', 'patch cronjobs', 'patch cronjobs status', 'patch jobs'],
  );
  assert.deepEqual(await writesOf(trail, user), []);
  assert.deepEqual(await Promise.all([cronJob, job].map(object => stateOf(plane, object))), before);
  assert.deepEqual(await jobNamesOf(admin, cronJob), jobs);
});

/** As busy as a server gets: before each of the first writes somebody else changes the CronJob. */
async function resumeDisturbed(t: TestContext, place: Place, cronJob: KubeObject, times: number) {
  const { kubeconfig } = await countingProxy(t, place.kubeconfig, {
    beforeWrite: async (write, nth) => {
      if (write.startsWith('PATCH') && nth <= times)
        await admin.patch(pathOf(cronJob), { metadata: { labels: { turn: String(nth) } } });
    },
  });
  const trail = await auditTrail(plane);
  const done = await session(plane, kubeconfig).run('resume cronjob/c --yes');
  const patches = await trail.events({ user: place.user, verbs: ['patch'] });
  return { done, codes: patches.map(({ code }) => code) };
}

test('a CronJob that is changed between the read and the write is read again after each conflict, until it is given back', async t => {
  const place = await aPlaceToResume(t, plane);
  const cronJob = await aCronJob(admin, place.namespace, 'c');
  const before = await stateOf(plane, cronJob);
  await stop(place, 'cronjob/c --no-save');
  const { done, codes } = await resumeDisturbed(t, place, cronJob, 3);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(codes, [409, 409, 409, 200]);
  assert.deepEqual(await stateOf(plane, cronJob), before);
});

test('one that is changed before every write is not resumed, is said to be so once, and is as the stop left it', async t => {
  const place = await aPlaceToResume(t, plane);
  const cronJob = await aCronJob(admin, place.namespace, 'c');
  await stop(place, 'cronjob/c --no-save');
  const stopped = await stateOf(plane, cronJob);
  const { done, codes } = await resumeDisturbed(t, place, cronJob, Infinity);
  assert.equal(done.code, 2, done.stderr);
  assert.ok(codes.length > 3 && codes.every(code => code === 409), codes.join());
  assert.match(done.stderr, /^error: cronjob\.batch\/c not resumed: Error from server \(Conflict\)/m);
  // nobody has put anything back: it was never given
  assert.doesNotMatch(done.stderr, /suspended again/);
  assert.match(done.stderr, /^not all is resumed: 0 writes, 1 failed/m);
  assert.deepEqual(await stateOf(plane, cronJob), stopped);
});

test('-o json is one document that says every field, from what to what', async t => {
  const place = await aPlaceToResume(t, plane);
  const { namespace, run } = place;
  const cronJob = await aCronJob(admin, namespace, 'c');
  await stop(place, 'cronjob/c --no-save');
  const done = await run('resume cronjob/c --yes -o json');
  assert.equal(done.code, 0, done.stderr);
  const { actions, exitCode } = JSON.parse(done.stdout) as {
    readonly exitCode?: number;
    readonly actions: readonly Record<string, unknown>[];
  };
  assert.equal(exitCode ?? 0, 0);
  assert.equal(actions.length, 1);
  const [{ name, kind, does, state, changes } = {}] = actions;
  assert.deepEqual([kind, name, does, state], ['CronJob', 'c', 'give-back', 'done']);
  assert.deepEqual(changes, [
    { path: '/spec/suspend', was: true, set: false },
    { path: '/spec/failedJobsHistoryLimit', was: outOfReach, set: 1 },
    { path: '/spec/successfulJobsHistoryLimit', was: outOfReach, set: 3 },
  ]);
  const listed = await run('resume -o json');
  assert.equal(listed.code, 0, listed.stderr);
  assert.ok(JSON.parse(listed.stdout));
  assert.equal((await admin.get(pathOf(cronJob))).spec?.['suspend'], false);
});

test('what is not there is an error as kubectl says it', async t => {
  const { run } = await aPlaceToResume(t, plane);
  const done = await run('resume cronjob/none --yes');
  assert.equal(done.code, 1, done.stderr);
  assert.match(done.stderr, /cronjobs\.batch "none" not found/);
});
