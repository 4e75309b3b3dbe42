// The rules of a resume after its plan, handed from `plan` to `execute` without either importing the other.
import type { JobSource } from './job-source.ts';
import type { Change } from './memory.ts';
import type { WorkingJob } from './working-job.ts';

export interface Resuming {
  /** What is given back of the object as it is now. Without a memory: what the plan has shown. */
  readonly ofSource: (source: JobSource, planned: readonly Change[]) => readonly Change[];
  /** The time to be counted as served; undefined: none was missed. */
  readonly servedAt: (source: JobSource, now: Date) => Date | undefined;
  readonly ofJob: (job: WorkingJob, now: Date) => readonly Change[];
}
