// `unstick`, the reads: what is terminating, what hangs below it, and the evidence that says who should end it.
import type { ClusterReader, KindCatalog } from '../cluster/contract.ts';
import { clusterError } from '../errors.ts';
import { given } from '../model/given.ts';
import { resourceName } from '../model/kind.ts';
import { isTerminating, type ObjectMeta } from '../model/object.ts';
import type { UnstickOptions } from '../model/options.ts';
import type { OtherVersion, UnstickSnapshot } from '../model/unstick-snapshot.ts';
import { readPatchRights } from './access.ts';
import { belongingTo } from './belonging.ts';
import { lookCloser } from './look-closer.ts';
import { needed } from './needed.ts';
import { Census } from './unstick/census.ts';
import { readDraining } from './unstick/draining.ts';
import { readEvidenceOf } from './unstick/evidence.ts';
import { type Found, findWanted, wantedOf } from './unstick/find.ts';
import { insideOf, isNamespace } from './unstick/inside.ts';
import { findOtherVersions, type Substituted } from './unstick/other-versions.ts';
import { emptyScan, ownNamespace, placeBelow, placeOfScan, scanAll } from './unstick/places.ts';

export interface Unsticking {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
  readonly pause: (ms: number) => Promise<void>;
  readonly elapsedMs: () => number;
  readonly tell: (status: string) => Promise<void>;
}

export async function selectUnstick(options: UnstickOptions, at: Unsticking): Promise<UnstickSnapshot> {
  const { read, signal } = at;
  const { context, server, namespace } = read.target;
  const first = needed(await read.kinds(), 'the list of kinds');
  const wanted = wantedOf(options, first, namespace);
  const named = wanted === undefined ? nothing(first) : await findIn(wanted, options, first, at);
  const census = new Census(options.finalizers);
  const place =
    wanted === undefined ? placeOfScan(options, namespace) : placeBelow(named.found.objects, options);
  const scanned =
    place === undefined ? emptyScan(named.catalog) : await scanAll(named.catalog, place, census, at);
  const own = await ownNamespace(options, wanted === undefined, named.catalog, at);
  const below = { ...scanned, kept: [...scanned.kept, ...own.found] };
  const targets = wanted === undefined ? below.kept.filter(isTerminating) : named.found.objects;
  const owned = below.kept.filter(object => object.owners.length > 0);
  const inside = insideOf(targets, {
    scan: below,
    census,
    kinds: below.catalog.kinds,
    isSilent: below.catalog.silentGroups.length > 0,
  });
  const insiders = new Set([...inside.values()].flatMap(({ stuck }) => stuck));
  const inner = below.kept.filter(object => insiders.has(uidOf(object)));
  const belonging = belongingTo([...targets, ...inner].map(uidOf), owned);
  const all = unique([...targets, ...inner, ...belonging.filter(isTerminating)]);
  const objects = await lookCloser(read, all, signal);
  const dependents = await lookCloser(
    read,
    belonging.filter(object => !isTerminating(object)),
    signal,
  );
  const evidence = await readEvidenceOf(objects, below.catalog, at);
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
    scanned:
      place?.namespaces === undefined && place !== undefined ? 'everywhere' : new Set(place?.namespaces),
    unreadable: [...named.found.unreadable, ...below.unreadable],
    unreadableEvidence: [...evidence.unreadable, ...own.unreadable],
    served: new Set(first.kinds.map(resourceName)),
    silentGroups: first.silentGroups,
    liveWith: census.liveWith,
    otherVersions: [...named.otherVersions, ...below.otherVersions],
    draining,
    inside,
    evidence: evidence.evidence,
    mayPatch: await readPatchRights(
      read,
      all.map(({ ref }) => ref),
    ),
    mayFinalize: await mayFinalize(options, targets, read),
  };
}

const uidOf = ({ ref }: ObjectMeta): string => ref.uid;
/** Some servers show one object in two groups (Namespaces as Projects): the one of Kubernetes itself is diagnosed. */
function unique(objects: readonly ObjectMeta[]): ObjectMeta[] {
  const byUid = new Map<string, ObjectMeta>();
  for (const object of objects) {
    const known = byUid.get(uidOf(object));
    if (known === undefined || object.ref.kind.group.length < known.ref.kind.group.length)
      byUid.set(uidOf(object), object);
  }
  return [...byUid.values()];
}

interface Named extends Substituted {
  readonly found: Found;
}

const nothing = (catalog: KindCatalog): Named => ({
  catalog,
  otherVersions: [],
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

/** /finalize is a right of its own. */
async function mayFinalize(
  options: UnstickOptions,
  targets: readonly ObjectMeta[],
  read: ClusterReader,
): Promise<UnstickSnapshot['mayFinalize']> {
  const namespaces = options.forceFinalize ? targets.filter(isNamespace) : [];
  const answers = await Promise.all(
    namespaces.map(({ ref: { kind, name } }) => read.mayI('update', { kind, name, subresource: 'finalize' })),
  );
  return answers.includes('no')
    ? 'no'
    : answers.length > 0 && answers.every(it => it === 'yes')
      ? 'yes'
      : 'unknown';
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
