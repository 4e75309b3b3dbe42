// `resume`, one object: what is given back of what `stop` remembered, and only where it is still as the stop left it.
import { isFinished } from '../model/job.ts';
import { type JobSource, paths } from '../model/job-source.ts';
import { isCronJobKind } from '../model/kind.ts';
import type { Change, Memory, Value } from '../model/memory.ts';
import type { Resuming } from '../model/resuming.ts';
import type { WorkingJob } from '../model/working-job.ts';
import { limits } from './lifted-limits.ts';
import { servedAt } from './schedule-facts.ts';

export interface GivenBack {
  readonly changes: readonly Change[];
  /** Somebody has changed it since, or nobody here knows the field: it stays. */
  readonly conflicts: readonly { readonly path: string; readonly now: Value }[];
  /** Given back, it would end a Job that goes on. */
  readonly withheld: readonly Change[];
}

type ValueAt = (path: string) => Value | undefined;

const nothing: GivenBack = { changes: [], conflicts: [], withheld: [] };

export function giveBackToSource(source: JobSource): GivenBack {
  return source.remembered.state === 'remembered'
    ? compare(source.remembered.memory, valueOfSource(source))
    : nothing;
}

export function giveBackToJob(job: WorkingJob, now: Date): GivenBack {
  if (job.remembered.state !== 'remembered') return nothing;
  const given = compare(job.remembered.memory, valueOfJob(job));
  if (isFinished(job.state)) return given;
  const wouldEnd = (change: Change) => endsTheJob(change, job, now);
  return {
    ...given,
    changes: given.changes.filter(change => !wouldEnd(change)),
    withheld: given.changes.filter(wouldEnd),
  };
}

function compare(memory: Memory, valueAt: ValueAt): GivenBack {
  const changes: Change[] = [];
  const conflicts: { path: string; now: Value }[] = [];
  for (const { path, was, set } of memory.changes) {
    const now = valueAt(path);
    if (now === was) continue;
    if (now === undefined || now !== set) conflicts.push({ path, now: now ?? null });
    else changes.push({ path, was: now, set: was });
  }
  return { changes, conflicts, withheld: [] };
}

/** The Job controller deletes the Pods of a Job that it finds past its deadline or above its limit. */
function endsTheJob({ path, set }: Change, { startedAt, counts }: WorkingJob, now: Date): boolean {
  if (path === limits.backoffLimit) return counts.failed > Number(set);
  if (path === limits.maxFailedIndexes && set !== null) return (counts.failedIndexes ?? 0) > Number(set);
  if (path !== limits.deadline || startedAt === undefined || set === null) return false;
  return now.getTime() - startedAt.getTime() >= Number(set) * 1000;
}

function valueOfSource({ ref, suspended, limits: own, pausedAnnotation }: JobSource): ValueAt {
  const values: Readonly<Record<string, Value>> = isCronJobKind(ref.kind)
    ? {
        [paths.suspend]: suspended,
        [paths.failedLimit]: own.failed ?? null,
        [paths.successfulLimit]: own.successful ?? null,
      }
    : { [paths.paused]: pausedAnnotation ?? null };
  return path => values[path];
}

function valueOfJob({ limits: now }: WorkingJob): ValueAt {
  const values: Readonly<Record<string, Value>> = {
    [limits.parallelism]: now.parallelism,
    [limits.backoffLimit]: now.backoffLimit,
    [limits.maxFailedIndexes]: now.maxFailedIndexes ?? null,
    [limits.deadline]: now.activeDeadlineSeconds ?? null,
    [limits.ttl]: now.ttlSecondsAfterFinished ?? null,
  };
  return path => values[path];
}

/** The rules of a resume, for `execute`. */
export const resuming: Resuming = {
  ofSource: (source, planned) =>
    source.remembered.state === 'remembered' ? giveBackToSource(source).changes : planned,
  servedAt,
  ofJob: (job, now) => giveBackToJob(job, now).changes,
};
