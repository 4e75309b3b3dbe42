// What `status` has to say, as a value: where each namespace stands, what needs somebody, and the command that deals with it.
import type { Facts } from './facts.ts';
import type { Hold } from './hold.ts';
import type { Memory } from './memory.ts';
import type { Ref } from './ref.ts';
import type { UnforeseenCode } from './schedule.ts';
import type { Moment, Unreadable } from './snapshot.ts';

export type StatusCode =
  // CronJobs and ScaledJobs
  | 'stopped'
  | 'suspended'
  /** `stop` left its note, and somebody else let it run again. */
  | 'stop-undone'
  | 'never-runs'
  // Jobs
  | 'beyond-retention'
  /** The newest outcome of its CronJob or ScaledJob, or a Job that is no run of one. */
  | 'failed-last'
  /** A later run of the same CronJob or ScaledJob has ended. */
  | 'failed-before'
  | 'never-started'
  | 'idle'
  /** Unfinished, and its parallelism is 0. */
  | 'no-parallelism'
  /** `stop` left its note, and the Job has not ended. */
  | 'half-stopped'
  /** Kept as a stop left it. */
  | 'stopped-jobs'
  // Pods
  | 'leaked-finished'
  | 'leaked-running'
  /** A mark on it asks to leave it alone, and `prune pods` does. */
  | 'leaked-kept'
  // any of them
  | 'stuck'
  | 'owner-gone'
  | 'owner-in-other-namespace';

/** What to type next. The words are shown as a shell reads them. */
export interface NextCommand {
  readonly program: 'kubectl jobctl' | 'kubectl';
  readonly words: readonly string[];
}

export interface StatusFinding {
  readonly code: StatusCode;
  readonly namespace: string;
  /** Whether somebody has to do something. What is known, and meant to be so, is told without it. */
  readonly needs: boolean;
  readonly targets: readonly Ref[];
  readonly facts: Facts;
  /** Of a stuck object: the first thing that holds it, as far as these reads can tell. */
  readonly hold?: Hold;
  readonly next: readonly NextCommand[];
}

/** A CronJob or a ScaledJob. */
export interface SourceLine {
  readonly target: Ref;
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly is: 'active' | 'suspended' | 'stopped' | 'terminating';
  readonly stopped?: Memory;
  /** Of an active CronJob. */
  readonly next?: NextRun;
  /** Jobs of it that run, and finished ones beyond its history limits; absent: the Jobs could not be read. */
  readonly running?: number;
  readonly tooMany?: number;
}

export type NextRun =
  /** `utcAssumed`: it names no time zone, and that of the controller-manager cannot be read. */
  | { readonly is: 'at'; readonly at: Date; readonly utcAssumed: boolean }
  | { readonly is: 'never' }
  | { readonly is: 'unknown'; readonly why: UnforeseenCode };

export interface JobCounts {
  readonly total: number;
  readonly running: number;
  readonly ending: number;
  readonly complete: number;
  readonly failed: number;
  readonly suspended: number;
  readonly neverStarted: number;
  readonly idle: number;
  /** Finished ones that `prune jobs` without flags would delete. */
  readonly tooMany: number;
}

/** Where one namespace stands. */
export interface Place {
  readonly namespace: string;
  readonly sources: readonly SourceLine[];
  /** Absent: the Jobs could not be read. */
  readonly jobs?: JobCounts;
  /** Pods whose Job is gone, each counted once; absent: the Jobs or the Pods could not be read. */
  readonly leaked?: { readonly finished: number; readonly running: number; readonly kept: number };
  /** What needs somebody comes first. */
  readonly findings: readonly StatusFinding[];
  /** For the whole namespace, in few words. */
  readonly next: readonly NextCommand[];
}

export interface Status extends Moment {
  /** In the order of their names. */
  readonly places: readonly Place[];
  readonly unreadable: readonly Unreadable[];
}

export const needsSomebody = ({ findings }: Place): boolean => findings.some(({ needs }) => needs);
