// What a run may use: the two doors of the cluster, the clock, and the rules of what comes after the writes. A client dry run has no writer and no run.
import type { ClusterReader, ClusterWriter } from '../cluster/contract.ts';
import type { Freeing, Settling } from '../model/settling.ts';

export interface Doors {
  readonly read: ClusterReader;
  readonly write: ClusterWriter;
}

export interface Run {
  readonly signal: AbortSignal;
  /** Milliseconds that only go forward, for durations. */
  readonly elapsedMs: () => number;
  /** Ends early, without an error, when the signal comes. */
  readonly pause: (ms: number) => Promise<void>;
  readonly settling: Settling;
  readonly freeing: Freeing;
}
