// The rules of a stop after its plan, handed from `plan` to `execute` without either importing the other.
import type { JobState } from './job.ts';
import type { JobSource } from './job-source.ts';
import type { StopPlan } from './plan.ts';
import type { Ref } from './ref.ts';
import type { StopAction } from './stop-plan.ts';
import type { WorkingJob } from './working-job.ts';
import type { ContainerState, WorkingPod } from './working-pod.ts';

/** One Job and its Pods, as they were seen together: the Job first, so that a Pod it made since is seen too. */
export interface Work {
  readonly job: WorkingJob;
  readonly pods: readonly WorkingPod[];
  /** Nodes that do not report, as far as that was asked. */
  readonly silentNodes: ReadonlySet<string>;
  /** Uids of Pods whose end was seen so long ago that the Job controller has seen it too. Absent: none. */
  readonly longEnded?: ReadonlySet<string>;
}

export interface PodProgress {
  readonly target: Ref;
  readonly node?: string;
  readonly nodeSilent: boolean;
  readonly is: /** Runs, and was not told to end yet. */
    | 'running'
    /** Told to end. */
    | 'ending'
    /** No startTime: its deadline cannot fire. */
    | 'never-started'
    /** Being deleted: it cannot be kept. */
    | 'terminating'
    /** By phase, while a container still runs. */
    | 'phase-only'
    | 'ended';
  readonly phase: string;
  readonly reason?: string;
  readonly containers: readonly ContainerState[];
  readonly graceSeconds: number;
  /** Of the grace period, since it was told to end; negative once that has passed. */
  readonly leftSeconds?: number;
}

export interface JobProgress {
  readonly target: Ref;
  readonly state: JobState;
  readonly is:
    | 'holding'
    | 'ending'
    /** Its Pods have ended, and the Job controller has not counted them yet. */
    | 'uncounted'
    | 'closing'
    | 'closed'
    /** Somebody suspended it: its Pods are gone, it does not close. */
    | 'suspended'
    | 'deleted';
  readonly pods: readonly PodProgress[];
}

export interface StopStep {
  readonly progress: JobProgress;
  readonly writes: readonly StopAction[];
}

export interface Stopping {
  /** What is to be written on a source as it is now; undefined where nothing is. */
  readonly ofSource: (source: JobSource, plan: StopPlan, now: Date) => StopAction | undefined;
  readonly step: (work: Work, plan: StopPlan, now: Date) => StopStep;
  /** What comes first on a Job, and the end of each of its Pods. */
  readonly firstWrites: (work: Work, plan: StopPlan, now: Date) => readonly StopAction[];
  /** Nothing of it is left to wait for. */
  readonly isOver: (progress: JobProgress) => boolean;
}
