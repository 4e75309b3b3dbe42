// A Pod as we see it: does it still run, how long may it take to end, and on which node.
import { isJobKind } from './kind.ts';
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
  /** Names of the PersistentVolumeClaims in its volumes, those of ephemeral volumes too. */
  readonly claims: readonly string[];
  /** Which Job made it, by its labels: batch.kubernetes.io/controller-uid and job-name, or the short ones of old servers. */
  readonly madeBy?: { readonly uid: string; readonly name: string };
}

/** Not ended as far as we can see: a phase of Succeeded or Failed with no running container is the only end. */
export const isEnded = (pod: Pod): boolean =>
  (pod.phase === 'Succeeded' || pod.phase === 'Failed') && pod.runningContainers === 0;

/** On a Pod until the Job controller has counted it. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** The Job that made it: by its owner reference, else by its labels. */
export const jobOf = (pod: Pod): { readonly uid: string; readonly name: string } | undefined =>
  pod.owners.find(owner => isJobKind(owner)) ?? pod.madeBy;
