// What makes Jobs and can be told to make no more: a CronJob by spec.suspend, a KEDA ScaledJob by its pause annotation.
import type { HistoryOwner } from './history-owner.ts';
import type { Remembered } from './memory.ts';
import { pointer } from './memory.ts';

export interface JobSource extends HistoryOwner {
  /** CronJob */
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly concurrencyPolicy?: string;
  readonly startingDeadlineSeconds?: number;
  readonly lastScheduledAt?: Date;
  /** Names in status.active, which may be stale. */
  readonly listedActive: readonly string[];
  /** ScaledJob: the pause annotation as it stands, and whether KEDA says Paused. */
  readonly pausedAnnotation?: string;
  readonly pausedSeen?: boolean;
  /** What is set of the limits, without the kind's defaults. */
  readonly limits: { readonly successful?: number; readonly failed?: number };
  readonly remembered: Remembered;
}

export const kedaPaused = 'autoscaling.keda.sh/paused';

export const paths = {
  suspend: pointer('spec', 'suspend'),
  successfulLimit: pointer('spec', 'successfulJobsHistoryLimit'),
  failedLimit: pointer('spec', 'failedJobsHistoryLimit'),
  paused: pointer('metadata', 'annotations', kedaPaused),
} as const;
