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
}

export const controllerOf = (object: ObjectMeta): OwnerReference | undefined =>
  object.owners.find(owner => owner.controller);

export const isTerminating = (object: ObjectMeta): boolean => object.deletingSince !== undefined;

/** Seconds of grace left at a moment; negative once the grace period has passed. */
export function graceLeftSeconds(object: ObjectMeta, now: Date): number | undefined {
  if (object.deletingSince === undefined) return undefined;
  const end = object.deletingSince.getTime() + (object.deletionGraceSeconds ?? 0) * 1000;
  return Math.round((end - now.getTime()) / 1000);
}
