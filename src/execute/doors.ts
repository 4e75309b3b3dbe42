// What a run may use: the two doors of the cluster, the clock, and the rules of what comes after the writes. A client dry run has no writer and no run.
import type { ClusterReader, ClusterWriter } from '../cluster/contract.ts';
import type { Resuming } from '../model/resuming.ts';
import type { Archive } from '../model/saving.ts';
import type { Freeing, Settling } from '../model/settling.ts';
import type { Stopping } from '../model/stopping.ts';

export interface Doors {
  readonly read: ClusterReader;
  readonly write: ClusterWriter;
}

export interface Invocation {
  readonly command: string;
  readonly version: string;
}

export interface Run {
  readonly signal: AbortSignal;
  /** Milliseconds that only go forward, for durations. */
  readonly elapsedMs: () => number;
  /** Ends early, without an error, when the signal comes. */
  readonly pause: (ms: number) => Promise<void>;
  readonly settling: Settling;
  readonly freeing: Freeing;
  readonly stopping: Stopping;
  readonly resuming: Resuming;
  /** What was typed, for what is saved. */
  readonly invocation: Invocation;
  /** Files of this machine; opened at the first of them. */
  readonly openArchive: (dir: string) => Promise<Archive>;
}
