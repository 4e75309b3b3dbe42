// Addresses of resources. Capital letters stay: a ClusterRole `Batch-Admin` and one named `batch-admin` are two objects.
import type { Kind } from '../model/kind.ts';

export function pathOf(
  kind: Pick<Kind, 'group' | 'version' | 'resource'>,
  namespace?: string,
  name?: string,
): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${within}/${kind.resource}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}

export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as [string, string]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
