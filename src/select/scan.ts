// Everything that may belong to the targets: metadata of every kind that can be listed and deleted, where the targets are.
// Found by owner uid, of any served kind: the garbage collector knows no others, and a name or a label proves nothing.
import type { ClusterReader, KindCatalog } from '../cluster/contract.ts';
import { given } from '../model/given.ts';
import type { Kind } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import { groupKind, type Unreadable } from '../model/snapshot.ts';
import { pool } from '../pool.ts';

export interface Scan {
  /** What `keep` said yes to. */
  readonly kept: readonly ObjectMeta[];
  readonly seenUids: ReadonlySet<string>;
  readonly kindsRead: ReadonlySet<string>;
  readonly unreadable: readonly Unreadable[];
}

/** More at once meets the server's fair queueing and slows everybody down (measured as an ordinary user). */
const listsAtOnce = 4;

interface Place {
  readonly kind: Kind;
  readonly namespace?: string;
}

export interface Scanning {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
  /** Sees every object, page by page; what it says no to is not kept in memory. */
  readonly keep: (object: ObjectMeta) => boolean;
}

/** `namespaces`: where to look; undefined: everywhere, cluster-scoped kinds too, because a cluster-scoped owner may own both. */
export async function scan(
  catalog: KindCatalog,
  namespaces: readonly string[] | undefined,
  { read, signal, keep }: Scanning,
): Promise<Scan> {
  const kept: ObjectMeta[] = [];
  const seenUids = new Set<string>();
  const unreadable: Unreadable[] = [];
  const look = ({ kind, namespace }: Place) =>
    read.listMetadata(kind, { unasked: true, ...given({ namespace }) }, object => {
      seenUids.add(object.ref.uid);
      return keep(object);
    });
  const kinds = catalog.kinds.filter(isWorthListing);
  for await (const { item, result } of pool(placesOf(kinds, namespaces), listsAtOnce, signal, look)) {
    if (result.state === 'unreadable') unreadable.push({ ...item, problem: result.problem });
    // listed by discovery, and then not there: what it holds is not known
    if (result.state === 'absent')
      unreadable.push({ ...item, problem: { code: 'not-served', text: 'no longer served' } });
    if (result.state === 'read') for (const object of result.value) kept.push(object);
  }
  const unread = new Set(unreadable.map(({ kind }) => groupKind(kind)));
  const listed = kinds.filter(kind => namespaces === undefined || kind.namespaced).map(groupKind);
  return {
    kept,
    seenUids,
    unreadable,
    kindsRead: new Set(listed.filter(key => !unread.has(key))),
  };
}

function placesOf(kinds: readonly Kind[], namespaces: readonly string[] | undefined): Place[] {
  if (namespaces === undefined) return kinds.map(kind => ({ kind }));
  const namespaced = kinds.filter(kind => kind.namespaced);
  return namespaces.flatMap(namespace => namespaced.map(kind => ({ kind, namespace })));
}

/** Events name their object otherwise, go by themselves, and are the largest list of many clusters. */
const isWorthListing = (kind: Kind): boolean =>
  kind.verbs.includes('list') && kind.verbs.includes('delete') && !isEventKind(kind);

const isEventKind = ({ group, kind }: Kind): boolean =>
  kind === 'Event' && (group === '' || group === 'events.k8s.io');
