// May we? Access reviews for what a plan will write, before its first write.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Ref } from '../model/ref.ts';
import { accessKey, type Rights } from '../model/snapshot.ts';
import { never, pool } from '../pool.ts';

type Answer = 'yes' | 'no' | 'unknown';

const fewNamespaces = 5;
const fewNames = 10;
const reviewsAtOnce = 8;

type Verb = 'delete' | 'patch';

/** One review for each kind and namespace; where there are many namespaces, first one for all of them at once. */
export async function readRights(read: ClusterReader, refs: readonly Ref[], verb: Verb): Promise<Rights> {
  const places = Map.groupBy(refs, ({ kind, namespace }) => accessKey(kind, namespace));
  const byKind = Map.groupBy(places.values(), ([first]) => `${first?.kind.resource}.${first?.kind.group}`);
  const rights = new Map<string, Answer>();
  for (const group of byKind.values()) {
    const kind = group[0]?.[0]?.kind;
    const everywhere =
      group.length > fewNamespaces && kind !== undefined && (await read.mayI(verb, { kind })) === 'yes';
    const ask = async (inPlace: readonly Ref[]): Promise<void> => {
      const [first, ...others] = inPlace;
      if (first === undefined) return;
      rights.set(
        accessKey(first.kind, first.namespace),
        everywhere ? 'yes' : await mayWrite(read, [first, ...others], verb),
      );
    };
    for await (const _ of pool(group, reviewsAtOnce, never, ask));
  }
  return rights;
}

/** A role may allow some names only (resourceNames): then the answer for the whole resource is no, and theirs is yes. */
async function mayWrite(read: ClusterReader, refs: readonly [Ref, ...Ref[]], verb: Verb): Promise<Answer> {
  const { kind, namespace } = refs[0];
  const whole = await read.mayI(verb, { kind, namespace });
  if (whole !== 'no' || refs.length > fewNames) return whole;
  const named = await Promise.all(refs.map(({ name }) => read.mayI(verb, { kind, namespace, name })));
  return named.every(answer => answer === 'yes') ? 'yes' : 'no';
}
