// What was read for `status`, looked up by uid: prepared once, for the rules of this folder.
import type { JobPod } from '../../model/job-pod.ts';
import { isJobKind, isPodKind } from '../../model/kind.ts';
import { controllerOf, type ObjectMeta, type OwnerReference } from '../../model/object.ts';
import { groupKind } from '../../model/snapshot.ts';
import type { StatusSnapshot } from '../../model/status-snapshot.ts';
import type { WorkingJob } from '../../model/working-job.ts';
import { protectedBy, withoutEvidence } from '../guards.ts';
import { inPlaceOrder } from '../order.ts';
import { isWithinReach } from '../owner-place.ts';

export interface About {
  /** In one stable order. */
  readonly snapshot: StatusSnapshot;
  readonly areJobsRead: boolean;
  readonly arePodsRead: boolean;
  /** CronJobs, ScaledJobs and Jobs. */
  readonly byUid: ReadonlyMap<string, ObjectMeta>;
  /** By the uid of the owner that controls them, else of the first one; references into another namespace are not followed. */
  readonly jobsOf: ReadonlyMap<string, readonly WorkingJob[]>;
  readonly podsOf: ReadonlyMap<string, readonly JobPod[]>;
  /** How long ago, in milliseconds. */
  readonly since: (moment: Date) => number;
}

export function aboutOf(read: StatusSnapshot): About {
  const { kindsRead, takenAt } = read;
  const [sources, jobs] = [inPlaceOrder(read.sources), inPlaceOrder(read.jobs)];
  const pods = inPlaceOrder(read.pods);
  const byUid = new Map([...sources, ...jobs].map(object => [object.ref.uid, object]));
  return {
    snapshot: { ...read, sources, jobs, pods },
    areJobsRead: kindsRead.has('batch/Job'),
    arePodsRead: kindsRead.has('/Pod'),
    byUid,
    jobsOf: under(jobs, firstOwnerOf, byUid),
    podsOf: under(pods, pod => pod.owners.find(isJobKind), byUid),
    since: moment => takenAt.getTime() - moment.getTime(),
  };
}

function under<T extends ObjectMeta>(
  objects: readonly T[],
  ownerOf: (object: T) => { readonly uid: string } | undefined,
  byUid: ReadonlyMap<string, ObjectMeta>,
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const object of objects) {
    const uid = ownerOf(object)?.uid;
    if (uid === undefined || !isWithinReach(byUid.get(uid)?.ref ?? {}, object.ref)) continue;
    const known = found.get(uid);
    if (known === undefined) found.set(uid, [object]);
    else known.push(object);
  }
  return found;
}

export const placeOf = ({ ref }: ObjectMeta): string => ref.namespace ?? '';

/** Whose a Job is, as `prune jobs` groups them. */
export const firstOwnerOf = (object: ObjectMeta): OwnerReference | undefined =>
  controllerOf(object) ?? object.owners[0];

/**
 * What became of an owner, as the garbage collector looks for it: in the namespace of what names it. `unknown`: its kind was not read
 * whole, whatever version the reference names; of the Pods only some are kept.
 */
export type Presence = 'there' | 'going' | 'gone' | 'elsewhere' | 'unknown';

export function presenceOf(owner: OwnerReference, of: ObjectMeta, { byUid, snapshot }: About): Presence {
  const found = byUid.get(owner.uid);
  if (found === undefined)
    return snapshot.kindsRead.has(groupKind(owner)) && !isPodKind(owner) ? 'gone' : 'unknown';
  if (!isWithinReach(found.ref, of.ref)) return 'elsewhere';
  // it waits for what it owns: the collector counts it with those that are gone
  return found.finalizers.includes('foregroundDeletion') ? 'going' : 'there';
}

/** It asks to be left alone: a verb that names it would refuse. */
export const isKept = (object: ObjectMeta): boolean =>
  protectedBy(object, { includeProtected: false, includeHooks: false, allNamespaces: false }) !== undefined;

/** The same for `stop` and `resume`, whose own mark does not keep them away. */
export const isKeptFromStop = (object: ObjectMeta): boolean => isKept(withoutEvidence(object));
