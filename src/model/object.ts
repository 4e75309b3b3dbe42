// Any object of a cluster, as far as this tool needs it: what stands in its metadata, in small records.
import type { Manager, Mark } from './protection.ts';
import type { Ref } from './ref.ts';

/** An ownerReference. `version` is what the reference says, which the server may no longer serve. */
export interface OwnerReference {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
  readonly blocking: boolean;
}

export interface ObjectMeta {
  readonly ref: Ref;
  readonly createdAt: Date;
  /** When the delete was accepted: deletionTimestamp less the grace period that the server added to it. */
  readonly deletingSince?: Date;
  /** metadata.deletionGracePeriodSeconds; only there while deleting. */
  readonly deletionGraceSeconds?: number;
  readonly finalizers: readonly string[];
  readonly owners: readonly OwnerReference[];
  readonly marks: readonly Mark[];
  readonly managers: readonly Manager[];
  /** Who wrote what and when (managedFields); only kept of objects that are being deleted. */
  readonly writers?: readonly Writer[];
}

/** One entry of managedFields. */
export interface Writer {
  /** The name that the client gave itself: `keda`, `kubectl-edit`. */
  readonly manager: string;
  readonly at?: Date;
  /** Finalizers that this writer put on the list. */
  readonly finalizers: readonly string[];
}

export const controllerOf = (object: ObjectMeta): OwnerReference | undefined =>
  object.owners.find(owner => owner.controller);

export const isTerminating = (object: ObjectMeta): boolean => object.deletingSince !== undefined;

/** Since when it should be gone: the end of its grace period. */
export const overdueSince = (object: ObjectMeta): Date | undefined =>
  object.deletingSince === undefined
    ? undefined
    : new Date(object.deletingSince.getTime() + (object.deletionGraceSeconds ?? 0) * 1000);

/** How long beyond its grace period before an object counts as stuck: a controller that works needs seconds. */
export const standardStuckForMs = 120_000;

/** Seconds of grace left at a moment; negative once the grace period has passed. */
export function graceLeftSeconds(object: ObjectMeta, now: Date): number | undefined {
  const end = overdueSince(object);
  return end === undefined ? undefined : Math.round((end.getTime() - now.getTime()) / 1000);
}

/** The two finalizers by which the garbage collector carries out a propagation policy. */
export const isCollectors = (finalizer: string): boolean =>
  finalizer === 'foregroundDeletion' || finalizer === 'orphan';
