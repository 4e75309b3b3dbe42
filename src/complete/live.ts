// What only the cluster knows: kinds, and names of objects and namespaces. Reads, and nothing but lists.
import type { ClusterReader, KindCatalog } from '../cluster/contract.ts';
import { isNamespaceKind, isSameKind, type Kind } from '../model/kind.ts';
import { findKind } from '../select/resolve-kind.ts';
import type { Sought } from './asked.ts';
import { isFor, jobKind, onEveryCluster, wellKnown, written } from './kinds.ts';
import { readNames } from './names.ts';

export type Live = Extract<Sought, { by: 'namespaces' | 'types' | 'names' }>;

export function readLive(sought: Live, read: ClusterReader): Promise<string[]> {
  switch (sought.by) {
    case 'namespaces':
      return readNamespaces(read);
    case 'types':
      return readTypes(sought, read);
    case 'names':
      return readAllNames(sought, read);
  }
}

async function readNamespaces(read: ClusterReader): Promise<string[]> {
  const kind = wellKnown.kinds.find(isNamespaceKind);
  return kind === undefined ? [] : await readNames(kind, { which: 'any', everywhere: true }, read);
}

async function readTypes(
  { which, slashed, jobs }: Extract<Live, { by: 'types' }>,
  read: ClusterReader,
): Promise<string[]> {
  const [catalog, names] = await Promise.all([
    readCatalog(read),
    jobs && which !== 'owners' ? readNames(jobKind, { which, everywhere: false }, read) : [],
  ]);
  const types = catalog.kinds.filter(kind => isFor(kind, which)).map(kind => written(kind, catalog, slashed));
  // one word that spells a kind is read as that kind, whatever a Job is called
  return [...types, ...names.filter(name => findKind(catalog, name) === undefined)];
}

async function readAllNames(
  { which, types, everywhere, given }: Extract<Live, { by: 'names' }>,
  read: ClusterReader,
): Promise<string[]> {
  const taken = await Promise.all(
    given.map(async ({ type, name }) => ({ kind: await resolve(type, read), name })),
  );
  const open = async (type: string): Promise<string[]> => {
    const kind = await resolve(type, read);
    if (kind === undefined) return [];
    const isTaken = (name: string) =>
      taken.some(one => one.name === name && one.kind !== undefined && isSameKind(one.kind, kind));
    const names = await readNames(kind, { which, everywhere }, read);
    return names.filter(name => !isTaken(name));
  };
  return [...new Set((await Promise.all(types.map(open))).flat())];
}

const resolve = async (type: string, read: ClusterReader): Promise<Kind | undefined> =>
  findKind(wellKnown, type) ?? findKind(await readCatalog(read), type);

async function readCatalog(read: ClusterReader): Promise<KindCatalog> {
  const catalog = await read.kinds();
  return catalog.state === 'read' ? catalog.value : onEveryCluster;
}
