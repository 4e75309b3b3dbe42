// What goes by itself once the objects that we free are gone: everything that holds it waits for those, and for nothing else.
import type { Hold } from '../model/hold.ts';
import { uidOf } from './causes/case.ts';
import type { Diagnosed } from './diagnose.ts';

export interface Going {
  /** Objects that nothing is done to and that will go all the same. */
  readonly following: ReadonlySet<string>;
  /** Those, and the freed ones that nothing else holds. */
  readonly going: ReadonlySet<string>;
}

/** Uids. `removes`: whether we end this hold of that object. */
export function followersOf(
  diagnosed: readonly Diagnosed[],
  removes: (hold: Hold, uid: string) => boolean,
): Going {
  const going = new Set<string>();
  const following = new Set<string>();
  const ends = (hold: Hold, uid: string): boolean =>
    removes(hold, uid) || (hold.waitsFor.length > 0 && hold.waitsFor.every(other => going.has(other)));
  for (let before = -1; before !== going.size; ) {
    before = going.size;
    for (const { at, holds } of diagnosed) {
      const uid = uidOf(at.looked);
      if (going.has(uid) || holds.length === 0 || !holds.every(hold => ends(hold, uid))) continue;
      going.add(uid);
      if (!holds.some(hold => removes(hold, uid))) following.add(uid);
    }
  }
  return { following, going };
}
