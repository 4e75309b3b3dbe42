// A Pod as `stop` has to know it: container by container, because a phase can say Failed while a container still runs.
import type { Remembered } from './memory.ts';
import type { Pod } from './pod.ts';

export interface ContainerState {
  readonly name: string;
  readonly kind: 'container' | 'init' | 'ephemeral';
  readonly is: 'waiting' | 'running' | 'terminated';
  /** `CrashLoopBackOff`, `OOMKilled`, `Completed` */
  readonly reason?: string;
  /** Of the end, where it has ended. */
  readonly exitCode?: number;
  readonly restarts: number;
}

export interface WorkingPod extends Pod {
  /** status.startTime: without it a deadline never fires. */
  readonly startedAt?: Date;
  /** spec.activeDeadlineSeconds */
  readonly deadlineSeconds?: number;
  /** status.reason: `DeadlineExceeded`, `Evicted`. */
  readonly reason?: string;
  /** The end, as the Job controller reckons it; of a Pod that has not ended it means nothing. */
  readonly finishedAt: Date;
  /** Those of which the kubelet has said something. */
  readonly containers: readonly ContainerState[];
  /** Names of all containers that it has, for their logs. */
  readonly containerNames: readonly { readonly name: string; readonly kind: ContainerState['kind'] }[];
  readonly remembered: Remembered;
}

/** As the Job controller counts it: not ended by phase, and not being deleted. Source: controller.FilterActivePods. */
export const isActive = (pod: WorkingPod): boolean =>
  pod.phase !== 'Succeeded' && pod.phase !== 'Failed' && pod.deletingSince === undefined;
