// What is counted of a run: what the summary and the exit code are made of.
import type { Plan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';

export interface Tally {
  readonly plan?: Plan;
  readonly targetsGone: readonly Ref[];
  /** Delete accepted, end not seen. */
  readonly targetsPending: ReadonlyMap<string, Ref>;
  /** Of those gone: not there any more when we came. */
  readonly alreadyGone: number;
  readonly dependentsGone: number;
  readonly byUs: number;
  readonly byCollector: number;
  readonly failed: number;
  /** Removals of finalizers that were answered as done, in a server dry run too. */
  readonly freed: number;
  /** Finalizers removed, and there all the same; or meant to follow, and not gone. */
  readonly staysHeld: number;
  readonly dependentsFailed: number;
  /** Pods left alone at the last moment, because their Job was there after all. */
  readonly spared: number;
  /** preStop hooks of Pods that went. */
  readonly hooksFailed: number;
  /** Writes of a stop or a resume that were answered as done, in a server dry run too. */
  readonly changed: number;
  /** Of those, CronJobs suspended and ScaledJobs paused. */
  readonly suspended: number;
  readonly podsEnded: number;
  readonly lastPod?: Ref;
  readonly jobsClosed: number;
  /** Jobs and Pods that were to be kept and are gone. */
  readonly lost: number;
  /** Sources that somebody has put back. */
  readonly putBack: number;
  readonly halfWay: boolean;
  readonly notSaved: number;
  readonly timedOut: boolean;
  readonly interrupted: boolean;
  readonly ms: number;
  readonly throttled: number;
}

export const emptyTally: Tally = {
  targetsGone: [],
  targetsPending: new Map(),
  alreadyGone: 0,
  dependentsGone: 0,
  byUs: 0,
  byCollector: 0,
  failed: 0,
  freed: 0,
  staysHeld: 0,
  dependentsFailed: 0,
  spared: 0,
  hooksFailed: 0,
  changed: 0,
  suspended: 0,
  podsEnded: 0,
  jobsClosed: 0,
  lost: 0,
  putBack: 0,
  halfWay: false,
  notSaved: 0,
  timedOut: false,
  interrupted: false,
  ms: 0,
  throttled: 0,
};
