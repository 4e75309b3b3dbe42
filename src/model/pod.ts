// A Pod as we see it: does it still run, how long may it take to end, and on which node.
import type { ObjectMeta } from './object.ts';

export interface Pod extends ObjectMeta {
  readonly phase: string;
  readonly node?: string;
  /** spec.terminationGracePeriodSeconds */
  readonly graceSeconds: number;
  /** Containers with a preStop hook that are running and so will run it on a delete. */
  readonly preStopHooks: number;
  /** Containers whose state is running. A phase can say Failed while one still runs. */
  readonly runningContainers: number;
}

/** Not ended as far as we can see: a phase of Succeeded or Failed with no running container is the only end. */
export const isEnded = (pod: Pod): boolean =>
  (pod.phase === 'Succeeded' || pod.phase === 'Failed') && pod.runningContainers === 0;
