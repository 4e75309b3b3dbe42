// Where an owner may stand: in the namespace of what it owns, or in none. A reference to another namespace is invalid, and never followed.
// Source: pkg/controller/garbagecollector, which looks for an owner in the namespace of its dependent and finds it absent.

import type { Finding } from '../model/plan.ts';
import { label, type Ref } from '../model/ref.ts';
import type { Looked } from '../model/snapshot.ts';
import { byPlace } from './order.ts';

export const isWithinReach = (owner: Pick<Ref, 'namespace'>, of: Pick<Ref, 'namespace'>): boolean =>
  owner.namespace === undefined || owner.namespace === of.namespace;

/** The same objects without the references that point from one of them, or to one of `above`, into another namespace. */
export function withoutFarOwners(objects: readonly Looked[], above: readonly Looked[]): Looked[] {
  const byUid = new Map([...above, ...objects].map(({ object }) => [object.ref.uid, object.ref]));
  return objects.map(looked => {
    const { owners, ref } = looked.object;
    const near = owners.filter(({ uid }) => isWithinReach(byUid.get(uid) ?? {}, ref));
    if (near.length === owners.length) return looked;
    return { ...looked, object: { ...looked.object, owners: near } } as Looked;
  });
}

/** What names one of `targets` as its owner from another namespace: it is told, and left to the garbage collector. */
export function farDependents(objects: readonly Looked[], targets: readonly Ref[]): Finding[] {
  const byUid = new Map(targets.map(target => [target.uid, target]));
  const sorted = [...objects].sort((a, b) => byPlace(a.object.ref, b.object.ref));
  return sorted.flatMap(({ object }): Finding[] => {
    const far = object.owners
      .flatMap(({ uid }) => byUid.get(uid) ?? [])
      .find(owner => !isWithinReach(owner, object.ref));
    if (far === undefined) return [];
    const facts = { owner: label(far), namespace: far.namespace ?? '' };
    return [
      {
        target: object.ref,
        under: far.uid,
        verdict: 'stays',
        why: { code: 'owner-in-other-namespace', facts },
        seen: { as: 'object' },
      },
    ];
  });
}
