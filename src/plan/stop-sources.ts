// `stop`, what is written on what makes Jobs: no new Jobs, and nothing that deletes finished ones.
import { given } from '../model/given.ts';
import { type JobSource, paths } from '../model/job-source.ts';
import { isCronJobKind } from '../model/kind.ts';
import { addToMemory, type Change } from '../model/memory.ts';
import type { StopAction, StopTerms } from '../model/stop-plan.ts';
import { outOfReach } from '../model/working-job.ts';

/** Undefined where nothing is left to be changed. */
export function stopSource(
  source: JobSource,
  { terms }: { readonly terms: Pick<StopTerms, 'by' | 'reason'> },
  now: Date,
): StopAction | undefined {
  const changes = isCronJobKind(source.ref.kind) ? ofCronJob(source) : ofScaledJob(source);
  if (changes.length === 0) return undefined;
  const { ref, remembered } = source;
  const { by, reason } = terms;
  const memory = addToMemory(remembered, { uid: ref.uid, at: now, by, changes, ...given({ reason }) });
  return { target: ref, does: isCronJobKind(ref.kind) ? 'suspend' : 'pause', changes, memory };
}

/** A CronJob trims its history suspended or not (measured): a stopped Job is a failed Job, and one more may be one too many. */
function ofCronJob({ suspended, limits, keepFailed, keepSucceeded }: JobSource): Change[] {
  const changes: Change[] = [];
  if (!suspended) changes.push({ path: paths.suspend, was: false, set: true });
  if (keepFailed !== outOfReach)
    changes.push({ path: paths.failedLimit, was: limits.failed ?? null, set: outOfReach });
  if (keepSucceeded !== outOfReach)
    changes.push({ path: paths.successfulLimit, was: limits.successful ?? null, set: outOfReach });
  return changes;
}

/** KEDA takes any value but `false` for yes. Its spec is not touched: a new generation deletes its Jobs. */
function ofScaledJob({ suspended, pausedAnnotation }: JobSource): Change[] {
  return suspended ? [] : [{ path: paths.paused, was: pausedAnnotation ?? null, set: 'true' }];
}
