// What has to stand on a Job while a Pod of it is active, so that the Job controller deletes none: its limits, lifted, and a parallelism
// that is never below what the controller may believe to be active.
import { given } from '../model/given.ts';
import { type Change, pointer } from '../model/memory.ts';
import { trackingFinalizer } from '../model/pod.ts';
import type { Work } from '../model/stopping.ts';
import { outOfReach, type WorkingJob } from '../model/working-job.ts';
import { isActive } from '../model/working-pod.ts';
import { mayBeReplacedNow } from './replacement.ts';

/** Fields of a Job that a stop changes. */
export const limits = {
  parallelism: pointer('spec', 'parallelism'),
  backoffLimit: pointer('spec', 'backoffLimit'),
  maxFailedIndexes: pointer('spec', 'maxFailedIndexes'),
  deadline: pointer('spec', 'activeDeadlineSeconds'),
  ttl: pointer('spec', 'ttlSecondsAfterFinished'),
} as const;

/** Above this many completions maxFailedIndexes may not be lifted further. Source: pkg/apis/batch/validation completionsSoftLimit. */
const manyCompletions = 100_000;

export const to = (path: string, was: number | undefined, set: number | null): Change => ({
  path,
  was: was ?? null,
  set,
});

/** A finished Job is what a TTL deletes, with its Pods. */
export const shieldOf = ({ limits: { ttlSecondsAfterFinished: ttl } }: WorkingJob): Change[] =>
  ttl === undefined ? [] : [to(limits.ttl, ttl, null)];

/**
 * Out of reach, so that nothing trips while a Pod is active; but for one: where a Job with a limit per index has indexes that have not
 * run, the controller starts the next one in the same sync that sees a Pod end, and parallelism cannot follow. With the exact number of
 * failures so far the end of the only active Pod ends the Job in that same sync (measured on 1.37).
 */
function wantedBackoffLimit({ job, pods }: Pick<Work, 'job' | 'pods'>): number {
  const active = pods.filter(isActive).length;
  // what it ended with is about to be counted: nothing is left that a limit could delete, and raised now the next index would start
  if (active === 0) return job.limits.backoffLimit;
  const isAlone = active === 1 && pods.every(pod => pod.deletingSince === undefined);
  const isExact = job.perIndex && isAlone && indexesLeft(job, active) > 0 && !bringsUpNext(job, active);
  return isExact ? failuresSoFar({ job, pods }) : outOfReach;
}

/**
 * Whether the end of a Pod brings up the next index, and nothing keeps that off. With restartPolicy OnFailure the limit is compared with the
 * restarts of what runs too, and an exact one would delete it (measured; source: pastBackoffLimitOnFailure).
 */
export const bringsUpNext = ({ perIndex, restartPolicy }: WorkingJob, active: number): boolean =>
  perIndex && (active > 1 || restartPolicy !== 'Never');

/** Indexes that have neither succeeded nor a Pod that runs; those that have failed for good are among them. */
export const indexesLeft = ({ completions = 0, counts }: WorkingJob, active: number): number =>
  completions - counts.succeeded - active;

/** What the controller will have counted once it has come to every Pod: one too few would delete the active Pod, more do no harm. */
export function failuresSoFar({ job, pods }: Pick<Work, 'job' | 'pods'>): number {
  const known = new Set(job.uncountedFailures);
  const onTheWay = pods.filter(
    ({ phase, finalizers, ref }) =>
      phase === 'Failed' && finalizers.includes(trackingFinalizer) && !known.has(ref.uid),
  );
  return job.counts.failed + onTheWay.length;
}

/** What has to stand on the Job while a Pod is active. */
export function holdChanges({ job, pods, longEnded }: Work, now: Date): Change[] {
  const { parallelism, backoffLimit, maxFailedIndexes, activeDeadlineSeconds } = job.limits;
  const changes: Change[] = [...shieldOf(job)];
  const wanted = wantedBackoffLimit({ job, pods });
  // with no Pod active there is nothing for it to trip, and a limit that is to end the Job must not be taken back before it has
  if (backoffLimit !== wanted && pods.some(isActive))
    changes.push(to(limits.backoffLimit, backoffLimit, wanted));
  const mostIndexes = Math.min(job.completions ?? 0, manyCompletions);
  if (maxFailedIndexes !== undefined && maxFailedIndexes < mostIndexes)
    changes.push(to(limits.maxFailedIndexes, maxFailedIndexes, mostIndexes));
  // one that passes half-way would delete the Pods that are still ending
  if (activeDeadlineSeconds !== undefined) changes.push(to(limits.deadline, activeDeadlineSeconds, null));
  const active = mostActive({ job, pods, ...given({ longEnded }) });
  if (parallelism > active && !mayBeReplacedNow({ job, pods }, now))
    changes.push(to(limits.parallelism, parallelism, active));
  return changes;
}

/**
 * As many Pods as the Job controller may believe to be active: it would delete those above parallelism. Its own count comes late where it
 * has many Jobs to write (20 requests a second by default), and replaces a failed Pod after 10 s all the same; what it believes is what
 * it watches, and that is never older than an end that we have seen long ago.
 */
function mostActive({ job, pods, longEnded }: Pick<Work, 'job' | 'pods' | 'longEnded'>): number {
  const seen = pods.filter(isActive).length;
  const justEnded = pods.filter(pod => !isActive(pod) && longEnded?.has(pod.ref.uid) !== true).length;
  return Math.max(seen, Math.min(job.counts.active, seen + justEnded));
}
