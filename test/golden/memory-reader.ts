// A reader over API objects in memory, through the same adapters that the real one uses. It only reads.

import { toHistoryOwner, toJob } from '../../src/cluster/adapt-job.ts';
import { toJobPod, toLivingJob } from '../../src/cluster/adapt-job-pod.ts';
import { toObjectMeta } from '../../src/cluster/adapt-meta.ts';
import { toPod } from '../../src/cluster/adapt-pod.ts';
import { toJobSource, toWorkingJob, toWorkingPod } from '../../src/cluster/adapt-work.ts';
import type { ClusterReader, Read } from '../../src/cluster/contract.ts';
import { evidenceSources } from '../../src/cluster/evidence.ts';
import { isSameKind, type Kind } from '../../src/model/kind.ts';
import type { RawObject } from './world.ts';

const verbs = ['get', 'list', 'delete', 'patch'];
const served = (group: string, kind: string, resource: string, shortNames: string[] = []): Kind => ({
  group,
  version: 'v1',
  kind,
  resource,
  singular: kind.toLowerCase(),
  namespaced: true,
  shortNames,
  categories: [],
  verbs,
});
const kinds = {
  job: served('batch', 'Job', 'jobs'),
  cronJob: served('batch', 'CronJob', 'cronjobs', ['cj']),
  pod: served('', 'Pod', 'pods', ['po']),
  configMap: served('', 'ConfigMap', 'configmaps', ['cm']),
  claim: served('', 'PersistentVolumeClaim', 'persistentvolumeclaims', ['pvc']),
  widget: served('example.test', 'Widget', 'widgets'),
  scaledJob: served('keda.sh', 'ScaledJob', 'scaledjobs'),
};

const read = <T>(value: T): Promise<Read<T>> => Promise.resolve({ state: 'read', value });

export function memoryReader(objects: readonly RawObject[], now: Date): ClusterReader {
  const kindOf = ({ apiVersion, kind }: RawObject) => ({
    group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '',
    kind,
  });
  const all = (kind: Kind, namespace?: string) =>
    objects.filter(
      object =>
        isSameKind(kindOf(object), kind) &&
        (namespace === undefined || object.metadata.namespace === namespace),
    );
  const one = <T>(
    kind: Kind,
    name: string,
    namespace: string | undefined,
    adapt: (item: unknown) => T,
  ): Promise<Read<T>> => {
    const found = all(kind, namespace).find(object => object.metadata.name === name);
    return found === undefined ? Promise.resolve({ state: 'absent' }) : read(adapt(found));
  };
  const unasked = () => Promise.reject(new Error('nothing is saved here'));
  return {
    target: { context: 'prod-eu', server: 'https://10.0.0.1:6443', namespace: 'batch' },
    now: () => now,
    throttled: () => 0,
    kinds: () => read({ kinds: Object.values(kinds), silentGroups: [] }),
    listJobs: query =>
      read(all(kinds.job, query.namespace).map(item => toJob(kinds.job, item, query.groupBy))),
    listHistoryOwners: (kind, query) =>
      read(all(kind, query.namespace).map(item => toHistoryOwner(kind, item))),
    listMetadata: (kind, query, keep = () => true) =>
      read(
        all(kind, query.namespace)
          .map(item => toObjectMeta(kind, item))
          .filter(keep),
      ),
    listPods: (query, keep = () => true) =>
      read(
        all(kinds.pod, query.namespace)
          .map(item => toPod(kinds.pod, item))
          .filter(keep),
      ),
    listJobPods: (query, keep = () => true) =>
      read(
        all(kinds.pod, query.namespace)
          .map(item => toJobPod(kinds.pod, item))
          .filter(keep),
      ),
    listLivingJobs: query => read(all(kinds.job, query.namespace).map(toLivingJob)),
    getMetadata: (kind, name, namespace) => one(kind, name, namespace, item => toObjectMeta(kind, item)),
    getJob: (name, namespace) => one(kinds.job, name, namespace, item => toJob(kinds.job, item)),
    listWorkingJobs: (query, keep = () => true) =>
      read(
        all(kinds.job, query.namespace)
          .map(item => toWorkingJob(kinds.job, item))
          .filter(keep),
      ),
    getWorkingJob: (name, namespace) =>
      one(kinds.job, name, namespace, item => toWorkingJob(kinds.job, item)),
    listWorkingPods: (query, keep = () => true) =>
      read(
        all(kinds.pod, query.namespace)
          .map(item => toWorkingPod(kinds.pod, item))
          .filter(keep),
      ),
    listJobSources: (kind, query) => read(all(kind, query.namespace).map(item => toJobSource(kind, item))),
    getJobSource: (kind, name, namespace) => one(kind, name, namespace, item => toJobSource(kind, item)),
    whoAmI: () => read('anna'),
    readText: unasked,
    listEventTexts: unasked,
    openLog: unasked,
    getPod: (name, namespace) => one(kinds.pod, name, namespace, item => toPod(kinds.pod, item)),
    readEvidence: (what, query) => {
      const { at, toRecords } = evidenceSources[what];
      const items = objects.filter(
        ({ apiVersion, kind, metadata }) =>
          apiVersion === (at.group === '' ? at.version : `${at.group}/${at.version}`) &&
          `${kind.toLowerCase()}s` === at.resource &&
          (query.namespace === undefined || metadata.namespace === query.namespace),
      );
      return read(items.flatMap(toRecords));
    },
    findWorkloads: () => read([]),
    readNode: () => Promise.resolve({ state: 'absent' }),
    readGarbageCollectorBlockers: () => read([]),
    mayI: () => Promise.resolve('yes'),
  };
}
