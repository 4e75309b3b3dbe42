// A ScaledJob of a real KEDA: paused before its Jobs are ended, nothing new while it is paused, and given back as it was.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Fields, KubeObject } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { installKeda, kedaUser } from '../cluster/keda/install.ts';
import { startKeda } from '../cluster/keda/operator.ts';
import { createScaledJob, scaledJobPath } from '../cluster/keda/scaled-job.ts';
import { jobPath } from '../cluster/state/jobs.ts';
import { until } from '../cluster/until.ts';
import type { Place } from '../e2e/operator.ts';
import { aPlaceToResume, namesOf, rawSpec, resumeRules, whileWatching } from '../e2e/resume-place.ts';
import {
  assertKept,
  endOf,
  jobsOf,
  noteOn,
  pathOf,
  podsOf,
  uidsOf,
  untilRunning,
  type Work,
  writesOf,
} from '../e2e/stop-place.ts';

const plane = await startControlPlane();
after(() => plane.stop());
const { admin } = plane;
await installKeda(plane);
const keda = await startKeda(plane);
after(() => keda.stop());

const jobs = 3;
const paused = 'autoscaling.keda.sh/paused';
const memory = 'jobctl/stopped';
const rules = [
  ...resumeRules,
  { apiGroups: ['keda.sh'], resources: ['scaledjobs'], verbs: ['get', 'list', 'patch'] },
];

interface Queue extends Place {
  readonly queue: KubeObject;
  readonly works: readonly Work[];
  readonly path: string;
}

/** A ScaledJob whose Jobs run; nothing of it ever completes by itself. */
async function aQueue(t: TestContext, spec: Fields = {}): Promise<Queue> {
  const place = await aPlaceToResume(t, plane, rules);
  const { namespace } = place;
  const queue = await createScaledJob(admin, { name: 'queue', namespace, jobs, spec });
  const works = await Promise.all((await settled(queue)).map(job => untilRunning(admin, job, { active: 1 })));
  return { ...place, queue, works, path: scaledJobPath(namespace, 'queue') };
}

/** Its view of its own Jobs is a moment old, so that it may make one or two more than it is allowed: a few of its rounds without a new one. */
async function settled(queue: KubeObject): Promise<readonly KubeObject[]> {
  let [seen, since] = ['', Date.now()];
  return until('KEDA to make no more Jobs', 60_000, async () => {
    const now = await ownJobs(queue);
    const names = namesOf(now).join();
    if (names !== seen) [seen, since] = [names, Date.now()];
    return Date.now() - since > 5000 && now;
  });
}

const ownJobs = ({ metadata }: KubeObject) => jobsOf(admin, metadata.namespace ?? '', metadata.uid);
const jobsOfWorks = (works: readonly Work[]): string[] => namesOf(works.map(({ job }) => job));

interface Paused {
  readonly type: string;
  readonly status: string;
}
const saysPaused = ({ status }: KubeObject): boolean =>
  ((status?.['conditions'] ?? []) as readonly Paused[]).some(
    ({ type, status: is }) => type === 'Paused' && is === 'True',
  );

const generationOf = ({ metadata }: KubeObject): unknown => (metadata as unknown as Fields)['generation'];

const untilMore = (queue: KubeObject, than: readonly string[]) =>
  until('KEDA to make Jobs again', 60_000, async () => {
    const more = (await ownJobs(queue)).filter(({ metadata }) => !than.includes(metadata.uid));
    return more.length > 0 && more;
  });

test('a ScaledJob is paused, its running Jobs are stopped with everything kept, nothing new starts in a minute, and it is resumed as it was, with the evidence still there', {
  timeout: 300_000,
}, async t => {
  const { namespace, user, run, queue, works, path } = await aQueue(t);
  const spec = await rawSpec(plane, path);
  const trail = await auditTrail(plane);
  const stopped = await run('stop scaledjob/queue --reason INC-1 --no-save --yes');
  assert.equal(stopped.code, 0, stopped.stderr);
  assert.doesNotMatch(stopped.stderr, /KEDA does not say that it has paused/);
  for (const work of works) await assertKept(admin, work);
  const during = await admin.get(path);
  assert.ok(saysPaused(during), 'KEDA says Paused');
  assert.equal(during.metadata.annotations?.[paused], 'true');
  assert.deepEqual(noteOn(during).changes, [
    { path: '/metadata/annotations/autoscaling.keda.sh~1paused', was: null, set: 'true' },
  ]);
  // its pause was seen before the first of its Pods was told to end
  const writes = await writesOf(trail, user);
  const first = (resource: string) => writes.findIndex(({ objectRef }) => objectRef?.resource === resource);
  assert.equal(first('scaledjobs'), 0);
  const told = writes[first('pods')]?.at ?? new Date(0);
  const noticed = (await trail.events({ resource: 'scaledjobs', namespace })).find(
    ({ requestObject, user: by }) => by === kedaUser && saysPaused({ ...queue, ...requestObject }),
  );
  assert.ok(noticed && noticed.at <= told, 'the condition Paused was waited for');

  await whileWatching(60, async () => {
    const now = await ownJobs(queue);
    assert.deepEqual(namesOf(now), jobsOfWorks(works));
    assert.deepEqual(uidsOf((await Promise.all(now.map(job => podsOf(admin, job)))).flat()), allPods(works));
  });

  const resumed = await run('resume scaledjob/queue --yes');
  assert.equal(resumed.code, 0, resumed.stderr);
  const now = await admin.get(path);
  assert.equal(await rawSpec(plane, path), spec);
  assert.deepEqual(now.metadata.annotations, queue.metadata.annotations);
  assert.equal(generationOf(now), generationOf(queue), 'a new generation would delete its Jobs');
  const more = await untilMore(queue, uidsOf(works.map(({ job }) => job)));
  for (const { metadata } of more)
    assert.deepEqual(
      [metadata.annotations?.[memory], metadata.annotations?.[paused]],
      [undefined, undefined],
    );
  // a few of its rounds, each of which cleans up
  await whileWatching(8, async () => {
    for (const work of works) await assertKept(admin, work);
  });
});

const allPods = (works: readonly Work[]): string[] => works.flatMap(({ pods }) => uidsOf(pods)).sort();

test('with history limits of 0 KEDA deletes nothing while it is paused, and what it deletes when it is resumed is said at the stop and again at the resume', {
  timeout: 240_000,
}, async t => {
  const { run, queue, works } = await aQueue(t, { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 });
  const stopped = await run('stop scaledjob/queue --no-save --yes');
  assert.equal(stopped.code, 0, stopped.stderr);
  assert.match(stopped.stderr, /scaledjob\.keda\.sh\/queue: its limits \(0 successful, 0 failed Jobs\)/);
  // it would clean up every 2 s
  await whileWatching(20, async () => {
    assert.deepEqual(namesOf(await ownJobs(queue)), jobsOfWorks(works));
  });
  for (const work of works) await assertKept(admin, work);

  const looked = await run('resume scaledjob/queue --dry-run');
  const says = new RegExp(`failedJobsHistoryLimit 0 lets KEDA delete ${works.length} failed Jobs`);
  assert.match(looked.stdout, says);
  const resumed = await run('resume scaledjob/queue --yes');
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.match(resumed.stderr, says);
  const left = await until('KEDA to have applied its limits', 60_000, async () => {
    const now = jobsOfWorks(works);
    const there = namesOf(await ownJobs(queue)).filter(name => now.includes(name));
    return there.length === 0 && [there];
  });
  assert.deepEqual(left, [[]]);
});

test('a ScaledJob whose spec is changed while it is paused loses the Jobs of its old one when it goes on, not before, and the stop says so', {
  timeout: 240_000,
}, async t => {
  const { run, queue, works, path } = await aQueue(t);
  const stopped = await run('stop scaledjob/queue --no-save --yes');
  assert.equal(stopped.code, 0, stopped.stderr);
  assert.match(
    stopped.stderr,
    /scaledjob\.keda\.sh\/queue: .*if its spec is changed meanwhile, it deletes all Jobs of the old one/,
  );
  await admin.patch(path, { spec: { pollingInterval: 3 } });
  await whileWatching(10, async () => {
    assert.deepEqual(namesOf(await ownJobs(queue)), jobsOfWorks(works));
  });
  const resumed = await run('resume scaledjob/queue --yes');
  assert.equal(resumed.code, 0, resumed.stderr);
  await until('KEDA to have deleted the Jobs of the old spec', 60_000, async () => {
    const there = namesOf(await ownJobs(queue));
    return jobsOfWorks(works).every(name => !there.includes(name));
  });
});

test('a Job that KEDA made while the memory stood on its ScaledJob carries a copy of it, and is not taken for a stopped one', {
  timeout: 240_000,
}, async t => {
  const { namespace, run, queue, works, path } = await aQueue(t);
  assert.equal((await run('stop scaledjob/queue --no-save --yes')).code, 0);
  // somebody else lets it go on, and the memory stays where it is
  await admin.patch(path, { metadata: { annotations: { [paused]: null } } });
  const more = await untilMore(queue, uidsOf(works.map(({ job }) => job)));
  const [copy] = more;
  assert.ok(copy);
  assert.equal(noteOn(copy).uid, queue.metadata.uid, 'KEDA copies annotations to its Jobs');
  const listed = await run('resume');
  assert.doesNotMatch(listed.stdout, new RegExp(copy.metadata.name));
  for (const { job } of works)
    assert.match(listed.stdout, new RegExp(`job\\.batch/${job.metadata.name} +stopped`));

  const work = await untilRunning(admin, copy, { active: 1 });
  const again = await run('stop scaledjob/queue --no-save --yes');
  assert.equal(again.code, 0, again.stderr);
  await assertKept(admin, work);
  const now = await admin.get(jobPath(namespace, copy.metadata.name));
  assert.equal(noteOn(now).uid, copy.metadata.uid, 'it has a memory of its own now');
});

test('S12: the Job of a ScaledJob is stopped alone with its Pod kept, and it is said that its owner starts another one and what pauses it', async t => {
  const { run, queue, works } = await aQueue(t);
  // so many that fewer run than it wants
  const ended = works.slice(jobs - 1);
  const names = jobsOfWorks(ended);
  const stopped = await run(`stop ${names.map(name => `job/${name}`).join(' ')} --no-save --yes`);
  assert.equal(stopped.code, 0, stopped.stderr);
  for (const name of names)
    assert.match(
      stopped.stderr,
      new RegExp(
        `job\\.batch/${name} belongs to scaledjob\\.keda\\.sh/queue, which may start another one: kubectl jobctl stop scaledjob\\.keda\\.sh/queue -n ${queue.metadata.namespace} pauses it\\.`,
      ),
    );
  for (const work of ended) await assertKept(admin, work);
  const now = await admin.get(scaledJobPath(queue.metadata.namespace ?? '', 'queue'));
  assert.equal(now.metadata.annotations?.[paused], undefined);
  await untilMore(queue, uidsOf(works.map(({ job }) => job)));
  for (const { job } of works.slice(0, jobs - 1))
    assert.equal(endOf(await admin.get(pathOf(job))), undefined);
});

// The last one, because nobody starts it again.
test('a KEDA that was killed does not say that it has paused: that is said, and the Jobs are stopped all the same', {
  timeout: 180_000,
}, async t => {
  const { run, works, path } = await aQueue(t);
  await keda.stop();
  const stopped = await run('stop scaledjob/queue --no-save --yes');
  assert.equal(stopped.code, 0, stopped.stderr);
  assert.match(stopped.stderr, /KEDA does not say that it has paused scaledjob\.keda\.sh\/queue/);
  for (const work of works) await assertKept(admin, work);
  const now = await admin.get(path);
  assert.equal(saysPaused(now), false);
  assert.equal(now.metadata.annotations?.[paused], 'true');
});
