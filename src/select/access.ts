// May we? Access reviews for what a plan will delete, before its first write.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Ref } from '../model/ref.ts';
import { accessKey, type Rights } from '../model/snapshot.ts';

type Answer = 'yes' | 'no' | 'unknown';

const fewNamespaces = 5;
const fewNames = 10;

/** One review for each kind and namespace; where there are many namespaces, first one for all of them at once. */
export async function readRights(read: ClusterReader, refs: readonly Ref[]): Promise<Rights> {
  const places = Map.groupBy(refs, ({ kind, namespace }) => accessKey(kind, namespace));
  const byKind = Map.groupBy(places.values(), ([first]) => `${first?.kind.resource}.${first?.kind.group}`);
  const rights = new Map<string, Answer>();
  for (const group of byKind.values()) {
    const kind = group[0]?.[0]?.kind;
    const everywhere =
      group.length > fewNamespaces && kind !== undefined && (await read.mayI('delete', { kind })) === 'yes';
    const answers = group.map(async inPlace => {
      const [first] = inPlace;
      if (first === undefined) return;
      rights.set(
        accessKey(first.kind, first.namespace),
        everywhere ? 'yes' : await mayDelete(read, first, inPlace),
      );
    });
    await Promise.all(answers);
  }
  return rights;
}

/** A role may allow some names only (resourceNames): then the answer for the whole resource is no, and theirs is yes. */
async function mayDelete(
  read: ClusterReader,
  { kind, namespace }: Ref,
  refs: readonly Ref[],
): Promise<Answer> {
  const whole = await read.mayI('delete', { kind, namespace });
  if (whole !== 'no' || refs.length > fewNames) return whole;
  const named = await Promise.all(refs.map(({ name }) => read.mayI('delete', { kind, namespace, name })));
  return named.every(answer => answer === 'yes') ? 'yes' : 'no';
}
