// May we? Access reviews for what a plan will write, before its first write.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Ref } from '../model/ref.ts';
import { accessKey, type Rights } from '../model/snapshot.ts';
import { never, pool } from '../pool.ts';

type Verb = 'delete' | 'patch';
type Answer = 'yes' | 'no' | 'unknown';

const fewNamespaces = 5;
const fewNames = 10;
const mostNames = 50;
const reviewsAtOnce = 8;

/** Whether all of these may be deleted, by kind and namespace: they are deleted together or not at all. */
export async function readDeleteRights(read: ClusterReader, refs: readonly Ref[]): Promise<Rights> {
  const places = await readPlaces(read, refs, 'delete');
  const denied = Map.groupBy(
    refs.filter(ref => places.get(keyOf(ref)) === 'no'),
    keyOf,
  );
  for (const [key, inPlace] of denied) {
    if (inPlace.length > fewNames) continue;
    const named = await readEach(read, inPlace, 'delete');
    if ([...named.values()].every(answer => answer === 'yes')) places.set(key, 'yes');
  }
  return places;
}

/** By uid, whether that one object may be patched: each stuck object stands for itself. */
export async function readPatchRights(
  read: ClusterReader,
  refs: readonly Ref[],
): Promise<ReadonlyMap<string, Answer>> {
  const places = await readPlaces(read, refs, 'patch');
  const rights = new Map(refs.map(ref => [ref.uid, places.get(keyOf(ref)) ?? 'unknown']));
  const denied = refs.filter(({ uid }) => rights.get(uid) === 'no').slice(0, mostNames);
  for (const [uid, answer] of await readEach(read, denied, 'patch')) rights.set(uid, answer);
  return rights;
}

const keyOf = ({ kind, namespace }: Ref): string => accessKey(kind, namespace);

/** One review for each kind and namespace; where there are many namespaces, first one for all of them at once. */
async function readPlaces(
  read: ClusterReader,
  refs: readonly Ref[],
  verb: Verb,
): Promise<Map<string, Answer>> {
  const places = Map.groupBy(refs, keyOf);
  const byKind = Map.groupBy(places.values(), ([first]) => `${first?.kind.resource}.${first?.kind.group}`);
  const rights = new Map<string, Answer>();
  for (const group of byKind.values()) {
    const firsts = group.flatMap(([first]) => first ?? []);
    const kind = firsts[0]?.kind;
    const everywhere =
      group.length > fewNamespaces && kind !== undefined && (await read.mayI(verb, { kind })) === 'yes';
    const ask = async (ref: Ref): Promise<Answer> =>
      everywhere ? 'yes' : await read.mayI(verb, { kind: ref.kind, namespace: ref.namespace });
    for await (const { item, result } of pool(firsts, reviewsAtOnce, never, ask))
      rights.set(keyOf(item), result);
  }
  return rights;
}

/** A role may allow some names only (resourceNames): then the answer for the whole resource is no, and theirs is yes. */
async function readEach(
  read: ClusterReader,
  refs: readonly Ref[],
  verb: Verb,
): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>();
  const ask = ({ kind, namespace, name }: Ref) => read.mayI(verb, { kind, namespace, name });
  for await (const { item, result } of pool(refs, reviewsAtOnce, never, ask)) answers.set(item.uid, result);
  return answers;
}
