// A Pod as the question "is it leaked?" needs it: what its labels say about the Job that made it, and when it ended.
import { isJobKind } from './kind.ts';
import type { Labels } from './label-selector.ts';
import type { Pod } from './pod.ts';

export interface JobPod extends Pod {
  /**
   * What its labels call the uid and the name of its Job: the different values of `batch.kubernetes.io/controller-uid` and `controller-uid`,
   * and of `batch.kubernetes.io/job-name` and `job-name`. Servers before 1.27 wrote only the short ones; two values disagree.
   */
  readonly jobUids: readonly string[];
  readonly jobNames: readonly string[];
  /** All its labels; empty where none of them speaks of a Job. */
  readonly labels: Labels;
  /** A static Pod of a kubelet, as the API shows it (annotation kubernetes.io/config.mirror). */
  readonly mirror: boolean;
  /** When its last container ended, or else its last condition changed; absent while it runs or where nothing says so. */
  readonly endedAt?: Date;
}

/** Its labels or its owners name a Job, living or not. */
export const speaksOfJob = ({ jobUids, jobNames, owners }: JobPod): boolean =>
  jobUids.length > 0 || jobNames.length > 0 || owners.some(isJobKind);
