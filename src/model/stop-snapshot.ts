// What was read for a stop or a resume: what makes Jobs, the Jobs, their Pods, and what may be done.
import type { JobSource } from './job-source.ts';
import type { Moment, Unreadable } from './snapshot.ts';
import type { WorkingJob } from './working-job.ts';
import type { WorkingPod } from './working-pod.ts';

/** How an object came into the plan. */
export type Asked =
  /** The user named it. */
  | 'named'
  /** A selector matched it. */
  | 'selected'
  /** It makes the Jobs that were named: it would make more, and its history limits would delete them. */
  | 'owner'
  /** It belongs to a source that was named or selected. */
  | 'owned';

export interface StopSnapshot extends Moment {
  readonly sources: readonly JobSource[];
  /** Jobs of these sources, and those that were named or selected. */
  readonly jobs: readonly WorkingJob[];
  /** Pods of the Jobs that have not ended. */
  readonly pods: readonly WorkingPod[];
  /** By uid. */
  readonly asked: ReadonlyMap<string, Asked>;
  /** Owners of named Jobs that could not be read, by the uid of the Job. */
  readonly unreadableOwners: ReadonlyMap<string, Unreadable>;
  /** ScaledJobs and others that own a named Job and are not in the plan, by the uid of the Job: `scaledjob.keda.sh/queue`. */
  readonly otherOwners: ReadonlyMap<string, string>;
  /** Nodes of active Pods that do not report; those that could not be asked are not among them. */
  readonly silentNodes: ReadonlySet<string>;
  /** By uid. */
  readonly mayPatch: ReadonlyMap<string, 'yes' | 'no' | 'unknown'>;
  /** What saving and recording need: `pods/log in batch`, where a review said no. */
  readonly maySave: readonly string[];
  readonly mayRecord: boolean;
  /** How the server knows the user. */
  readonly user: string;
}

export interface ResumeSnapshot extends Moment {
  readonly sources: readonly JobSource[];
  /** Jobs of these sources, and those that were named or selected. */
  readonly jobs: readonly WorkingJob[];
  /** Pods of the stopped Jobs that have not ended. */
  readonly pods: readonly WorkingPod[];
  /** By uid. */
  readonly asked: ReadonlyMap<string, Asked>;
  /** By uid. */
  readonly mayPatch: ReadonlyMap<string, 'yes' | 'no' | 'unknown'>;
  /** What else the plan would need and a review said no to: `create jobs.batch in batch`. */
  readonly mayNot: readonly string[];
  readonly mayRecord: boolean;
  readonly user: string;
}
