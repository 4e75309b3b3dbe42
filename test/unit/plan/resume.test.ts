import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobSource } from '../../../src/model/job-source.ts';
import type { ResumeOptions } from '../../../src/model/options.ts';
import type { ResumePlan } from '../../../src/model/plan.ts';
import { outOfReach } from '../../../src/model/working-job.ts';
import { planResume } from '../../../src/plan/resume.ts';
import { ago, complete, failed, ownedBy } from '../nouns.ts';
import { aStoppedSource, remembering, resumeOptions, resumeSnapshot } from '../resume-nouns.ts';
import { aScaledSource, aSource, aWorkingJob } from '../stop-nouns.ts';

type Seen = Parameters<typeof resumeSnapshot>[0];

const plan = (seen: Seen, options: Partial<ResumeOptions> = {}, chosen?: ReadonlySet<string>): ResumePlan =>
  planResume(resumeSnapshot(seen), resumeOptions(options), chosen);
const verdicts = ({ findings }: ResumePlan): string[] =>
  findings.map(({ target, verdict, why }) => `${target.name}: ${verdict}, ${why.code}`);
const doing = ({ actions }: ResumePlan): string[] =>
  actions.map(({ does, target }) => `${does} ${target.name}`);
const noted = ({ notes }: ResumePlan): string[] => notes.map(({ code }) => code);
const factsOf = ({ notes }: ResumePlan, code: string) =>
  notes.filter(note => note.code === code).map(({ facts }) => facts);

const list: Partial<ResumeOptions> = { words: { by: 'nothing' } };
const source = aStoppedSource('c');
const owners = ownedBy(source);
const kept = aWorkingJob('kept', {
  owners,
  state: failed('1h'),
  limits: { backoffLimit: outOfReach },
  remembered: remembering(['/spec/backoffLimit', 6, outOfReach]),
});
const none = { remembered: { state: 'none' as const } };
const carrying = (state: 'foreign' | 'unreadable' | 'none'): Partial<JobSource> => ({
  remembered: { state },
});

// --- what is resumed --------------------------------------------------------------------------------------------------------------

const cases: readonly (readonly [string, Seen, string[], string[]])[] = [
  ['a stopped CronJob', { sources: [source] }, ['c: resume, given-back'], ['give-back c']],
  [
    'what somebody has changed is given back in part',
    { sources: [aStoppedSource('c', { limits: { failed: 7, successful: outOfReach } })] },
    ['c: resume, given-back-in-part'],
    ['give-back c'],
  ],
  [
    'S20: a suspended one without a memory, by name',
    { sources: [aStoppedSource('c', none)] },
    ['c: resume, without-memory'],
    ['give-back c'],
  ],
  [
    'S20: and by a selector',
    { sources: [aStoppedSource('c', none)], asked: { c: 'selected' } },
    ['c: stays, not-stopped-by-us'],
    [],
  ],
  ['one that runs', { sources: [aSource('c')] }, ['c: stays, not-stopped-by-us'], []],
  [
    'a memory of another object is none',
    { sources: [aStoppedSource('c', carrying('foreign'))] },
    ['c: resume, without-memory'],
    ['give-back c'],
  ],
  [
    'a memory that cannot be read is refused by name',
    { sources: [aStoppedSource('c', carrying('unreadable'))] },
    ['c: refused, memory-unreadable'],
    [],
  ],
  [
    'and left alone by a selector',
    { sources: [aStoppedSource('c', carrying('unreadable'))], asked: { c: 'selected' } },
    ['c: stays, memory-unreadable'],
    [],
  ],
  [
    'the same of a Job',
    {
      jobs: [
        aWorkingJob('a', { remembered: { state: 'unreadable' } }),
        aWorkingJob('b', { remembered: { state: 'unreadable' } }),
      ],
      asked: { b: 'selected' },
    },
    ['a: refused, memory-unreadable', 'b: stays, memory-unreadable'],
    [],
  ],
  [
    'one that is being deleted',
    { sources: [aStoppedSource('c', { deletingSince: ago('1m') })] },
    ['c: already-terminating, terminating'],
    [],
  ],
  [
    'S19: its stopped Jobs stay as they are',
    { sources: [source], jobs: [kept] },
    ['c: resume, given-back', 'kept: stays, keeps-its-shield'],
    ['give-back c'],
  ],
  [
    'a half-stopped Job gets its limits back',
    { sources: [source], jobs: [{ ...kept, state: { is: 'running', active: 1 } }] },
    ['c: resume, given-back', 'kept: resume, given-back'],
    ['give-back c', 'give-back kept'],
  ],
  [
    'of its Jobs those that no stop has touched are not worth a word',
    { sources: [source], jobs: [aWorkingJob('other', { owners })] },
    ['c: resume, given-back'],
    ['give-back c'],
  ],
  [
    'a Job that no stop has touched, by name',
    { jobs: [aWorkingJob('other')] },
    ['other: stays, not-stopped-by-us'],
    [],
  ],
];
for (const [name, seen, says, does] of cases)
  test(name, () => {
    const made = plan(seen);
    assert.deepEqual(verdicts(made), says);
    assert.deepEqual(doing(made), does);
  });

test('without a memory only the suspension is lifted, and that is a danger', () => {
  for (const state of ['none', 'foreign'] as const) {
    const made = plan({ sources: [aStoppedSource('c', carrying(state))] });
    assert.deepEqual(made.actions[0]?.changes, [{ path: '/spec/suspend', was: true, set: false }]);
    assert.deepEqual(made.dangers, ['without-memory']);
  }
  assert.deepEqual(plan({ sources: [source] }).dangers, []);
});

test('alone it lists what is stopped or cannot be read, and does nothing', () => {
  const unreadable = aStoppedSource('newer', carrying('unreadable'));
  const made = plan(
    { sources: [source, unreadable], jobs: [kept], asked: { c: 'selected', newer: 'selected' } },
    list,
  );
  assert.deepEqual(verdicts(made), [
    'c: already-stopped, stopped-before',
    'newer: stays, memory-unreadable',
    'kept: already-stopped, stopped-before',
  ]);
  assert.deepEqual([made.actions, made.notes], [[], []]);
});

test('--release-evidence gives the limits of stopped Jobs back too', () => {
  const made = plan({ sources: [source], jobs: [kept] }, { releaseEvidence: true });
  assert.deepEqual(doing(made), ['give-back c', 'release-evidence kept']);
  assert.equal(verdicts(made)[1], 'kept: resume, evidence-released');
  assert.ok(!noted(made).includes('stopped-jobs-stay'));
});

test('only what was picked from the list is given back', () => {
  const other = aStoppedSource('d');
  const made = plan({ sources: [source, other] }, { interactive: true }, new Set([other.ref.uid]));
  assert.deepEqual(verdicts(made), ['c: stays, not-chosen', 'd: resume, given-back']);
  assert.deepEqual(doing(made), ['give-back d']);
});

test('--skip-missed comes before the CronJob goes on, and only where something would start', () => {
  const skips = { skipMissed: true };
  assert.deepEqual(doing(plan({ sources: [source] }, skips)), ['skip-missed c', 'give-back c']);
  const nothingMissed = aStoppedSource('c', { schedule: '0 0 29 2 *' });
  assert.deepEqual(doing(plan({ sources: [nothingMissed] }, skips)), ['give-back c']);
  const wasSuspended = aStoppedSource('c', {
    remembered: remembering(['/spec/failedJobsHistoryLimit', 1, outOfReach]),
  });
  assert.deepEqual(doing(plan({ sources: [wasSuspended] }, skips)), ['give-back c']);
});

test('--run-now starts one Job of each CronJob that is resumed or goes on already, under a name that fits', () => {
  const long = aStoppedSource('c'.repeat(52));
  const made = plan({ sources: [source, long, aScaledSource('q')] }, { runNow: true });
  const runs = made.actions.filter(({ does }) => does === 'run-now');
  assert.deepEqual(
    runs.map(({ target }) => target.name),
    ['c', 'c'.repeat(52)],
  );
  for (const { jobName = '' } of runs) {
    assert.match(jobName, /^c+-resumed-[0-9a-z]+$/);
    assert.ok(jobName.length <= 63, `${jobName.length}`);
  }
});

// --- what is said before ----------------------------------------------------------------------------------------------------------

test('what was missed, what starts at once and when it goes on are said of a CronJob that goes on', () => {
  const made = plan({ sources: [source] });
  assert.deepEqual(noted(made), ['missed-runs', 'at-once', 'next-run']);
  assert.equal(factsOf(made, 'missed-runs')[0]?.['count'], 12);
  assert.equal(factsOf(made, 'at-once')[0]?.['does'], 'starts-a-run');
  const skipped = plan({ sources: [source] }, { skipMissed: true });
  assert.equal(factsOf(skipped, 'at-once')[0]?.['does'], 'skipped');
});

test('a newest run that is skipped does not start: the controller will not warn', () => {
  const long = aStoppedSource('c', { schedule: '* * * * *', lastScheduledAt: ago('15d') });
  assert.ok(noted(plan({ sources: [long] })).includes('forecast-caveat'));
  assert.ok(!noted(plan({ sources: [long] }, { skipMissed: true })).includes('forecast-caveat'));
});

test('notes come in the order of the objects, in whatever order the server answered', () => {
  const objects = (of: ResumePlan) => of.notes.map(({ facts }) => facts['object']);
  const other = aStoppedSource('d');
  const made = plan({ sources: [other, source] });
  assert.deepEqual(objects(made), objects(plan({ sources: [source, other] })));
  assert.equal(objects(made)[0], 'cronjob.batch/c');
});

test('of one that stays suspended nothing is foretold', () => {
  const made = plan({
    sources: [
      aStoppedSource('c', { remembered: remembering(['/spec/failedJobsHistoryLimit', 1, outOfReach]) }),
    ],
  });
  assert.deepEqual(noted(made), ['stays-suspended']);
});

test('a schedule that cannot be read is no forecast', () => {
  const made = plan({ sources: [aStoppedSource('c', { schedule: 'every day' })] });
  assert.deepEqual(noted(made), ['forecast-unknown']);
});

const ended = (name: string, state: 'failed' | 'complete', started: string, end: string, more = {}) =>
  aWorkingJob(name, {
    owners,
    state: state === 'failed' ? failed(end) : complete(end),
    startedAt: ago(started),
    ...more,
  });

test('the Jobs beyond the limits are those that started first, whenever they ended', () => {
  const jobs = [
    ended('long', 'failed', '9h', '1m'),
    ended('short', 'failed', '2h', '1h'),
    ended('newest', 'failed', '30m', '20m'),
    ended('good', 'complete', '9h', '8h'),
  ];
  const [facts, more] = factsOf(plan({ sources: [source], jobs }), 'history-deletes');
  assert.equal(more, undefined);
  assert.deepEqual(
    [facts?.['names'], facts?.['count'], facts?.['limit'], facts?.['by']],
    ['job.batch/short, job.batch/long', 2, 1, 'the controller'],
  );
});

test('a Job without a start is the newest, and of those that started together the first name goes first', () => {
  const { startedAt: _, ...unstarted } = ended('a-unstarted', 'failed', '9h', '8h');
  const jobs = [unstarted, ended('b', 'failed', '2h', '1h'), ended('c', 'failed', '2h', '1h')];
  const [facts] = factsOf(plan({ sources: [source], jobs }), 'history-deletes');
  assert.equal(facts?.['names'], 'job.batch/c, job.batch/b');
});

test('a limit that is not given back deletes nothing that would have to be said', () => {
  const changed = aStoppedSource('c', { limits: { failed: 0, successful: 0 } });
  const made = plan({ sources: [changed], jobs: [ended('a', 'failed', '2h', '1h')] });
  assert.deepEqual(factsOf(made, 'history-deletes'), []);
  assert.equal(factsOf(made, 'not-given-back').length, 2);
});

const queue = (keepFailed: number): JobSource =>
  aScaledSource('q', {
    suspended: true,
    pausedAnnotation: 'true',
    keepFailed,
    keepSucceeded: 100,
    remembered: remembering(['/metadata/annotations/autoscaling.keda.sh~1paused', null, 'true']),
  });

test('what KEDA deletes as soon as it goes on is said: its limits were never lifted', () => {
  const owned = (name: string) => ({ ...ended(name, 'failed', '2h', '1h'), owners: ownedBy(queue(0)) });
  const all = plan({ sources: [queue(0)], jobs: [owned('a'), owned('b')] });
  const [facts] = factsOf(all, 'history-deletes');
  assert.deepEqual([facts?.['by'], facts?.['count'], facts?.['limit']], ['KEDA', 2, 0]);
  assert.equal(facts?.['names'], 'job.batch/b, job.batch/a');
  // a failed Job has no time of completion, by which KEDA sorts
  const some = plan({ sources: [queue(1)], jobs: [owned('a'), owned('b')] });
  assert.equal(factsOf(some, 'history-deletes')[0]?.['names'], '');
  assert.deepEqual(
    factsOf(plan({ sources: [queue(2)], jobs: [owned('a'), owned('b')] }), 'history-deletes'),
    [],
  );
});

test('who would put the change back is said, and that no Event can be written', () => {
  const managed = aStoppedSource('c', { managers: [{ tool: 'argocd', name: 'shop' }] });
  const made = plan({ sources: [managed], mayRecord: false });
  assert.ok(noted(made).includes('may-be-put-back'));
  assert.ok(noted(made).includes('no-event'));
});

test('the digest changes with what is given back, and not with the order of the answers', () => {
  const other = aStoppedSource('d');
  const digest = (seen: Seen, options?: Partial<ResumeOptions>) => plan(seen, options).digest;
  assert.equal(digest({ sources: [source, other] }), digest({ sources: [other, source] }));
  assert.notEqual(digest({ sources: [source] }), digest({ sources: [source, other] }));
  const flags = [{}, { runNow: true }, { skipMissed: true }, { runNow: true, skipMissed: true }];
  const digests = flags.map(options => digest({ sources: [source] }, options));
  assert.equal(new Set(digests).size, flags.length);
  const changed = aStoppedSource('c', { limits: { failed: 7, successful: outOfReach } });
  assert.notEqual(digest({ sources: [source] }), digest({ sources: [changed] }));
});
