// May we? Access reviews for what a plan will delete, before its first write.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Kind } from '../model/kind.ts';
import type { Ref } from '../model/ref.ts';
import { accessKey, type Rights } from '../model/snapshot.ts';

const fewNamespaces = 5;

/** One review for each kind and namespace; where there are many namespaces, first one for all of them at once. */
export async function readRights(read: ClusterReader, refs: readonly Ref[]): Promise<Rights> {
  const places = new Map<string, { kind: Kind; namespace: string | undefined }>();
  for (const { kind, namespace } of refs) places.set(accessKey(kind, namespace), { kind, namespace });
  const byKind = Map.groupBy(places.values(), ({ kind }) => `${kind.resource}.${kind.group}`);
  const rights = new Map<string, 'yes' | 'no' | 'unknown'>();
  for (const group of byKind.values()) {
    const [first] = group;
    const everywhere =
      group.length > fewNamespaces &&
      first !== undefined &&
      (await read.mayI('delete', first.kind)) === 'yes';
    const answers = group.map(async ({ kind, namespace }) => {
      rights.set(accessKey(kind, namespace), everywhere ? 'yes' : await read.mayI('delete', kind, namespace));
    });
    await Promise.all(answers);
  }
  return rights;
}
