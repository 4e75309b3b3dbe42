import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JobSource } from '../../../src/model/job-source.ts';
import { addToMemory, type Change, type Memory, readMemory, writeMemory } from '../../../src/model/memory.ts';
import { trackingFinalizer } from '../../../src/model/pod.ts';
import { outOfReach, type WorkingJob } from '../../../src/model/working-job.ts';
import type { WorkingPod } from '../../../src/model/working-pod.ts';
import { giveBackToJob, giveBackToSource, resuming } from '../../../src/plan/give-back.ts';
import { stopSource } from '../../../src/plan/stop-sources.ts';
import { ago, failed, now } from '../nouns.ts';
import { aStoppedSource, changesOf, remembering, type Written } from '../resume-nouns.ts';
import { aScaledSource, aSource, aWorkingJob, aWorkingPod } from '../stop-nouns.ts';

const suspend = '/spec/suspend';
const failedLimit = '/spec/failedJobsHistoryLimit';
const paused = '/metadata/annotations/autoscaling.keda.sh~1paused';

/** What is given back, and what stays. */
const toSource = (source: JobSource): string => told(giveBackToSource(source));
const toJob = (job: WorkingJob, pods: readonly WorkingPod[] = []): string =>
  told(giveBackToJob({ job, pods }, now));

function told({ changes, conflicts, withheld, exceeds }: ReturnType<typeof giveBackToJob>): string {
  const field = (path: string) => path.split('/').at(-1);
  return [
    ...changes.map(({ path, was, set }) => `${field(path)} ${was} → ${set}`),
    ...conflicts.map(({ path, now: is }) => `${field(path)} stays ${is}`),
    ...withheld.map(({ path }) => `${field(path)} withheld`),
    ...(exceeds === undefined ? [] : [`${exceeds.failures} exceed ${field(exceeds.path)} ${exceeds.limit}`]),
  ].join(', ');
}

const sources: readonly (readonly [string, JobSource, string])[] = [
  [
    'everything is as the stop left it',
    aStoppedSource('c'),
    'suspend true → false, failedJobsHistoryLimit 2147483647 → 1, successfulJobsHistoryLimit 2147483647 → 3',
  ],
  [
    'a limit that somebody has changed stays',
    aStoppedSource('c', { limits: { failed: 7, successful: outOfReach } }),
    'suspend true → false, successfulJobsHistoryLimit 2147483647 → 3, failedJobsHistoryLimit stays 7',
  ],
  [
    'what was put back by hand is neither given back nor a conflict',
    aStoppedSource('c', { suspended: false, limits: { failed: 1, successful: 3 } }),
    '',
  ],
  [
    'it was suspended before the stop',
    aStoppedSource('c', { remembered: remembering([failedLimit, 1, outOfReach]) }),
    'failedJobsHistoryLimit 2147483647 → 1',
  ],
  [
    'a limit that was not set is taken away again',
    aStoppedSource('c', { remembered: remembering([failedLimit, null, outOfReach]) }),
    'failedJobsHistoryLimit 2147483647 → null',
  ],
  [
    'a field that nobody here knows stays: a newer version has written it',
    aStoppedSource('c', {
      remembered: remembering(['/spec/timeZone', 'UTC', 'CET'], [suspend, false, true]),
    }),
    'suspend true → false, timeZone stays null',
  ],
  [
    'KEDA’s pause is taken away again',
    aScaledSource('q', { pausedAnnotation: 'true', remembered: remembering([paused, null, 'true']) }),
    'autoscaling.keda.sh~1paused true → null',
  ],
  [
    'KEDA’s pause as it was written before',
    aScaledSource('q', { pausedAnnotation: 'true', remembered: remembering([paused, 'false', 'true']) }),
    'autoscaling.keda.sh~1paused true → false',
  ],
  [
    'somebody has paused it in a word of their own since',
    aScaledSource('q', { pausedAnnotation: 'until monday', remembered: remembering([paused, null, 'true']) }),
    'autoscaling.keda.sh~1paused stays until monday',
  ],
  ['without a memory nothing is given back', aStoppedSource('c', { remembered: { state: 'none' } }), ''],
  ['a memory of another object', aStoppedSource('c', { remembered: { state: 'foreign' } }), ''],
  ['a memory that cannot be read', aStoppedSource('c', { remembered: { state: 'unreadable' } }), ''],
];
for (const [name, source, expected] of sources)
  test(`a source: ${name}`, () => assert.equal(toSource(source), expected));

const backoffLimit: Written = ['/spec/backoffLimit', 6, outOfReach];
const parallelism: Written = ['/spec/parallelism', 3, 1];
const deadline: Written = ['/spec/activeDeadlineSeconds', 600, null];
const maxFailedIndexes: Written = ['/spec/maxFailedIndexes', 1, 5];
const ttl: Written = ['/spec/ttlSecondsAfterFinished', 60, null];
const far = { backoffLimit: outOfReach, parallelism: 1 };
const counts = (of: number, failedIndexes?: number) => ({
  active: 1,
  succeeded: 0,
  failed: of,
  ...(failedIndexes === undefined ? {} : { failedIndexes }),
});
const one = aWorkingJob('j');
const half = (more: Parameters<typeof aWorkingJob>[1], ...sets: readonly Written[]): WorkingJob =>
  aWorkingJob('j', { limits: far, remembered: remembering(...sets), ...more });

/** As a stop leaves a Pod that it has told to end, and that takes its time. */
const toldToEnd = (name: string, job: WorkingJob, more: Parameters<typeof aWorkingPod>[2] = {}): WorkingPod =>
  aWorkingPod(name, job, {
    deadlineSeconds: 1,
    remembered: remembering(['/spec/activeDeadlineSeconds', null, 1]),
    ...more,
  });
const tracked = { finalizers: [trackingFinalizer] };

const jobs: readonly (readonly [string, WorkingJob, string, (readonly WorkingPod[])?])[] = [
  [
    'one that still runs gets its limits back',
    half({ startedAt: ago('1m') }, parallelism, backoffLimit, deadline, ttl),
    'parallelism 1 → 3, backoffLimit 2147483647 → 6, activeDeadlineSeconds null → 600, ttlSecondsAfterFinished null → 60',
  ],
  [
    'as many failures as the limit are no end',
    half({ counts: counts(6) }, backoffLimit),
    'backoffLimit 2147483647 → 6',
  ],
  [
    'one more would end it',
    half({ counts: counts(7) }, backoffLimit),
    'backoffLimit 2147483647 → 6, 7 exceed backoffLimit 6',
  ],
  [
    'a Pod that was told to end will be the one more',
    half({ counts: counts(6) }, backoffLimit),
    'backoffLimit 2147483647 → 6, 7 exceed backoffLimit 6',
    [toldToEnd('a', one)],
  ],
  [
    'a Pod that has failed and is not counted yet is the one more',
    half({ counts: counts(6) }, backoffLimit),
    'backoffLimit 2147483647 → 6, 7 exceed backoffLimit 6',
    [toldToEnd('a', one, { phase: 'Failed', ...tracked })],
  ],
  [
    'a Pod that has failed and is counted is not counted again',
    half({ counts: counts(6) }, backoffLimit),
    'backoffLimit 2147483647 → 6',
    [toldToEnd('a', one, { phase: 'Failed' })],
  ],
  [
    'a Pod that was told to end and has succeeded is no failure',
    half({ counts: counts(6) }, backoffLimit),
    'backoffLimit 2147483647 → 6',
    [toldToEnd('a', one, { phase: 'Succeeded', ...tracked })],
  ],
  [
    'a Pod that runs on, with a deadline of its own, is no failure',
    half({ counts: counts(6) }, backoffLimit),
    'backoffLimit 2147483647 → 6',
    [aWorkingPod('a', one, { deadlineSeconds: 1 }), aWorkingPod('b', one)],
  ],
  [
    'a Pod that was told to end may be the last try of an index',
    half({ limits: { ...far, maxFailedIndexes: 5 }, counts: counts(1, 1) }, maxFailedIndexes),
    'maxFailedIndexes 5 → 1, 2 exceed maxFailedIndexes 1',
    [toldToEnd('a', one)],
  ],
  [
    'as many failed indexes as the limit are no end',
    half({ limits: { ...far, maxFailedIndexes: 5 }, counts: counts(1, 1) }, maxFailedIndexes),
    'maxFailedIndexes 5 → 1',
  ],
  [
    'one more failed index would end it',
    half({ limits: { ...far, maxFailedIndexes: 5 }, counts: counts(2, 2) }, maxFailedIndexes),
    'maxFailedIndexes 5 → 1, 2 exceed maxFailedIndexes 1',
  ],
  [
    'a deadline that has not passed',
    half({ startedAt: ago('599s') }, deadline),
    'activeDeadlineSeconds null → 600',
  ],
  [
    'a deadline that has passed to the second',
    half({ startedAt: ago('600s') }, deadline),
    'activeDeadlineSeconds withheld',
  ],
  [
    'a finished Job has nothing to lose but its shield',
    half({ state: failed('1h'), startedAt: ago('2h'), counts: counts(9, 9) }, backoffLimit, deadline, ttl),
    'backoffLimit 2147483647 → 6, activeDeadlineSeconds null → 600, ttlSecondsAfterFinished null → 60',
  ],
  [
    'somebody has changed its parallelism since',
    half({ limits: { ...far, parallelism: 9 } }, parallelism),
    'parallelism stays 9',
  ],
];
for (const [name, job, expected, pods] of jobs)
  test(`a Job: ${name}`, () => assert.equal(toJob(job, pods), expected));

test('a deadline that is not given back stays remembered, and nothing else does', () => {
  const job = half({ startedAt: ago('600s') }, parallelism, deadline);
  const back = resuming.ofJob({ job, pods: [] }, now);
  assert.deepEqual(back?.changes, changesOf([['/spec/parallelism', 1, 3]]));
  assert.deepEqual(back?.stays?.changes, changesOf([deadline]));
  const { stays } = resuming.ofJob({ job: half({ startedAt: ago('599s') }, deadline), pods: [] }, now) ?? {};
  assert.equal(stays, undefined);
});

test('a Job that its own limits would end is not written at all', () => {
  const job = half({ counts: counts(7) }, parallelism, backoffLimit);
  assert.equal(resuming.ofJob({ job, pods: [] }, now), undefined);
});

test('of a source without a memory exactly that is written which the plan has shown', () => {
  const shown = changesOf([[suspend, true, false]]);
  assert.deepEqual(resuming.ofSource(aStoppedSource('c', { remembered: { state: 'none' } }), shown), shown);
  const remembered = aStoppedSource('c', { remembered: remembering([suspend, false, true]) });
  assert.deepEqual(resuming.ofSource(remembered, []), shown);
});

// --- properties -----------------------------------------------------------------------------------------------------------------

const limit = fc.option(fc.nat({ max: 2_147_483_647 }), { nil: undefined });
const cronJobs = fc
  .record({ suspended: fc.boolean(), successful: limit, failed: limit })
  .map(({ suspended, successful, failed: bad }) =>
    aSource('c', {
      suspended,
      keepSucceeded: successful ?? 3,
      keepFailed: bad ?? 1,
      limits: {
        ...(successful === undefined ? {} : { successful }),
        ...(bad === undefined ? {} : { failed: bad }),
      },
    }),
  );
const scaledJobs = fc
  .option(fc.constantFrom('true', 'false', '', 'yes'), { nil: undefined })
  .map(pausedAnnotation =>
    aScaledSource('q', {
      suspended: pausedAnnotation !== undefined && pausedAnnotation !== 'false',
      ...(pausedAnnotation === undefined ? {} : { pausedAnnotation }),
    }),
  );
const terms = { terms: { by: 'anna' } };

type Fields = Pick<JobSource, 'suspended' | 'limits'> & { readonly pausedAnnotation?: string | undefined };
const fieldsOf = ({ suspended, limits, pausedAnnotation }: JobSource): Fields => ({
  suspended,
  limits,
  pausedAnnotation,
});

/** As the server merges it. */
function merged(source: JobSource, changes: readonly Change[]): JobSource {
  const at = (path: string, is: unknown): unknown => {
    const change = changes.find(one => one.path === path);
    return change === undefined ? is : (change.set ?? undefined);
  };
  const [successful, bad] = [
    at('/spec/successfulJobsHistoryLimit', source.limits.successful),
    at(failedLimit, source.limits.failed),
  ] as (number | undefined)[];
  const { pausedAnnotation: _, ...rest } = source;
  const annotation = at(paused, source.pausedAnnotation) as string | undefined;
  const isPaused = annotation !== undefined && annotation !== 'false';
  return {
    ...rest,
    suspended: source.ref.kind.kind === 'CronJob' ? Boolean(at(suspend, source.suspended)) : isPaused,
    keepSucceeded: successful ?? 3,
    keepFailed: bad ?? 1,
    limits: {
      ...(successful === undefined ? {} : { successful }),
      ...(bad === undefined ? {} : { failed: bad }),
    },
    ...(annotation === undefined ? {} : { pausedAnnotation: annotation }),
  };
}

const throughText = (memory: Memory) => readMemory(writeMemory(memory), memory.uid);

test('whatever it was: stopped, and stopped again, and resumed, it is as it was', () => {
  fc.assert(
    fc.property(fc.oneof(cronJobs, scaledJobs), fc.integer({ min: 1, max: 3 }), (source, times) => {
      let stopped = source;
      for (let time = 0; time < times; time += 1) {
        const action = stopSource(stopped, terms, now);
        if (action !== undefined)
          stopped = { ...merged(stopped, action.changes), remembered: throughText(action.memory) };
      }
      const { changes, conflicts } = giveBackToSource(stopped);
      assert.deepEqual(conflicts, []);
      assert.deepEqual(fieldsOf(merged(stopped, changes)), fieldsOf(source));
    }),
  );
});

test('whatever somebody changes in between: never is a field written that is not as a stop has left it', () => {
  fc.assert(
    fc.property(cronJobs, cronJobs, (source, changed) => {
      const action = stopSource(source, terms, now);
      if (action === undefined) return;
      const { suspended, limits, keepFailed, keepSucceeded } = changed;
      const meanwhile = { ...source, suspended, limits, keepFailed, keepSucceeded };
      const found = giveBackToSource({ ...meanwhile, remembered: throughText(action.memory) });
      for (const { path, was, set } of found.changes) {
        const written: Change | undefined = action.changes.find(one => one.path === path);
        assert.deepEqual([was, set], [written?.set, written?.was]);
      }
      const after = merged(meanwhile, found.changes);
      for (const { path, now: is } of found.conflicts)
        assert.deepEqual(
          path === suspend
            ? after.suspended
            : ((path === failedLimit ? after.limits.failed : after.limits.successful) ?? null),
          is,
        );
    }),
  );
});

test('a second memory keeps what the first has seen, whoever writes it', () => {
  const value = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string());
  const change = fc.record({ path: fc.constantFrom(suspend, failedLimit, paused), was: value, set: value });
  const memories = fc
    .uniqueArray(change, { selector: ({ path }) => path })
    .map((changes): Memory => ({ uid: 'u', at: ago('1h'), by: 'anna', changes }));
  fc.assert(
    fc.property(memories, memories, (first, second) => {
      const kept = addToMemory({ state: 'remembered', memory: first }, { ...second, by: 'bert', at: now });
      assert.deepEqual([kept.by, kept.at], [first.by, first.at]);
      for (const { path, was } of first.changes)
        assert.deepEqual(kept.changes.find(one => one.path === path)?.was, was);
    }),
  );
});
