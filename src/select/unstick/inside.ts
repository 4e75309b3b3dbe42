// What is in a stuck Namespace, and the instances of a stuck CustomResourceDefinition: counted, and the stuck ones among them.
import { isDefinitionKind, isNamespaceKind, type Kind, resourceName } from '../../model/kind.ts';
import { isTerminating, type ObjectMeta } from '../../model/object.ts';
import { groupKind } from '../../model/snapshot.ts';
import type { Inside, UnstickSnapshot } from '../../model/unstick-snapshot.ts';
import type { Scan } from '../scan.ts';
import type { Census } from './census.ts';

export const isNamespace = ({ ref }: ObjectMeta): boolean => isNamespaceKind(ref.kind);
const isDefinition = ({ ref }: ObjectMeta): boolean => isDefinitionKind(ref.kind);

export function insideOf(
  objects: readonly ObjectMeta[],
  found: {
    readonly scan: Scan;
    readonly census: Census;
    readonly kinds: readonly Kind[];
    readonly isSilent: boolean;
  },
): UnstickSnapshot['inside'] {
  const { scan, census, kinds, isSilent } = found;
  // some servers show one object in two groups
  const terminating = scan.kept.filter(isTerminating);
  const stuck = [...new Map(terminating.map(object => [object.ref.uid, object])).values()];
  const inside = new Map<string, Inside>();
  for (const { ref } of objects.filter(isNamespace)) {
    const uids = stuck.filter(object => object.ref.namespace === ref.name).map(object => object.ref.uid);
    inside.set(ref.uid, {
      counts: census.inNamespace(ref.name),
      stuck: uids,
      whole:
        !isSilent &&
        scan.unreadable.every(
          ({ kind, namespace }) =>
            kind.namespaced === false || (namespace !== undefined && namespace !== ref.name),
        ),
    });
  }
  for (const { ref } of objects.filter(isDefinition)) {
    const kind = kinds.find(candidate => resourceName(candidate) === ref.name);
    const count = census.ofResource(ref.name);
    inside.set(ref.uid, {
      counts: count === 0 ? [] : [{ resource: ref.name, count }],
      stuck: stuck.filter(object => resourceName(object.ref.kind) === ref.name).map(object => object.ref.uid),
      whole: kind !== undefined && scan.kindsRead.has(groupKind(kind)),
    });
  }
  return inside;
}
