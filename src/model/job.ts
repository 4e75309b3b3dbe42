// A Job as we see it. Only conditions say that it is finished: counters and completionTime do not.
// Source: pkg/controller/job and batch/v1 types; the conditions are stable since batch/v1.
import type { ObjectMeta } from './object.ts';

export type JobState =
  /** Complete=True; endedAt is completionTime, or the condition's lastTransitionTime. */
  | { readonly is: 'complete'; readonly endedAt: Date; readonly reason: string }
  /** Failed=True; endedAt is the condition's lastTransitionTime, since completionTime is never set. */
  | { readonly is: 'failed'; readonly endedAt: Date; readonly reason: string }
  /** FailureTarget or SuccessCriteriaMet: will end, may still have terminating Pods. */
  | { readonly is: 'ending' }
  | { readonly is: 'suspended' }
  /** status.active > 0 */
  | { readonly is: 'running'; readonly active: number }
  /** No Pod was ever counted: rejected by admission, quota, or the controller has not come to it. */
  | { readonly is: 'never-started' }
  /** Unfinished, nothing active, but something was counted once. */
  | { readonly is: 'idle' };

export interface Job extends ObjectMeta {
  readonly state: JobState;
  readonly startedAt?: Date;
  /** Made by hand from a CronJob: annotation cronjob.kubernetes.io/instantiate=manual. */
  readonly manual: boolean;
  /** The value of the label that --group-by names. */
  readonly group?: string;
}

export type FinishedState = Extract<JobState, { endedAt: Date }>;

export const isFinished = (state: JobState): state is FinishedState =>
  state.is === 'complete' || state.is === 'failed';

/** Whether deleting it now would end work: something active, or about to end. */
export const isWorking = (state: JobState): boolean => state.is === 'running' || state.is === 'ending';
