// `resume`, what is said before: which runs were missed, what starts at once, what the limits will delete, what was not given back.
import { type FinishedState, isFinished } from '../model/job.ts';
import { type JobSource, paths } from '../model/job-source.ts';
import { isCronJobKind } from '../model/kind.ts';
import { controllerOf } from '../model/object.ts';
import type { ResumeOptions } from '../model/options.ts';
import { label } from '../model/ref.ts';
import type { ResumeSnapshot } from '../model/stop-snapshot.ts';
import type { Note } from '../model/why.ts';
import type { WorkingJob } from '../model/working-job.ts';
import { giveBackToJob, giveBackToSource } from './give-back.ts';
import { withoutEvidence } from './guards.ts';
import { managedOnce } from './managed.ts';
import { newestFirst, newestStartFirst } from './order.ts';
import { overrideNotes } from './overrides.ts';
import { forecastOf } from './schedule-facts.ts';

export function resumeNotes(
  resumed: ReadonlySet<string>,
  snapshot: ResumeSnapshot,
  options: ResumeOptions,
): Note[] {
  const sources = snapshot.sources.filter(({ ref }) => resumed.has(ref.uid));
  const jobs = snapshot.jobs.filter(({ ref }) => resumed.has(ref.uid));
  const kept = snapshot.jobs.filter(
    job => job.remembered.state === 'remembered' && isFinished(job.state) && !resumed.has(job.ref.uid),
  );
  return [
    ...overrideNotes(
      options,
      { includeHooks: false },
      { targets: [...sources, ...jobs].map(withoutEvidence) },
    ),
    ...sources.flatMap(source => sourceNotes(source, snapshot, options)),
    // neither has a sync that could be paused
    ...managedOnce(jobs, sources, ({ tool }) =>
      tool === 'managed-by' || tool === 'kueue' ? 'managed-elsewhere' : 'may-be-put-back',
    ),
    ...jobs.flatMap(job => withheldNotes(job, snapshot)),
    ...(kept.length > 0 && sources.length > 0
      ? [{ code: 'stopped-jobs-stay' as const, facts: { count: kept.length } }]
      : []),
    ...(snapshot.mayRecord || resumed.size === 0 ? [] : [{ code: 'no-event' as const, facts: {} }]),
  ];
}

function sourceNotes(source: JobSource, snapshot: ResumeSnapshot, options: ResumeOptions): Note[] {
  const object = label(source.ref);
  const { changes, conflicts } = giveBackToSource(source);
  const staysSuspended =
    source.suspended &&
    source.remembered.state === 'remembered' &&
    changes.every(({ path }) => !isSwitch(path));
  return [
    ...source.managers.map(
      ({ tool, name }): Note => ({ code: 'may-be-put-back', facts: { object, tool, name } }),
    ),
    ...conflicts.map(
      ({ path, now }): Note => ({ code: 'not-given-back', facts: { object, path, now: String(now) } }),
    ),
    ...(staysSuspended ? [{ code: 'stays-suspended' as const, facts: { object } }] : []),
    ...(staysSuspended || !isCronJobKind(source.ref.kind) ? [] : forecastNotes(source, snapshot, options)),
    ...historyNotes(source, changes, snapshot),
  ];
}

const isSwitch = (path: string): boolean => path === paths.suspend || path === paths.paused;

function forecastNotes(source: JobSource, snapshot: ResumeSnapshot, { skipMissed }: ResumeOptions): Note[] {
  const object = label(source.ref);
  const zone = source.timeZone ?? '';
  const seen = forecastOf(source, snapshot);
  if (!seen.known) return [{ code: 'forecast-unknown', facts: { object, why: seen.why } }];
  const { missed, atOnce, next, caveats } = seen;
  const at = (date: Date | undefined): number => date?.getTime() ?? 0;
  const isSkipped = skipMissed && atOnce.does !== 'nothing';
  return [
    ...(missed.count === 0
      ? []
      : [
          {
            code: 'missed-runs' as const,
            facts: {
              object,
              count: missed.count,
              more: missed.isMore ? 'yes' : '',
              first: at(missed.first),
              last: at(missed.last),
              zone,
            },
          },
        ]),
    {
      code: 'at-once',
      facts: {
        object,
        does: isSkipped ? 'skipped' : atOnce.does,
        because: atOnce.because,
        for: at(atOnce.scheduledFor),
        zone,
      },
    },
    ...(next === undefined
      ? []
      : [{ code: 'next-run' as const, facts: { object, at: next.getTime(), zone } }]),
    ...caveats
      // it is about what starts at once
      .filter(caveat => !isSkipped || caveat !== 'more-than-100-missed')
      .map((caveat): Note => ({ code: 'forecast-caveat', facts: { object, caveat } })),
  ];
}

/** A CronJob trims its history as soon as its limits are back; KEDA, whose limits nobody has lifted, as soon as it goes on. */
function historyNotes(
  source: JobSource,
  changes: ReturnType<typeof giveBackToSource>['changes'],
  { jobs }: ResumeSnapshot,
): Note[] {
  const own = jobs.filter(job => controllerOf(job)?.uid === source.ref.uid);
  return limitsOf(source, changes).flatMap(({ outcome, limit }): Note[] => {
    const ended = own.filter(({ state }) => state.is === outcome).map(toDated);
    const beyond = [...ended]
      .sort(isCronJobKind(source.ref.kind) ? newestStartFirst : newestFirst)
      .slice(limit);
    if (beyond.length === 0) return [];
    const by = isCronJobKind(source.ref.kind) ? 'the controller' : 'KEDA';
    // KEDA sorts by the time of completion, which a failed Job has not: any of them may be the first
    const isAny = by === 'KEDA' && outcome === 'failed' && limit > 0;
    const names = isAny
      ? ''
      : beyond
          .slice(0, 5)
          .map(({ name }) => `job.batch/${name}`)
          .join(', ');
    const stopped = isAny ? 0 : beyond.filter(({ isStopped }) => isStopped).length;
    return [
      {
        code: 'history-deletes',
        facts: { object: label(source.ref), by, limit, outcome, names, count: beyond.length, stopped },
      },
    ];
  });
}

type Outcome = 'failed' | 'complete';

/** The limits that hold from now on, and did not before. */
function limitsOf(
  { ref, keepFailed, keepSucceeded }: JobSource,
  changes: ReturnType<typeof giveBackToSource>['changes'],
): { outcome: Outcome; limit: number }[] {
  if (isCronJobKind(ref.kind))
    return changes.flatMap(({ path, set }): { outcome: Outcome; limit: number }[] => {
      if (path === paths.failedLimit) return [{ outcome: 'failed', limit: Number(set ?? 1) }];
      return path === paths.successfulLimit ? [{ outcome: 'complete', limit: Number(set ?? 3) }] : [];
    });
  if (!changes.some(({ path }) => path === paths.paused)) return [];
  return [
    { outcome: 'failed', limit: keepFailed },
    { outcome: 'complete', limit: keepSucceeded },
  ];
}

function toDated({ ref, state, startedAt, remembered }: WorkingJob) {
  const { endedAt } = state as FinishedState;
  return { name: ref.name, uid: ref.uid, endedAt, startedAt, isStopped: remembered.state === 'remembered' };
}

function withheldNotes(job: WorkingJob, { takenAt }: ResumeSnapshot): Note[] {
  const object = label(job.ref);
  // its Pods have no say in what is withheld and what is a conflict
  const { withheld, conflicts } = giveBackToJob({ job, pods: [] }, takenAt);
  return [
    ...conflicts.map(
      ({ path, now }): Note => ({ code: 'not-given-back', facts: { object, path, now: String(now) } }),
    ),
    ...withheld.map(({ path }): Note => ({ code: 'deadline-has-passed', facts: { object, path } })),
  ];
}
