// What a Namespace or a CustomResourceDefinition takes with it, although nothing of it names an owner: counted, kind by kind.
import type { ClusterReader, KindCatalog, ListQuery } from '../cluster/contract.ts';
import { isDefinitionKind, isNamespaceKind, type Kind, resourceName } from '../model/kind.ts';
import { isHook } from '../model/protection.ts';
import { label, type Ref } from '../model/ref.ts';
import type { DeleteSnapshot, Looked, Unreadable } from '../model/snapshot.ts';
import { pool } from '../pool.ts';

const listsAtOnce = 4;

interface Place {
  readonly of: string;
  readonly kind: Kind;
  readonly query: ListQuery;
}

export async function countContents(
  targets: readonly Looked[],
  catalog: KindCatalog,
  read: ClusterReader,
  signal: AbortSignal,
): Promise<{ counted: DeleteSnapshot['contents']; unreadable: readonly Unreadable[] }> {
  const counted: DeleteSnapshot['contents'][number][] = [];
  const unreadable: Unreadable[] = [];
  const count = async ({ kind, query }: Place) => {
    let seen = 0;
    let kept = 0;
    const listed = await read.listMetadata(kind, { ...query, unasked: true }, ({ marks }) => {
      seen += 1;
      if (marks.some(mark => !isHook(mark))) kept += 1;
      return false;
    });
    return listed.state === 'unreadable' ? listed.problem : { count: seen, kept };
  };
  const places = targets.flatMap(({ object }) => placesOf(object.ref, catalog));
  for await (const { item, result } of pool(places, listsAtOnce, signal, count)) {
    if ('count' in result) counted.push({ of: item.of, resource: resourceName(item.kind), ...result });
    else unreadable.push({ kind: item.kind, problem: result });
  }
  return {
    counted: counted.sort((a, b) => (`${a.of} ${a.resource}` < `${b.of} ${b.resource}` ? -1 : 1)),
    unreadable,
  };
}

function placesOf(ref: Ref, catalog: KindCatalog): Place[] {
  const of = label(ref);
  if (isNamespaceKind(ref.kind)) {
    const inside = catalog.kinds.filter(
      kind => kind.namespaced && kind.verbs.includes('list') && kind.verbs.includes('delete'),
    );
    return inside.map(kind => ({ of, kind, query: { namespace: ref.name } }));
  }
  if (!isDefinitionKind(ref.kind)) return [];
  return catalog.kinds.filter(kind => resourceName(kind) === ref.name).map(kind => ({ of, kind, query: {} }));
}
