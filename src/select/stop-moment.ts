// Where and when a stop or a resume has read, and as whom.
import type { ClusterReader } from '../cluster/contract.ts';
import { given } from '../model/given.ts';
import type { Ref } from '../model/ref.ts';
import type { Moment } from '../model/snapshot.ts';

/** To be asked for after the reads. */
export async function stopMoment(
  read: ClusterReader,
  allNamespaces: boolean,
  found: readonly Ref[],
): Promise<Moment & { readonly user: string }> {
  const { context, server, namespace, user = '' } = read.target;
  const here = namespacesOf(found);
  const who = await read.whoAmI();
  return {
    takenAt: read.now(),
    ...given({ context }),
    server,
    namespaces: allNamespaces ? [] : here.length > 0 ? here : [namespace],
    allNamespaces,
    user: who.state === 'read' ? who.value : user,
  };
}

export const namespacesOf = (refs: readonly Ref[]): string[] =>
  [...new Set(refs.flatMap(ref => ref.namespace ?? []))].sort();
