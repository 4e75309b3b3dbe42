// Whether an owner still exists, as far as the lists of a snapshot tell. Unknown is not absent.
import type { ObjectMeta, OwnerReference } from '../model/object.ts';
import { type DeleteSnapshot, groupKind } from '../model/snapshot.ts';
import type { Owners } from './dependents.ts';

/**
 * `no` only where the owner's kind was listed whole in the namespace and the uid was not there. Resolved by group and kind,
 * whatever version the reference names: it may be one that is no longer served.
 */
export function isAliveIn(snapshot: DeleteSnapshot): Owners {
  return {
    isAlive: (owner: OwnerReference, _of: ObjectMeta) => {
      if (snapshot.seenUids.has(owner.uid)) return 'yes';
      return snapshot.kindsRead.has(groupKind(owner)) ? 'no' : 'unknown';
    },
  };
}
