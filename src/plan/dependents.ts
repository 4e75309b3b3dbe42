// What goes with the targets: every object whose owners all go, by owner uid and nothing else. The garbage collector's rule.
// Source: pkg/controller/garbagecollector attemptToDeleteItem: an object with another living owner only loses the dead reference.
import type { ObjectMeta, OwnerReference } from '../model/object.ts';
import type { Looked } from '../model/snapshot.ts';
import { byPlace } from './order.ts';

export interface Fate {
  readonly looked: Looked;
  /** The uid of a going owner that it is shown under. */
  readonly under: string;
  readonly goes: boolean;
  /** The owner that keeps it, when it does not go. */
  readonly keptBy?: OwnerReference;
  /** Whether that owner was seen alive, or could not be told. */
  readonly keeperSeen?: boolean;
}

export interface Owners {
  readonly isAlive: (owner: OwnerReference, of: ObjectMeta) => 'yes' | 'no' | 'unknown';
}

/** Everything owned, directly or through others, by one of the targets; each with what happens to it. In a stable order. */
export function fates(targets: ReadonlySet<string>, dependents: readonly Looked[], owners: Owners): Fate[] {
  const going = new Set(targets);
  const sorted = [...dependents].sort((a, b) => byPlace(a.object.ref, b.object.ref));
  for (let before = -1; before !== going.size; ) {
    before = going.size;
    for (const looked of sorted) {
      if (!going.has(looked.object.ref.uid) && fateOf(looked, going, owners)?.goes)
        going.add(looked.object.ref.uid);
    }
  }
  // only now is it known what goes: under which owner each one is shown must not depend on the order above
  return sorted
    .filter(looked => !targets.has(looked.object.ref.uid))
    .flatMap(looked => fateOf(looked, going, owners) ?? []);
}

function fateOf(looked: Looked, going: ReadonlySet<string>, owners: Owners): Fate | undefined {
  const { object } = looked;
  const under = object.owners.find(owner => going.has(owner.uid));
  if (under === undefined) return undefined;
  const others = object.owners.filter(owner => !going.has(owner.uid));
  const keptBy = others.find(owner => owners.isAlive(owner, object) !== 'no');
  if (keptBy === undefined) return { looked, under: under.uid, goes: true };
  return {
    looked,
    under: under.uid,
    goes: false,
    keptBy,
    keeperSeen: owners.isAlive(keptBy, object) === 'yes',
  };
}
