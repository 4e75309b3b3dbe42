// A TYPE in any spelling that kubectl takes, against what the server serves: job, jobs, Job, cj, jobs.batch, jobs.v1.batch.
// (Label selectors are not parsed anywhere: the server reads them.)
import type { KindCatalog } from '../cluster/contract.ts';
import { type EarlyEnd, usageError } from '../errors.ts';
import { type Kind, resourceName } from '../model/kind.ts';

/** Undefined where no served kind is written so. The core group and `batch` win over other groups, as the server's order says. */
export function findKind(catalog: KindCatalog, type: string): Kind | undefined {
  const word = type.toLowerCase();
  const exact =
    catalog.kinds.find(kind => names(kind).includes(word)) ??
    catalog.kinds.find(kind => kind.shortNames.includes(word));
  if (exact !== undefined) return exact;
  const dot = word.indexOf('.');
  if (dot < 0) return undefined;
  const [head, tail] = [word.slice(0, dot), word.slice(dot + 1)];
  return catalog.kinds.find(
    kind => [...names(kind), ...kind.shortNames].includes(head) && isGroupOf(kind, tail),
  );
}

const names = (kind: Kind): string[] => [kind.resource, kind.singular, kind.kind.toLowerCase()];

/** `batch`, `v1.batch`, or a prefix of the group as kubectl takes it. */
function isGroupOf(kind: Kind, tail: string): boolean {
  const group = tail.startsWith(`${kind.version}.`) ? tail.slice(kind.version.length + 1) : tail;
  return (
    group === kind.group || tail === kind.version || (group !== '' && kind.group.startsWith(`${group}.`))
  );
}

/** Throws kubectl's sentence; says so when a group that did not answer may be the reason. */
export function resolveKind(catalog: KindCatalog, type: string): Kind {
  const kind = findKind(catalog, type);
  if (kind === undefined) throw noSuchKind(catalog, type);
  if (!kind.verbs.includes('delete'))
    throw usageError(`${resourceName(kind)} cannot be deleted: the server offers no delete for it`);
  return kind;
}

/** The kinds that one word selects: one, or those of a category such as `all`, as in kubectl. */
export function resolveKinds(catalog: KindCatalog, type: string): Kind[] {
  if (findKind(catalog, type) !== undefined) return [resolveKind(catalog, type)];
  const inCategory = catalog.kinds.filter(
    kind => kind.categories.includes(type.toLowerCase()) && kind.verbs.includes('delete'),
  );
  return inCategory.length > 0 ? inCategory : [resolveKind(catalog, type)];
}

function noSuchKind(catalog: KindCatalog, type: string): EarlyEnd {
  const silent = catalog.silentGroups.map(({ group }) => group);
  const hint =
    silent.length === 0
      ? undefined
      : `These API groups did not answer, it may be one of theirs: ${silent.join(', ')}`;
  return usageError(`the server doesn't have a resource type "${type}"`, hint);
}

/** A kind that every server has: its absence is no user's mistake. */
export function kindOf(catalog: KindCatalog, is: (kind: Kind) => boolean): Kind {
  const kind = catalog.kinds.find(is);
  if (kind === undefined) throw new Error('the server serves no Jobs or no Pods');
  return kind;
}
