// Where `unstick` has to look, and the look itself: every kind that can be listed, in a namespace or everywhere.
import type { ClusterReader, KindCatalog } from '../../cluster/contract.ts';
import {
  isAttachmentKind,
  isClaimKind,
  isNamespaceKind,
  isPodKind,
  isVolumeKind,
  resourceName,
} from '../../model/kind.ts';
import { isCollectors, isTerminating, type ObjectMeta } from '../../model/object.ts';
import type { UnstickOptions } from '../../model/options.ts';
import type { UnstickSnapshot } from '../../model/unstick-snapshot.ts';
import { type Scan, scan } from '../scan.ts';
import type { Census } from './census.ts';
import { isNamespace } from './inside.ts';
import { findOtherVersions, type Substituted } from './other-versions.ts';

interface At {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
}

export interface Place {
  /** Undefined: everywhere, cluster-scoped kinds too. */
  readonly namespaces: readonly string[] | undefined;
}

export const placeOfScan = (options: UnstickOptions, namespace: string): Place => ({
  namespaces: options.allNamespaces ? undefined : [namespace],
});

/** Where something may hang below the named objects; undefined where nothing does. */
export function placeBelow(objects: readonly ObjectMeta[], options: UnstickOptions): Place | undefined {
  // under the collector's finalizers whether something hangs below is the question, whatever the object is
  const owners = objects.filter(
    object => isTerminating(object) && (object.finalizers.some(isCollectors) || !ownsNothing(object)),
  );
  if (owners.length === 0) return undefined;
  const isEverywhere = ({ ref }: ObjectMeta) => ref.namespace === undefined;
  const namespaces = owners.map(object => (isNamespace(object) ? object.ref.name : object.ref.namespace));
  return options.allNamespaces || owners.some(object => isEverywhere(object) && !isNamespace(object))
    ? { namespaces: undefined }
    : { namespaces: [...new Set(namespaces.filter(name => name !== undefined))] };
}

/** Or nothing that would be held by a finalizer of its own for long: the claim of an ephemeral volume goes after its Pod. */
const ownsNothing = ({ ref: { kind } }: ObjectMeta): boolean =>
  isPodKind(kind) || isClaimKind(kind) || isVolumeKind(kind) || isAttachmentKind(kind);

export type Scanned = Scan & Substituted;

export const emptyScan = (catalog: KindCatalog): Scanned => ({
  kept: [],
  seenUids: new Set(),
  kindsRead: new Set(),
  unreadable: [],
  catalog,
  otherVersions: [],
});

export async function scanAll(
  catalog: KindCatalog,
  { namespaces }: Place,
  census: Census,
  at: At,
): Promise<Scanned> {
  const how = { ...at, keep: census.keep };
  const found = await scan(catalog, namespaces, how);
  const other = await findOtherVersions(at.read, catalog, found.unreadable.flatMap(toFailing(catalog)));
  const instead = new Set(
    other.otherVersions.filter(({ used }) => used !== undefined).map(({ definition }) => definition),
  );
  if (instead.size === 0) return { ...found, ...other };
  const isInstead = (kind: { group: string; resource: string }) => instead.has(resourceName(kind));
  const again = await scan({ ...catalog, kinds: other.catalog.kinds.filter(isInstead) }, namespaces, how);
  return {
    ...other,
    kept: [...found.kept, ...again.kept],
    seenUids: new Set([...found.seenUids, ...again.seenUids]),
    kindsRead: new Set([...found.kindsRead, ...again.kindsRead]),
    unreadable: [...found.unreadable.filter(({ kind }) => !isInstead(kind)), ...again.unreadable],
  };
}

const toFailing = (catalog: KindCatalog) => (item: Scan['unreadable'][number]) => {
  const kind = catalog.kinds.find(
    ({ group, kind: name }) => group === item.kind.group && name === item.kind.kind,
  );
  return kind === undefined ? [] : [{ ...item, kind }];
};

/** A scan of one namespace is about the Namespace too, where that is terminating. */
export async function ownNamespace(
  options: UnstickOptions,
  isScan: boolean,
  catalog: KindCatalog,
  { read }: At,
): Promise<{ readonly found: readonly ObjectMeta[]; readonly unreadable: UnstickSnapshot['unreadable'] }> {
  const kind = catalog.kinds.find(candidate => isNamespaceKind(candidate));
  if (!isScan || options.allNamespaces || kind === undefined) return { found: [], unreadable: [] };
  const own = await read.getMetadata(kind, read.target.namespace);
  return {
    found: own.state === 'read' ? [own.value] : [],
    unreadable: own.state === 'unreadable' ? [{ kind, problem: own.problem }] : [],
  };
}
