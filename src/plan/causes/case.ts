// What a diagnosis looks at: one stuck object in its snapshot, and what hangs below it.
import type { Warning } from '../../model/evidence.ts';
import type { Hold } from '../../model/hold.ts';
import type { ObjectMeta } from '../../model/object.ts';
import type { Looked } from '../../model/snapshot.ts';
import type { UnstickSnapshot } from '../../model/unstick-snapshot.ts';
import { byPlace } from '../order.ts';

export interface Case {
  readonly looked: Looked;
  readonly snapshot: UnstickSnapshot;
  /** Uids of all objects of the snapshot. */
  readonly uids: ReadonlySet<string>;
  /** What names it as an owner, terminating or not, in a stable order. */
  readonly dependents: readonly Looked[];
}

/** One finalizer, or '' for none, to what holds there; undefined: another cause has to say. */
export type Diagnosis = (finalizer: string, at: Case) => Hold | undefined;

export function casesOf(snapshot: UnstickSnapshot): Case[] {
  const below = new Map<string, Looked[]>();
  const all = [...snapshot.objects, ...snapshot.dependents].sort((a, b) =>
    byPlace(a.object.ref, b.object.ref),
  );
  for (const looked of all) {
    for (const { uid } of looked.object.owners) {
      const siblings = below.get(uid);
      if (siblings === undefined) below.set(uid, [looked]);
      else siblings.push(looked);
    }
  }
  const uids = new Set(snapshot.objects.map(uidOf));
  return all
    .filter(looked => uids.has(uidOf(looked)))
    .map(looked => ({ looked, snapshot, uids, dependents: below.get(looked.object.ref.uid) ?? [] }));
}

export const uidOf = ({ object }: Looked): string => object.ref.uid;

/** Whether what hangs below an object could be seen whole. */
export function isWholeBelow({ ref }: ObjectMeta, { snapshot }: Case): boolean {
  const { scanned, silentGroups, unreadable } = snapshot;
  if (silentGroups.length > 0) return false;
  // an object of the cluster may own things in every namespace, and of the cluster
  if (ref.namespace === undefined) return scanned === 'everywhere' && unreadable.length === 0;
  if (scanned !== 'everywhere' && !scanned.has(ref.namespace)) return false;
  // a dependent lives in its owner's namespace
  return unreadable.every(
    ({ kind, namespace }) =>
      kind.namespaced === false || (namespace !== undefined && namespace !== ref.namespace),
  );
}

/** Never among uids: something that has to go first and is not going. */
export const somethingElse = 'something-else';

/** The last warning about the object since its deletion: what went wrong before that has nothing to do with its end. */
export function warningOf({ looked, snapshot }: Case): Warning | undefined {
  const { deletingSince, ref } = looked.object;
  return snapshot.evidence.warnings.find(
    ({ about, at }) =>
      about === ref.uid && at !== undefined && deletingSince !== undefined && at >= deletingSince,
  );
}
