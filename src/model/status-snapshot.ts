// What was read for `status`: one list of each kind, and which of them could not be had. Absent is only what was read and is not there.
import type { JobPod } from './job-pod.ts';
import type { JobSource } from './job-source.ts';
import type { Kind } from './kind.ts';
import type { Moment, Unreadable } from './snapshot.ts';
import type { WorkingJob } from './working-job.ts';

export interface StatusSnapshot extends Moment {
  /** CronJobs and ScaledJobs, read after the Jobs: whatever made a Job is among them, unless it is gone. */
  readonly sources: readonly JobSource[];
  /** Read after the Pods: a Job that was made in between does not make its Pods look leaked. */
  readonly jobs: readonly WorkingJob[];
  /** Those that speak of a Job, and those that are terminating. */
  readonly pods: readonly JobPod[];
  readonly podKind: Kind;
  /** `group/kind` of the kinds that were listed whole. What is neither here nor in `unreadable` is not served. */
  readonly kindsRead: ReadonlySet<string>;
  readonly unreadable: readonly Unreadable[];
}
