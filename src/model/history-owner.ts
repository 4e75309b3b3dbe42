// What owns finished Jobs and limits how many stay: a CronJob or a KEDA ScaledJob.
import type { ObjectMeta } from './object.ts';

export interface HistoryOwner extends ObjectMeta {
  /** spec.successfulJobsHistoryLimit, with the kind's default (CronJob 3, ScaledJob 100). */
  readonly keepSucceeded: number;
  /** spec.failedJobsHistoryLimit, with the kind's default (CronJob 1, ScaledJob 100). */
  readonly keepFailed: number;
  readonly suspended: boolean;
}
