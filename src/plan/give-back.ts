// `resume`, one object: what is given back of what `stop` remembered, and only where it is still as the stop left it.
import { given } from '../model/given.ts';
import { isFinished } from '../model/job.ts';
import { type JobSource, paths } from '../model/job-source.ts';
import { isCronJobKind } from '../model/kind.ts';
import type { Change, Memory, Value } from '../model/memory.ts';
import type { Resuming } from '../model/resuming.ts';
import type { Work } from '../model/stopping.ts';
import type { WorkingJob } from '../model/working-job.ts';
import type { WorkingPod } from '../model/working-pod.ts';
import { failuresSoFar, limits } from './lifted-limits.ts';
import { servedAt } from './schedule-facts.ts';

export interface GivenBack {
  readonly changes: readonly Change[];
  /** Somebody has changed it since, or nobody here knows the field: it stays. */
  readonly conflicts: readonly { readonly path: string; readonly now: Value }[];
  /** A deadline that has passed: given back, it would end a Job that goes on. */
  readonly withheld: readonly Change[];
  /** Failures of the Job, and Pods told to end, that are more than this limit of it allows: it cannot go on as it was. */
  readonly exceeds?: { readonly path: string; readonly limit: number; readonly failures: number };
}

/** Of a Job that has ended the Pods do not matter. */
type Halves = Pick<Work, 'job' | 'pods'>;

type ValueAt = (path: string) => Value | undefined;

const nothing: GivenBack = { changes: [], conflicts: [], withheld: [] };

export function giveBackToSource(source: JobSource): GivenBack {
  return source.remembered.state === 'remembered'
    ? compare(source.remembered.memory, valueOfSource(source))
    : nothing;
}

export function giveBackToJob({ job, pods }: Halves, now: Date): GivenBack {
  if (job.remembered.state !== 'remembered') return nothing;
  const all = compare(job.remembered.memory, valueOfJob(job));
  if (isFinished(job.state)) return all;
  const isOver = (change: Change) => hasPassed(change, job, now);
  return {
    ...all,
    changes: all.changes.filter(change => !isOver(change)),
    withheld: all.changes.filter(isOver),
    ...given({ exceeds: exceeded(all.changes, { job, pods }) }),
  };
}

/** What stays remembered of a Job: a limit that is forgotten could never be given back. */
function memoryAfter({ remembered }: WorkingJob, { withheld }: GivenBack): Memory | undefined {
  if (remembered.state !== 'remembered' || withheld.length === 0) return undefined;
  const paths = new Set(withheld.map(({ path }) => path));
  const { memory } = remembered;
  return { ...memory, changes: memory.changes.filter(({ path }) => paths.has(path)) };
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

/** The Job controller deletes the Pods of a Job that it finds past its deadline. */
function hasPassed({ path, set }: Change, { startedAt }: WorkingJob, now: Date): boolean {
  if (path !== limits.deadline || startedAt === undefined || set === null) return false;
  return now.getTime() - startedAt.getTime() >= Number(set) * 1000;
}

/** With the limit the controller would end the Job and delete the Pods that run; without it, it would run the work again. */
function exceeded(changes: readonly Change[], { job, pods }: Halves): GivenBack['exceeds'] {
  const toCome = pods.filter(wasToldToEnd).length;
  const failed: Readonly<Record<string, number>> = {
    [limits.backoffLimit]: failuresSoFar({ job, pods }) + toCome,
    // in doubt each of them is the last try of an index of its own
    [limits.maxFailedIndexes]: (job.counts.failedIndexes ?? 0) + toCome,
  };
  for (const { path, set } of changes) {
    const failures = failed[path] ?? 0;
    if (set !== null && failures > Number(set)) return { path, limit: Number(set), failures };
  }
  return undefined;
}

/** By the deadline of the stop, and it has not ended yet: its end will count as a failure. */
const wasToldToEnd = ({ phase, deadlineSeconds = Infinity, remembered }: WorkingPod): boolean =>
  phase !== 'Succeeded' && phase !== 'Failed' && deadlineSeconds <= 1 && remembered.state === 'remembered';

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
  ofJob: (halves, now) => {
    const { exceeds, changes, withheld, conflicts } = giveBackToJob(halves, now);
    if (exceeds !== undefined) return undefined;
    return { changes, ...given({ stays: memoryAfter(halves.job, { changes, withheld, conflicts }) }) };
  },
};
