// The plan of a stop: what is told to make no more Jobs, which Jobs are ended, and what is remembered on each. And what is written.
import type { Change, Memory } from './memory.ts';
import type { Ref } from './ref.ts';

/** What one write does to its object. */
export type StopEffect =
  /** CronJob: no new Jobs, and its history limits delete nothing. */
  | 'suspend'
  /** ScaledJob, by its annotation; never by its spec, whose new generation would delete its Jobs. */
  | 'pause'
  /** Job: nothing trips while a Pod is active, and nothing deletes it once it has ended. */
  | 'hold'
  /** Job: parallelism follows the number of Pods that are still active. */
  | 'follow'
  /** Job: parallelism 0, because no Pod is active, or none that ever started. */
  | 'empty'
  /** Job: it ends as Failed. */
  | 'close'
  /** Pod: its containers are told to end, it stays. */
  | 'end-pod';

/** How a Job is brought to its end once nothing is active. */
export type ClosingRoute =
  /** backoffLimit below the failures that were counted: BackoffLimitExceeded. */
  | 'by-count'
  /** activeDeadlineSeconds: DeadlineExceeded, where no failure was counted. */
  | 'by-deadline';

export interface StopAction {
  readonly target: Ref;
  readonly does: StopEffect;
  readonly changes: readonly Change[];
  /** What stands on the object afterwards. */
  readonly memory: Memory;
  /** The uid of the source or Job that it belongs to, where the plan may not know it yet. */
  readonly under?: string;
}

export interface StopTerms {
  /** How the server knows the user. */
  readonly by: string;
  readonly reason?: string;
  readonly suspendOnly: boolean;
  /** Absent: nothing is saved. */
  readonly save?: { readonly dir: string; readonly ignoreErrors: boolean };
  /** Whether an Event may be written. */
  readonly mayRecord: boolean;
  readonly sources: readonly Ref[];
  /** Uids of the sources whose Jobs are all stopped, those that they make in the meantime too. */
  readonly makers: readonly string[];
  /** Uids of Jobs that the plan has looked at and leaves alone: nothing that their sources have made since. */
  readonly leaves: readonly string[];
  readonly jobs: readonly Ref[];
  /** Every Pod of these Jobs that was there, ended ones included: they have to be there afterwards. */
  readonly pods: readonly Ref[];
  /** Of those, what cannot be kept: terminating already, or never started. */
  readonly notKept: readonly string[];
  /** 0: no limit. */
  readonly timeoutMs: number;
}
