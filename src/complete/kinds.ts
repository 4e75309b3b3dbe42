// Which kinds are offered, and how they are written.
import type { KindCatalog } from '../cluster/contract.ts';
import {
  isCronJobKind,
  isJobKind,
  isSameKind,
  isScaledJobKind,
  type Kind,
  resourceName,
} from '../model/kind.ts';
import { findKind } from '../select/resolve-kind.ts';
import type { Which } from './asked.ts';

const verbs = ['delete', 'list', 'patch'];
const batch = { group: 'batch', version: 'v1', namespaced: true, categories: [], verbs } as const;
const core = { group: '', version: 'v1', categories: [], verbs } as const;

export const jobKind: Kind = { ...batch, kind: 'Job', resource: 'jobs', singular: 'job', shortNames: [] };

/** What every cluster serves, and ScaledJobs: their names take one request, with discovery it would be three. */
export const wellKnown: KindCatalog = {
  silentGroups: [],
  kinds: [
    { ...core, kind: 'Pod', resource: 'pods', singular: 'pod', shortNames: ['po'], namespaced: true },
    {
      ...core,
      kind: 'Namespace',
      resource: 'namespaces',
      singular: 'namespace',
      shortNames: ['ns'],
      namespaced: false,
    },
    { ...batch, kind: 'CronJob', resource: 'cronjobs', singular: 'cronjob', shortNames: ['cj'] },
    jobKind,
    {
      ...batch,
      group: 'keda.sh',
      version: 'v1alpha1',
      kind: 'ScaledJob',
      resource: 'scaledjobs',
      singular: 'scaledjob',
      shortNames: ['sj'],
    },
  ],
};

/** Of a server that does not answer, what every cluster has: KEDA's kinds are only offered where they are served. */
export const onEveryCluster: KindCatalog = {
  ...wellKnown,
  kinds: wellKnown.kinds.filter(kind => !isScaledJobKind(kind)),
};

export function isFor(kind: Kind, which: Which): boolean {
  const isSource = isCronJobKind(kind) || isScaledJobKind(kind);
  switch (which) {
    case 'any':
      return kind.verbs.includes('delete') && kind.verbs.includes('list');
    case 'stuck':
      return kind.verbs.includes('list');
    case 'owners':
      return isSource;
    default:
      return isSource || isJobKind(kind);
  }
}

/** As short as it still means this kind: `jobs`, or `jobs.example.com` where another group's are meant by that. */
export function written(kind: Kind, catalog: KindCatalog, slashed: boolean): string {
  const word = slashed ? kind.singular : kind.resource;
  const found = findKind(catalog, word);
  const whole = found !== undefined && isSameKind(found, kind) ? word : resourceName(kind);
  return slashed ? `${whole}/` : whole;
}
