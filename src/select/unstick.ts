// `unstick`, the reads: what is terminating, what hangs below it, and the evidence that says who should end it.
import type { ClusterReader, KindCatalog } from '../cluster/contract.ts';
import { clusterError } from '../errors.ts';
import { given } from '../model/given.ts';
import { isKind, isPodKind, resourceName } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { UnstickOptions } from '../model/options.ts';
import type { OtherVersion, UnstickSnapshot } from '../model/unstick-snapshot.ts';
import { readRights } from './access.ts';
import { belongingTo } from './belonging.ts';
import { lookCloser } from './look-closer.ts';
import { needed } from './needed.ts';
import { type Scan, scan } from './scan.ts';
import { Census } from './unstick/census.ts';
import { readDraining } from './unstick/draining.ts';
import { readEvidenceOf } from './unstick/evidence.ts';
import { type Found, findWanted, wantedOf } from './unstick/find.ts';
import { insideOf, isDefinition, isNamespace } from './unstick/inside.ts';
import { findOtherVersions, type Substituted } from './unstick/other-versions.ts';

export interface Unsticking {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
  readonly pause: (ms: number) => Promise<void>;
  readonly tell: (status: string) => Promise<void>;
}

export async function selectUnstick(options: UnstickOptions, at: Unsticking): Promise<UnstickSnapshot> {
  const { read, signal } = at;
  const { context, server, namespace } = read.target;
  const first = needed(await read.kinds(), 'the list of kinds');
  const wanted = wantedOf(options, first, namespace);
  const named = wanted === undefined ? nothing(first) : await findIn(wanted, options, first, at);
  const census = new Census(options.finalizers);
  const place = wanted === undefined ? placeOfScan(options, namespace) : placeBelow(named.found.objects);
  const scanned =
    place === undefined ? emptyScan(named.catalog) : await scanAll(named.catalog, place, census, at);
  const below = { ...scanned, ...(await ownNamespace(options, wanted === undefined, scanned, at)) };
  const targets = wanted === undefined ? below.kept.filter(isTerminating) : named.found.objects;
  const owned = below.kept.filter(object => object.owners.length > 0);
  const belonging = belongingTo(targets.map(uidOf), owned);
  const inside = insideOf(targets, {
    scan: below,
    census,
    kinds: below.catalog.kinds,
    isSilent: below.catalog.silentGroups.length > 0,
  });
  const insiders = new Set([...inside.values()].flatMap(({ stuck }) => stuck));
  const more = below.kept.filter(object => insiders.has(uidOf(object)));
  const all = unique([...targets, ...belonging.filter(isTerminating), ...more]);
  const objects = await lookCloser(read, all, signal);
  const dependents = await lookCloser(
    read,
    belonging.filter(object => !isTerminating(object)),
    signal,
  );
  const evidence = await readEvidenceOf({ objects, dependents }, below.catalog, at);
  const draining = await readDraining(all, at);
  return {
    takenAt: read.now(),
    ...given({ context }),
    server,
    namespaces: namespacesOf(options, all, wanted === undefined, namespace),
    allNamespaces: options.allNamespaces,
    named: named.found.named,
    isScan: named.found.named.size === 0,
    objects,
    dependents,
    seenUids: below.seenUids,
    kindsRead: below.kindsRead,
    wasScanned: place !== undefined,
    unreadable: [...named.found.unreadable, ...below.unreadable],
    unreadableEvidence: evidence.unreadable,
    served: new Set(first.kinds.map(resourceName)),
    silentGroups: first.silentGroups,
    liveWith: census.liveWith,
    otherVersions: [...named.otherVersions, ...below.otherVersions],
    draining,
    inside,
    evidence: { ...evidence.evidence, definitions: [...evidence.evidence.definitions, ...below.definitions] },
    rights: await readRights(
      read,
      all.map(({ ref }) => ref),
      'patch',
    ),
  };
}

const isTerminating = (object: ObjectMeta): boolean => object.deletingSince !== undefined;
const uidOf = ({ ref }: ObjectMeta): string => ref.uid;
const unique = (objects: readonly ObjectMeta[]): ObjectMeta[] => [
  ...new Map(objects.map(object => [uidOf(object), object])).values(),
];

interface Named extends Substituted {
  readonly found: Found;
}

const nothing = (catalog: KindCatalog): Named => ({
  catalog,
  otherVersions: [],
  definitions: [],
  found: { objects: [], named: new Set(), unreadable: [], failing: [] },
});

type Wanted = NonNullable<ReturnType<typeof wantedOf>>;

/** What was asked for; kinds that fail are tried again in the other versions that are served. */
async function findIn(
  wanted: Wanted,
  options: UnstickOptions,
  catalog: KindCatalog,
  at: Unsticking,
): Promise<Named> {
  const found = await findWanted(wanted, options, at);
  if (found.failing.length === 0) return { ...nothing(catalog), found };
  const other = await findOtherVersions(at.read, catalog, found.failing);
  const again = found.failing.map(({ wanted: item, problem }) => {
    const kind = other.catalog.kinds.find(
      ({ group, resource }) => resource === item.kind.resource && group === item.kind.group,
    );
    if (kind === undefined || kind.version === item.kind.version)
      throw clusterError(problem.text, hintOf(other.otherVersions, resourceName(item.kind)));
    return { ...item, kind };
  });
  const rest = await findWanted(again, options, at);
  const [failure] = rest.failing;
  if (failure !== undefined) throw clusterError(failure.problem.text);
  return {
    ...other,
    found: {
      objects: [...found.objects, ...rest.objects],
      named: new Set([...found.named, ...rest.named]),
      unreadable: [...found.unreadable, ...rest.unreadable],
      failing: [],
    },
  };
}

function hintOf(versions: readonly OtherVersion[], name: string): string | undefined {
  const version = versions.find(({ definition }) => definition === name);
  return version === undefined
    ? undefined
    : `No served version of customresourcedefinition/${name} can be read: its conversion webhook ${version.conversion} has to answer first.`;
}

interface Place {
  /** Undefined: everywhere, cluster-scoped kinds too. */
  readonly namespaces: readonly string[] | undefined;
  /** Undefined: every kind. */
  readonly resources?: ReadonlySet<string>;
}

const placeOfScan = (options: UnstickOptions, namespace: string): Place => ({
  namespaces: options.allNamespaces ? undefined : [namespace],
});

/** Where something may hang below the named objects; undefined where nothing does. */
function placeBelow(objects: readonly ObjectMeta[]): Place | undefined {
  const owners = objects.filter(object => isTerminating(object) && !ownsNothing(object));
  if (owners.length === 0) return undefined;
  const isEverywhere = ({ ref }: ObjectMeta) => ref.namespace === undefined;
  const definitions = owners.filter(isDefinition);
  if (definitions.length === owners.length)
    return { namespaces: undefined, resources: new Set(definitions.map(({ ref }) => ref.name)) };
  const namespaces = owners.map(object => (isNamespace(object) ? object.ref.name : object.ref.namespace));
  return owners.some(object => isEverywhere(object) && !isNamespace(object))
    ? { namespaces: undefined }
    : { namespaces: [...new Set(namespaces.filter(name => name !== undefined))] };
}

const ownsNothing = ({ ref: { kind } }: ObjectMeta): boolean =>
  isPodKind(kind) ||
  isKind(kind, '', 'PersistentVolumeClaim') ||
  isKind(kind, '', 'PersistentVolume') ||
  isKind(kind, 'storage.k8s.io', 'VolumeAttachment');

type Scanned = Scan & Substituted;

const emptyScan = (catalog: KindCatalog): Scanned => ({
  kept: [],
  seenUids: new Set(),
  kindsRead: new Set(),
  unreadable: [],
  catalog,
  otherVersions: [],
  definitions: [],
});

async function scanAll(
  catalog: KindCatalog,
  { namespaces, resources }: Place,
  census: Census,
  at: Unsticking,
): Promise<Scanned> {
  const kinds = catalog.kinds.filter(kind => resources === undefined || resources.has(resourceName(kind)));
  const how = { ...at, keep: census.keep };
  const found = await scan({ ...catalog, kinds }, namespaces, how);
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
async function ownNamespace(
  options: UnstickOptions,
  isScan: boolean,
  scanned: Scanned,
  { read }: Unsticking,
): Promise<Pick<Scan, 'kept' | 'unreadable'>> {
  const kind = scanned.catalog.kinds.find(candidate => isKind(candidate, '', 'Namespace'));
  if (!isScan || options.allNamespaces || kind === undefined) return scanned;
  const own = await read.getMetadata(kind, read.target.namespace);
  if (own.state === 'read') return { ...scanned, kept: [...scanned.kept, own.value] };
  if (own.state === 'absent') return scanned;
  return { ...scanned, unreadable: [...scanned.unreadable, { kind, problem: own.problem }] };
}

function namespacesOf(
  options: UnstickOptions,
  objects: readonly ObjectMeta[],
  isScan: boolean,
  namespace: string,
): readonly string[] {
  if (options.allNamespaces) return [];
  if (isScan || objects.length === 0) return [namespace];
  return [...new Set(objects.flatMap(({ ref }) => ref.namespace ?? []))].sort();
}
