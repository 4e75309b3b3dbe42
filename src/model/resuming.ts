// The rules of a resume after its plan, handed from `plan` to `execute` without either importing the other.
import type { JobSource } from './job-source.ts';
import type { Change, Memory } from './memory.ts';
import type { Work } from './stopping.ts';

export interface Resuming {
  /** What is given back of the object as it is now. Without a memory: what the plan has shown. */
  readonly ofSource: (source: JobSource, planned: readonly Change[]) => readonly Change[];
  /** The time to be counted as served; undefined: none was missed. */
  readonly servedAt: (source: JobSource, now: Date) => Date | undefined;
  /** undefined: its limits, given back, would end it. */
  readonly ofJob: (
    halves: Pick<Work, 'job' | 'pods'>,
    now: Date,
  ) => { readonly changes: readonly Change[]; readonly stays?: Memory } | undefined;
}
