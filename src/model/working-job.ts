// A Job as `stop` has to know it: its limits, its counters and the policies that decide when the Job controller deletes Pods.
import type { Job } from './job.ts';
import type { LabelSelector } from './label-selector.ts';
import type { Remembered } from './memory.ts';

/** What can be changed on a Job that runs. Absent: not set. Source: pkg/apis/batch/validation ValidateJobSpecUpdate. */
export interface JobLimits {
  readonly parallelism: number;
  readonly backoffLimit: number;
  readonly maxFailedIndexes?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
}

/** The controller's own count, which may lag behind the Pods. */
interface JobCounts {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Indexed, with a limit per index: how many have failed for good. */
  readonly failedIndexes?: number;
}

/** One rule of spec.podFailurePolicy. */
export interface FailureRule {
  readonly action: string;
  /** Absent: a rule about Pod conditions. */
  readonly exitCodes?: { readonly operator: string; readonly values: readonly number[] };
}

export interface WorkingJob extends Job {
  readonly limits: JobLimits;
  readonly counts: JobCounts;
  /** Uids of failed Pods that are on their way into the counters, where they are counted already. */
  readonly uncountedFailures: readonly string[];
  readonly suspended: boolean;
  readonly completions?: number;
  readonly restartPolicy: string;
  /** spec.backoffLimitPerIndex is set. */
  readonly perIndex: boolean;
  readonly failureRules: readonly FailureRule[];
  readonly hasSuccessPolicy: boolean;
  /** spec.selector is the server's own: its Pods carry the label with the Job's uid. */
  readonly standardSelector: boolean;
  /** Only where it is not: which Pods it may adopt. */
  readonly selector?: LabelSelector;
  readonly remembered: Remembered;
}

/** int32's end: the server's own default of backoffLimit where there is one per index. No count comes there. */
export const outOfReach = 2_147_483_647;
