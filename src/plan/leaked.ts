// What "leaked" means: a Pod whose labels name a Job that is not there any more, and that nothing else that lives holds on to.
//
// A DELETE of a Job without a propagation policy orphans its Pods: they lose their ownerReferences and keep their labels (measured on
// 1.34 to 1.37). False positives delete other people's work, so each doubt is a reason to stay; unknown is not absent.
import type { GoneJob } from '../model/delete-action.ts';
import { given } from '../model/given.ts';
import type { JobPod } from '../model/job-pod.ts';
import { isJobKind } from '../model/kind.ts';
import { matches } from '../model/label-selector.ts';
import type { LivingJob, LivingJobs } from '../model/living-job.ts';
import type { OwnerReference } from '../model/object.ts';
import type { Why } from '../model/why.ts';

export type Leak =
  | { readonly leaked: true; readonly job: GoneJob; readonly why: Why }
  | { readonly leaked: false; readonly why: Why };

/**
 * A Pod that still names its dead Job as owner is the garbage collector's to take. It works through 20 objects a second (measured), so
 * that ten minutes are 12,000 of them; after that it is slow, stuck or off.
 */
export const collectorHasHadMs = 600_000;

/** Prepared once for a whole list of Pods. */
export class JobsThere {
  readonly #uids: ReadonlySet<string>;
  readonly #choosers: ReadonlyMap<string, readonly LivingJob[]>;
  readonly #namespaces: ReadonlySet<string>;

  constructor(jobs: LivingJobs) {
    const all = [...jobs.values()].flat();
    this.#namespaces = new Set(jobs.keys());
    this.#uids = new Set(all.map(({ uid }) => uid));
    this.#choosers = Map.groupBy(
      all.filter(({ selector }) => selector !== undefined),
      ({ namespace }) => namespace,
    );
  }

  isThere(uid: string): boolean {
    return this.#uids.has(uid);
  }

  isReadIn(namespace: string): boolean {
    return this.#namespaces.has(namespace);
  }

  /** A living Job with a selector of its own that chooses this Pod: the controller may adopt it. */
  chooserOf({ ref, labels }: JobPod): LivingJob | undefined {
    const choosers = this.#choosers.get(ref.namespace ?? '') ?? [];
    return choosers.find(({ selector }) => selector !== undefined && matches(selector, labels));
  }
}

export function leakOf(pod: JobPod, jobs: JobsThere, now: Date): Leak {
  const why = holdOf(pod, jobs) ?? collectorDue(pod, now);
  const [uid = '', name = ''] = [pod.jobUids[0], pod.jobNames[0]];
  if (why !== undefined) return { leaked: false, why };
  const code = pod.owners.length > 0 ? 'leaked-by-collector' : 'leaked';
  return {
    leaked: true,
    job: { uid, name, namespace: pod.ref.namespace ?? '' },
    why: { code, facts: { job: name } },
  };
}

/** Why it is not leaked, whatever its age. */
function holdOf(pod: JobPod, jobs: JobsThere): Why | undefined {
  const foreign = pod.owners.find(owner => !isJobKind(owner));
  if (pod.mirror) return { code: 'mirror-pod' };
  if (foreign !== undefined) return { code: 'has-other-owner', facts: { owner: nameOf(foreign) } };
  if (pod.jobUids.length + pod.jobNames.length === 0 && pod.owners.length === 0)
    return { code: 'no-job-labels' };
  if (!jobs.isReadIn(pod.ref.namespace ?? '')) return { code: 'jobs-unreadable' };
  const alive = [...pod.owners.map(({ uid }) => uid), ...pod.jobUids].some(uid => jobs.isThere(uid));
  if (alive) return { code: 'job-exists', ...given({ facts: jobFact(pod) }) };
  if (pod.jobUids.length === 0 || pod.jobNames.length === 0) return { code: 'labels-incomplete' };
  if (isDisagreeing(pod)) return { code: 'labels-disagree' };
  const chooser = jobs.chooserOf(pod);
  return chooser && { code: 'selected-by-job', facts: { job: chooser.name } };
}

/** Two spellings with two values, or an owner that is another Job than the one in the labels. */
const isDisagreeing = ({ jobUids, jobNames, owners }: JobPod): boolean =>
  jobUids.length > 1 ||
  jobNames.length > 1 ||
  owners.some(({ uid, name }) => uid !== jobUids[0] || name !== jobNames[0]);

/** Nothing says since when its Job is gone; it cannot be sooner than the Pod's own end. A running one is given no time to count from. */
function collectorDue({ owners, endedAt }: JobPod, now: Date): Why | undefined {
  if (owners.length === 0) return undefined;
  if (endedAt === undefined) return { code: 'collector-is-due' };
  const sinceMs = now.getTime() - endedAt.getTime();
  return sinceMs >= collectorHasHadMs ? undefined : { code: 'collector-is-due', facts: { sinceMs } };
}

const jobFact = ({ owners, jobNames }: JobPod) => {
  const name = owners[0]?.name ?? jobNames[0];
  return name === undefined ? undefined : { job: name };
};

const nameOf = ({ group, kind, name }: OwnerReference): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`;
