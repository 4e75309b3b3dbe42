// A request as the fake sees it: method, address taken apart, and body.
import type { IncomingHttpHeaders } from 'node:http';
import type { ServedKind } from './kinds.ts';

export interface Asked {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Name, value, name, value, as they came: only here are two headers of one name two. */
  readonly rawHeaders: readonly string[];
  readonly contentType: string;
  /** Which connection it came on: the client's port. */
  readonly connection: number;
  /** Parsed JSON; the text where it is none; undefined where there is no body. */
  readonly body: unknown;
  /** Who the bearer token says it is; without one, the tests' own hands. */
  readonly user: string;
  /** `jobs`; undefined for discovery and for what is not served. */
  readonly resource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

export interface Address {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** `/apis/GROUP/VERSION[/namespaces/NAMESPACE]/RESOURCE[/NAME[/SUBRESOURCE]]`, `/api/v1/…`; undefined for anything else. */
export function addressOf(path: string): Address | undefined {
  const [root, ...parts] = path.split('/').slice(1).map(decodeURIComponent);
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'api' ? '' : (parts.shift() ?? '');
  const version = parts.shift() ?? '';
  const isWithin = parts[0] === 'namespaces' && parts.length > 2;
  const namespace = isWithin ? parts[1] : undefined;
  const [resource, name, subresource] = isWithin ? parts.slice(2) : parts;
  return resource === undefined ? undefined : { group, version, resource, namespace, name, subresource };
}

export const serves = (kind: ServedKind, { group, version, resource }: Address): boolean =>
  kind.group === group && kind.version === version && kind.resource === resource;

/** The user's name is the token's: `token-of-tester`. */
export const tokenOf = (user: string): string => `token-of-${user}`;
export const userOf = (authorization: string | undefined): string =>
  /^Bearer token-of-(.+)$/.exec(authorization ?? '')?.[1] ?? 'admin';

/** The verb of RBAC. */
export function verbOf({ method, name }: Pick<Asked, 'method' | 'name'>): string {
  if (method === 'GET') return name === undefined ? 'list' : 'get';
  return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method] ?? method.toLowerCase();
}

export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
