// What was read for `status`, looked up by uid: prepared once, for the rules of this folder.
import type { JobPod } from '../../model/job-pod.ts';
import { isJobKind } from '../../model/kind.ts';
import { controllerOf, type ObjectMeta } from '../../model/object.ts';
import { groupKind } from '../../model/snapshot.ts';
import type { StatusSnapshot } from '../../model/status-snapshot.ts';
import type { WorkingJob } from '../../model/working-job.ts';
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
    jobsOf: under(jobs, job => controllerOf(job) ?? job.owners[0], byUid),
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

/** Whether a kind was listed whole, whatever version a reference names it in. */
export const isRead = (
  kind: { readonly group: string; readonly kind: string },
  { snapshot }: About,
): boolean => snapshot.kindsRead.has(groupKind(kind));
