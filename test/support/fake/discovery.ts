// Aggregated discovery, and groups whose server does not answer. Source: apidiscovery.k8s.io/v2.
import { type Answer, failure, json } from './answer.ts';
import type { ServedKind } from './kinds.ts';

const contentType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export interface SilentGroup {
  readonly group: string;
  readonly version: string;
}

/** `/api` is the core group, `/apis` all others. */
export function discovery(
  path: string,
  kinds: readonly ServedKind[],
  silent: readonly SilentGroup[],
): Answer {
  const isCore = path === '/api';
  const served = kinds.filter(({ group }) => (group === '') === isCore);
  const names = new Set([...served, ...(isCore ? [] : silent)].map(({ group }) => group));
  const items = [...names].map(name => ({
    metadata: name === '' ? {} : { name },
    versions: [
      ...versionsOf(served.filter(({ group }) => group === name)),
      ...silent
        .filter(({ group }) => !isCore && group === name)
        .map(({ version }) => ({ version, resources: [], freshness: 'Stale' })),
    ],
  }));
  const document = {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items,
  };
  return { ...json(200, document), headers: { 'content-type': contentType } };
}

const versionsOf = (kinds: readonly ServedKind[]) =>
  [...new Set(kinds.map(({ version }) => version))].map(version => ({
    version,
    resources: kinds.filter(kind => kind.version === version).map(resourceOf),
    freshness: 'Current',
  }));

const resourceOf = (kind: ServedKind) => ({
  resource: kind.resource,
  responseKind: { group: '', version: '', kind: kind.kind },
  scope: kind.namespaced ? 'Namespaced' : 'Cluster',
  singularResource: kind.singular,
  verbs: kind.verbs,
  ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
  ...(kind.categories.length === 0 ? {} : { categories: kind.categories }),
});

/** What the aggregator says for a group whose server is dead. */
export const unavailable: Answer = failure({
  status: 503,
  reason: 'ServiceUnavailable',
  message: 'service unavailable',
});

/** The APIService that stands for a dead group. */
export const deadService = ({ group, version }: SilentGroup) => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `${version}.${group}` },
  spec: { group, version, groupPriorityMinimum: 100, versionPriority: 100 },
  status: {
    conditions: [
      {
        type: 'Available',
        status: 'False',
        reason: 'FailedDiscoveryCheck',
        message: `failing or missing response from https://10.0.0.9:443/apis/${group}/${version}: context deadline exceeded`,
      },
    ],
  },
});
