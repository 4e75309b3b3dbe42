// Leaves before owners: a Job's Pods before the Job, custom resources before their definition, content before the namespace.
import { isDefinitionKind, isNamespaceKind, resourceName } from '../model/kind.ts';
import { uidOf } from './causes/case.ts';
import type { Diagnosed } from './diagnose.ts';

export interface Waves {
  /** Uid → 0 for what nothing else of these hangs below, and one more for each step up. */
  readonly wave: ReadonlyMap<string, number>;
  /** Uid → those of the others that have to go first. */
  readonly below: ReadonlyMap<string, readonly string[]>;
}

export function wavesOf(going: readonly Diagnosed[]): Waves {
  const below = belowEach(going);
  const waves = new Map<string, number>();
  const open = new Set<string>();
  const waveOf = (uid: string): number => {
    const known = waves.get(uid);
    // owner references may form a circle: then the order is what it is
    if (known !== undefined || open.has(uid)) return known ?? 0;
    open.add(uid);
    const leaves = below.get(uid) ?? [];
    const wave = leaves.reduce((most, leaf) => Math.max(most, 1 + waveOf(leaf)), 0);
    waves.set(uid, wave);
    return wave;
  };
  for (const { at } of going) waveOf(uidOf(at.looked));
  return { wave: waves, below };
}

/** For each of these the others that have to go first. */
function belowEach(going: readonly Diagnosed[]): ReadonlyMap<string, readonly string[]> {
  const uids = new Set(going.map(({ at }) => uidOf(at.looked)));
  const containers = new Map(
    going.flatMap(one => containerOf(one).map(name => [name, uidOf(one.at.looked)])),
  );
  const below = new Map<string, string[]>();
  const add = (above: string | undefined, leaf: string): void => {
    if (above === undefined || above === leaf || !uids.has(above) || !uids.has(leaf)) return;
    const leaves = below.get(above);
    if (leaves === undefined) below.set(above, [leaf]);
    else leaves.push(leaf);
  };
  for (const { at, holds } of going) {
    const { ref, owners } = at.looked.object;
    for (const owner of owners) add(owner.uid, ref.uid);
    for (const hold of holds) for (const leaf of hold.waitsFor) add(ref.uid, leaf);
    add(containers.get(`namespace ${ref.namespace ?? ''}`), ref.uid);
    add(containers.get(`definition ${resourceName(ref.kind)}`), ref.uid);
  }
  return below;
}

function containerOf({ at }: Diagnosed): string[] {
  const { kind, name } = at.looked.object.ref;
  if (isNamespaceKind(kind)) return [`namespace ${name}`];
  return isDefinitionKind(kind) ? [`definition ${name}`] : [];
}
