// `delete`, the reads: the targets, then everything that may belong to them, then what we may delete.

import type { ClusterReader, ListQuery, Read } from '../cluster/contract.ts';
import { given } from '../model/given.ts';
import { isJobKind, isKind, isPodKind, resourceName } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { DeleteOptions } from '../model/options.ts';
import { label } from '../model/ref.ts';
import type { DeleteSnapshot, Looked } from '../model/snapshot.ts';
import { pool } from '../pool.ts';
import { readDeleteRights } from './access.ts';
import { belongingTo } from './belonging.ts';
import { countContents } from './contents.ts';
import { lookCloser } from './look-closer.ts';
import { readManifests } from './manifests.ts';
import { hintFor, needed, notThere } from './needed.ts';
import { kindOf } from './resolve-kind.ts';
import { scan } from './scan.ts';
import { resolveTargets, type Wanted } from './targets.ts';

export interface Selecting {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
  readonly readStdin: () => Promise<string>;
}

const readsAtOnce = 4;

export async function selectDelete(options: DeleteOptions, at: Selecting): Promise<DeleteSnapshot> {
  const { read, signal } = at;
  const { context, server, namespace } = read.target;
  const manifests =
    options.words.by === 'files'
      ? await readManifests(options.words.files, options.words.recursive, at.readStdin)
      : [];
  const catalog = needed(await read.kinds(), 'the list of kinds');
  const wanted = resolveTargets(options, catalog, namespace, manifests);
  const { targets, notFound } = await readTargets(wanted, options, at);
  const everywhere = targets.some(({ object }) => object.ref.namespace === undefined);
  const namespaces = [...new Set(targets.flatMap(({ object }) => object.ref.namespace ?? []))].sort();
  const found =
    targets.length === 0
      ? nothing
      : await scan(catalog, everywhere ? undefined : namespaces, { read, signal, keep: isOwnedOrJob });
  const owned = found.kept.filter(object => object.owners.length > 0);
  const dependents = await lookCloser(read, belongingTo(targets.map(uidOf), owned), signal);
  const contents = await countContents(targets, catalog, read, signal);
  const rights = await readDeleteRights(
    read,
    [...targets, ...dependents].map(({ object }) => object.ref),
  );
  return {
    takenAt: read.now(),
    ...given({ context }),
    server,
    namespaces: namespaces.length > 0 || everywhere || options.allNamespaces ? namespaces : [namespace],
    allNamespaces: options.allNamespaces,
    targets,
    notFound,
    dependents,
    seenUids: found.seenUids,
    kindsRead: found.kindsRead,
    unreadable: [...found.unreadable, ...contents.unreadable],
    silentGroups: targets.length === 0 ? [] : catalog.silentGroups,
    ownerlessJobs: targets.some(({ object }) => isKind(object.ref.kind, 'batch', 'CronJob'))
      ? found.kept.filter(object => object.owners.length === 0)
      : [],
    contents: contents.counted,
    workload: { job: kindOf(catalog, isJobKind), pod: kindOf(catalog, isPodKind) },
    rights,
  };
}

const nothing = {
  kept: [],
  seenUids: new Set<string>(),
  kindsRead: new Set<string>(),
  unreadable: [],
};

const isOwnedOrJob = (object: ObjectMeta): boolean => object.owners.length > 0 || isJobKind(object.ref.kind);
const uidOf = ({ object }: Looked): string => object.ref.uid;

async function readTargets(
  wanted: readonly Wanted[],
  options: DeleteOptions,
  at: Selecting,
): Promise<{ targets: Looked[]; notFound: string[] }> {
  const targets: Looked[] = [];
  const notFound: string[] = [];
  const look = (item: Wanted) =>
    item.by === 'name' ? readOne(item, at.read) : readSelected(item, options, at.read);
  for await (const { item, result } of pool(wanted, readsAtOnce, at.signal, look)) {
    if (result.state === 'absent' && item.by === 'name') {
      if (!options.ignoreNotFound) throw notThere(item);
      notFound.push(label(item));
    } else for (const found of needed(result, resourceName(item.kind), hintFor(options))) targets.push(found);
  }
  return { targets, notFound };
}

async function readOne(item: Extract<Wanted, { by: 'name' }>, read: ClusterReader): Promise<Read<Looked[]>> {
  const namespace = item.namespace ?? '';
  if (isJobKind(item.kind)) return as('job', await read.getJob(item.name, namespace));
  if (isPodKind(item.kind)) return as('pod', await read.getPod(item.name, namespace));
  return as('object', await read.getMetadata(item.kind, item.name, item.namespace));
}

async function readSelected(
  item: Extract<Wanted, { by: 'list' }>,
  options: DeleteOptions,
  read: ClusterReader,
): Promise<Read<Looked[]>> {
  const { selector: labelSelector, fieldSelector } = options;
  const query: ListQuery = given({ namespace: item.namespace, labelSelector, fieldSelector });
  if (isJobKind(item.kind)) return allAs('job', await read.listJobs(query));
  if (isPodKind(item.kind)) return allAs('pod', await read.listPods(query));
  return allAs('object', await read.listMetadata(item.kind, query));
}

type OfLooked<A extends Looked['as']> = Extract<Looked, { as: A }>;

function as<A extends Looked['as']>(what: A, read: Read<OfLooked<A>['object']>): Read<Looked[]> {
  return read.state === 'read'
    ? { state: 'read', value: [{ as: what, object: read.value } as OfLooked<A>] }
    : read;
}

function allAs<A extends Looked['as']>(what: A, read: Read<OfLooked<A>['object'][]>): Read<Looked[]> {
  if (read.state !== 'read') return read;
  return { state: 'read', value: read.value.map(object => ({ as: what, object }) as OfLooked<A>) };
}
