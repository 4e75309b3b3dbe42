// `unstick`, which objects: the named ones, or whatever is terminating in a namespace or everywhere.
import type { ClusterReader, KindCatalog, ListQuery, Read } from '../../cluster/contract.ts';
import { usageError } from '../../errors.ts';
import { given } from '../../model/given.ts';
import { type Kind, resourceName } from '../../model/kind.ts';
import { isTerminating, type ObjectMeta } from '../../model/object.ts';
import type { UnstickOptions } from '../../model/options.ts';
import type { Unreadable } from '../../model/snapshot.ts';
import { pool } from '../../pool.ts';
import { hintFor, needed, notThere } from '../needed.ts';
import { findKind, resolveKind, resolveKinds } from '../resolve-kind.ts';
import { toList, toNamed, unique, type Wanted } from '../targets.ts';
import type { Failing } from './other-versions.ts';

const readsAtOnce = 4;

/** Undefined: every kind is to be looked at. */
export function wantedOf(
  options: UnstickOptions,
  catalog: KindCatalog,
  namespace: string,
): Wanted[] | undefined {
  const { words } = options;
  const listed = (types: readonly string[]) =>
    unique(types.flatMap(type => resolveKinds(catalog, type)).map(kind => toList(kind, options, namespace)));
  const named = (type: string, name: string) => toNamed(resolveKind(catalog, type), name, namespace);
  if (words.by === 'name') return unique(words.targets.map(({ type, name }) => named(type, name)));
  if (words.by === 'one-word') {
    const isKindWord =
      words.word.includes(',') ||
      findKind(catalog, words.word) !== undefined ||
      catalog.kinds.some(kind => kind.categories.includes(words.word.toLowerCase()));
    if (isKindWord) return listed(words.word.split(','));
    if (options.allNamespaces)
      throw usageError(
        `"${words.word}" is no kind, so it is the name of a Job, and a resource cannot be retrieved by name across all namespaces; name the namespace with -n`,
      );
    return [named('jobs.batch', words.word)];
  }
  return words.types.length === 0 ? undefined : listed(words.types);
}

export interface Found {
  readonly objects: readonly ObjectMeta[];
  readonly named: ReadonlySet<string>;
  readonly unreadable: readonly Unreadable[];
  /** What a server error kept from being read: perhaps another version of the kind can be. */
  readonly failing: readonly (Failing & { readonly wanted: Wanted })[];
}

/** Named objects have to be there; of lists, what is terminating. */
export async function findWanted(
  wanted: readonly Wanted[],
  options: UnstickOptions,
  at: { readonly read: ClusterReader; readonly signal: AbortSignal },
): Promise<Found> {
  const objects: ObjectMeta[] = [];
  const named = new Set<string>();
  const unreadable: Unreadable[] = [];
  const failing: (Failing & { wanted: Wanted })[] = [];
  const look = (item: Wanted) =>
    item.by === 'name' ? readNamed(item, at.read) : listStuck(item.kind, item.namespace, options, at.read);
  for await (const { item, result } of pool(wanted, readsAtOnce, at.signal, look)) {
    if (result.state === 'unreadable') {
      const failure = { kind: item.kind, ...given({ namespace: item.namespace }), problem: result.problem };
      if (result.problem.code === 'server-error') failing.push({ ...failure, wanted: item });
      // of several kinds that were listed, the others can be looked at
      else if (wanted.length > 1 && item.by === 'list') unreadable.push(failure);
      else neededOf(item, result, options);
      continue;
    }
    for (const object of neededOf(item, result, options)) {
      objects.push(object);
      if (item.by === 'name') named.add(object.ref.uid);
    }
  }
  return { objects, named, unreadable, failing };
}

function neededOf(item: Wanted, result: Read<ObjectMeta[]>, options: UnstickOptions): ObjectMeta[] {
  if (result.state === 'absent' && item.by === 'name') throw notThere(item, hintOf(item, options));
  return needed(result, resourceName(item.kind), hintFor(options));
}

/** One word may have been meant as a kind. */
const hintOf = ({ name }: { readonly name: string }, { words }: UnstickOptions): string | undefined =>
  words.by === 'one-word'
    ? `The server serves no kind "${name}", so a Job of that name was looked for.`
    : undefined;

async function readNamed(
  item: Extract<Wanted, { by: 'name' }>,
  read: ClusterReader,
): Promise<Read<ObjectMeta[]>> {
  const found = await read.getMetadata(item.kind, item.name, item.namespace);
  return found.state === 'read' ? { state: 'read', value: [found.value] } : found;
}

function listStuck(kind: Kind, namespace: string | undefined, options: UnstickOptions, read: ClusterReader) {
  const { selector: labelSelector, fieldSelector } = options;
  const query: ListQuery = given({ namespace, labelSelector, fieldSelector });
  return read.listMetadata(kind, query, isTerminating);
}
