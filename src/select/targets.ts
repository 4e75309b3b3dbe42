// From the user's words to kinds and names: against discovery, before any object is read.
import type { KindCatalog } from '../cluster/contract.ts';
import { refused, usageError } from '../errors.ts';
import { isJobKind, type Kind, resourceName } from '../model/kind.ts';
import type { DeleteOptions, Where } from '../model/options.ts';
import type { Named } from './manifests.ts';
import { findKind, resolveKind, resolveKinds } from './resolve-kind.ts';

export type Wanted =
  | { readonly by: 'name'; readonly kind: Kind; readonly name: string; readonly namespace?: string }
  | { readonly by: 'list'; readonly kind: Kind; readonly namespace?: string };

/** What to read. `manifests` are the documents of -f, where it was given. */
export function resolveTargets(
  options: DeleteOptions,
  catalog: KindCatalog,
  namespace: string,
  manifests: readonly Named[],
): Wanted[] {
  const { words } = options;
  if (words.by === 'files')
    return unique(manifests.map(named => fromManifest(named, catalog, options, namespace)));
  if (words.by === 'selection') {
    const kinds = words.types.flatMap(type => resolveKinds(catalog, type));
    return unique(kinds.map(kind => toList(kind, options, namespace)));
  }
  const targets = words.by === 'name' ? words.targets : [bareName(words.word, catalog)];
  return unique(targets.map(({ type, name }) => toNamed(resolveKind(catalog, type), name, namespace)));
}

/** A name given twice is one object. */
export function unique(wanted: readonly Wanted[]): Wanted[] {
  const key = (item: Wanted) =>
    [item.kind.group, item.kind.kind, item.namespace ?? '', item.by === 'name' ? item.name : ''].join('\n');
  return [...new Map(wanted.map(item => [key(item), item])).values()];
}

/** A bare NAME is a Job, unless it spells a kind: then a name was forgotten. */
function bareName(word: string, catalog: KindCatalog): { type: string; name: string } {
  const kind = findKind(catalog, word);
  if (kind === undefined) return { type: 'jobs.batch', name: word };
  const alike = isJobKind(kind) ? '' : `; for a Job of that name write job/${word}`;
  throw usageError(
    `resource(s) were provided, but no name was specified: name a ${kind.singular}, or give -l or --all${alike}`,
  );
}

export function toNamed(kind: Kind, name: string, namespace: string): Wanted {
  return { by: 'name', kind, name, ...(kind.namespaced ? { namespace } : {}) };
}

export function toList(kind: Kind, options: Where, namespace: string): Wanted {
  if (!kind.namespaced && options.namespaceGiven) {
    throw refused(
      `${resourceName(kind)} are cluster-scoped: -n does not narrow them, so all of them would be selected`,
      'Leave -n out if that is meant.',
    );
  }
  return { by: 'list', kind, ...(kind.namespaced && !options.allNamespaces ? { namespace } : {}) };
}

function fromManifest(named: Named, catalog: KindCatalog, options: DeleteOptions, namespace: string): Wanted {
  const [group, version] = named.apiVersion.includes('/')
    ? named.apiVersion.split('/')
    : ['', named.apiVersion];
  const kind = catalog.kinds.find(candidate => candidate.group === group && candidate.kind === named.kind);
  if (kind === undefined) {
    throw usageError(
      `no matches for kind "${named.kind}" in version "${group === '' ? version : named.apiVersion}"`,
    );
  }
  if (!kind.namespaced) return { by: 'name', kind, name: named.name };
  if (options.namespaceGiven && named.namespace !== undefined && named.namespace !== namespace) {
    throw usageError(
      `the namespace from the provided object "${named.namespace}" does not match the namespace "${namespace}"; you must pass '--namespace=${named.namespace}' to perform this operation`,
    );
  }
  return { by: 'name', kind, name: named.name, namespace: named.namespace ?? namespace };
}
