// Leaves before owners: a Job's Pods before the Job, custom resources before their definition, content before the namespace.
import { isKind, resourceName } from '../model/kind.ts';
import { uidOf } from './causes/case.ts';
import type { Diagnosed } from './unstick.ts';

/** Uid → 0 for what nothing else of these hangs below, and one more for each step up. */
export function wavesOf(going: readonly Diagnosed[]): ReadonlyMap<string, number> {
  const waves = new Map<string, number>();
  const open = new Set<string>();
  const waveOf = (one: Diagnosed): number => {
    const uid = uidOf(one.at.looked);
    const known = waves.get(uid);
    // owner references may form a circle: then the order is what it is
    if (known !== undefined || open.has(uid)) return known ?? 0;
    open.add(uid);
    const below = going.filter(other => other !== one && isBelow(other, one));
    const wave = below.length === 0 ? 0 : 1 + Math.max(...below.map(waveOf));
    waves.set(uid, wave);
    return wave;
  };
  for (const one of going) waveOf(one);
  return waves;
}

function isBelow(below: Diagnosed, above: Diagnosed): boolean {
  const [leaf, owner] = [below.at.looked.object, above.at.looked.object];
  if (leaf.owners.some(({ uid }) => uid === owner.ref.uid)) return true;
  if (above.holds.some(({ waitsFor }) => waitsFor.includes(leaf.ref.uid))) return true;
  if (isKind(owner.ref.kind, '', 'Namespace')) return leaf.ref.namespace === owner.ref.name;
  return (
    isKind(owner.ref.kind, 'apiextensions.k8s.io', 'CustomResourceDefinition') &&
    resourceName(leaf.ref.kind) === owner.ref.name
  );
}
