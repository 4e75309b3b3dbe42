// Which request does what.
import { type Answer, json, notFound, notServed } from './answer.ts';
import { createStored } from './create.ts';
import { deleteStored, orphanWarning } from './delete.ts';
import { readDeleteOptions } from './delete-options.ts';
import { discovery, type SilentGroup, unavailable } from './discovery.ts';
import type { ServedKind } from './kinds.ts';
import type { Lists } from './list.ts';
import { answerLog } from './logs.ts';
import { patchStored } from './patch.ts';
import { type Address, type Asked, addressOf, serves, verbOf } from './request.ts';
import { forbidden, type Rights, review } from './rights.ts';
import type { Store, Stored } from './store.ts';
import { written } from './written.ts';

export interface Cluster {
  readonly store: Store;
  readonly lists: Lists;
  readonly rights: Rights;
  readonly kinds: ServedKind[];
  readonly silentGroups: SilentGroup[];
  /** Uids of objects that lists show and nothing else finds. */
  readonly ghosts: Set<string>;
  /** What containers wrote, by logKey. */
  readonly logs: Map<string, string>;
  now(): Date;
}

/** `silent` is a watch: it is accepted and tells nothing. */
export function answer(cluster: Cluster, asked: Asked): Answer | 'silent' {
  if (asked.path === '/version') return json(200, { major: '1', minor: '37', gitVersion: 'v1.37.2-fake' });
  if (/^\/(healthz|livez|readyz)$/.test(asked.path)) return { status: 200, body: 'ok' };
  if (asked.path === '/api' || asked.path === '/apis')
    return discovery(asked.path, cluster.kinds, cluster.silentGroups);
  const address = addressOf(asked.path);
  if (address === undefined)
    return { status: 404, body: '404 page not found\n', headers: { 'content-type': 'text/plain' } };
  if (
    cluster.silentGroups.some(({ group, version }) => group === address.group && version === address.version)
  )
    return unavailable;
  const kind = cluster.kinds.find(one => serves(one, address));
  if (kind === undefined || (!kind.namespaced && address.namespace !== undefined)) return notServed;
  return authorized(cluster, kind, address, asked);
}

function authorized(cluster: Cluster, kind: ServedKind, address: Address, asked: Asked): Answer | 'silent' {
  if (kind.kind === 'SelfSubjectAccessReview') {
    return asked.user === 'admin'
      ? json(201, { status: { allowed: true } })
      : review(cluster.rights, asked.body);
  }
  const wish = {
    verb: verbOf(asked),
    group: kind.group,
    resource: isLog(address) ? `${kind.resource}/log` : kind.resource,
    namespace: address.namespace,
  };
  if (asked.user !== 'admin' && !cluster.rights.allows(wish)) {
    return forbidden(kind, { ...wish, user: asked.user, name: address.name });
  }
  if (address.name !== undefined) return onObject(cluster, kind, { ...address, name: address.name }, asked);
  const { namespace } = address;
  if (asked.method === 'POST')
    return createStored(cluster.store, kind, namespace, { body: asked.body, now: cluster.now() });
  if (asked.method !== 'GET') return notServed;
  if (asked.query['watch'] === 'true' || asked.query['watch'] === '1') return 'silent';
  return cluster.lists.answer({ kind, namespace, query: asked.query, accept: acceptOf(asked) });
}

function onObject(
  cluster: Cluster,
  kind: ServedKind,
  address: Address & { readonly name: string },
  asked: Asked,
): Answer {
  const found = cluster.store.get(kind, address.namespace, address.name);
  const stored =
    found !== undefined && cluster.ghosts.has(found.object.metadata.uid ?? '') ? undefined : found;
  if (asked.method === 'DELETE') return removed(cluster, kind, stored, { name: address.name, asked });
  if (stored === undefined) return notFound(kind, address.name);
  if (asked.method === 'GET' && isLog(address)) return answerLog(cluster.logs, stored.object, asked.query);
  if (asked.method === 'GET') return json(200, written(stored, acceptOf(asked), 'object'));
  if (asked.method !== 'PATCH') return notServed;
  return patchStored(cluster.store, stored, {
    contentType: asked.contentType,
    body: asked.body,
    isDryRun: asked.query['dryRun'] === 'All',
    isStatus: address.subresource === 'status',
  });
}

function removed(
  cluster: Cluster,
  kind: ServedKind,
  stored: Stored | undefined,
  { name, asked }: { readonly name: string; readonly asked: Asked },
): Answer {
  const options = readDeleteOptions(asked.body, asked.query);
  if ('refused' in options) return options.refused;
  const answer =
    stored === undefined ? notFound(kind, name) : deleteStored(cluster.store, stored, options, cluster.now());
  const warns = options.policy === undefined && kind.group === 'batch' && kind.kind === 'Job';
  return warns ? { ...answer, headers: { warning: orphanWarning } } : answer;
}

const isLog = ({ resource, subresource }: Address): boolean => resource === 'pods' && subresource === 'log';

const acceptOf = ({ headers }: Asked): string => headers.accept ?? '';
