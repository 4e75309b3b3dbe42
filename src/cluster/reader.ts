// What we read of a cluster, as small records. Every read says whether something is absent or could not be read.
import type { Job } from '../model/job.ts';
import type { Kind } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import { inFull, metadataList, metadataOnly } from './accept.ts';
import { toHistoryOwner, toJob } from './adapt-job.ts';
import { toJobPod, toLivingJob } from './adapt-job-pod.ts';
import { fieldsOf, listOf, toObjectMeta } from './adapt-meta.ts';
import { toPod } from './adapt-pod.ts';
import { toJobSource, toWorkingJob, toWorkingPod } from './adapt-work.ts';
import { readBlockers } from './blockers.ts';
import type { ClusterReader, ClusterTarget, KindCatalog, ListQuery, Read } from './contract.ts';
import { evidenceSources } from './evidence.ts';
import { readKinds } from './kinds.ts';
import { openLog } from './logs.ts';
import { listAll, malformed } from './pages.ts';
import { pathOf } from './path.ts';
import { problemOfAnswer } from './problem.ts';
import { reviewAccess } from './review.ts';
import { listEventTexts, readText } from './texts.ts';
import type { Transport } from './transport.ts';
import { whoAmI } from './who-am-i.ts';
import { findWorkloads } from './workloads.ts';

const builtIn = {
  shortNames: [],
  categories: [],
  verbs: ['get', 'list', 'delete', 'patch'],
  namespaced: true,
} as const;
/** Kinds that the reader knows without discovery, because it knows how to read them in full. */
const jobKind: Kind = {
  ...builtIn,
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  resource: 'jobs',
  singular: 'job',
};
const podKind: Kind = {
  ...builtIn,
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  singular: 'pod',
};
const nodeKind: Kind = {
  ...builtIn,
  group: '',
  version: 'v1',
  kind: 'Node',
  resource: 'nodes',
  singular: 'node',
  namespaced: false,
};

export function readerOf(transport: Transport, target: ClusterTarget): ClusterReader {
  let kinds: Promise<Read<KindCatalog>> | undefined;
  const catalog = () => {
    kinds ??= readKinds(transport);
    return kinds;
  };
  const list = <T>(
    kind: Kind,
    query: ListQuery,
    accept: string,
    adapt: (item: unknown) => T | undefined,
  ): Promise<Read<T[]>> => listAll(transport, { path: pathOf(kind, query.namespace), accept, query, adapt });
  const get = <T>(kind: Kind, at: At, accept: string, adapt: (item: unknown) => T): Promise<Read<T>> =>
    getOne(transport, kind, at, { accept, adapt });
  return {
    target,
    now: () => transport.serverClock.now(),
    throttled: () => transport.throttled,
    kinds: catalog,
    listJobs: query => list(jobKind, query, inFull, (item): Job => toJob(jobKind, item, query.groupBy)),
    listHistoryOwners: (kind, query) => list(kind, query, inFull, item => toHistoryOwner(kind, item)),
    listMetadata: (kind, query, keep) =>
      list(kind, query, metadataList, item => kept(toObjectMeta(kind, item), keep)),
    listLivingJobs: query => list(jobKind, query, inFull, toLivingJob),
    listJobPods: (query, keep) => list(podKind, query, inFull, item => kept(toJobPod(podKind, item), keep)),
    listPods: (query, keep) => list(podKind, query, inFull, item => kept(toPod(podKind, item), keep)),
    getMetadata: (kind, name, namespace) =>
      get(kind, { name, namespace }, metadataOnly, item => toObjectMeta(kind, item)),
    getJob: (name, namespace) => get(jobKind, { name, namespace }, inFull, item => toJob(jobKind, item)),
    getPod: (name, namespace) => get(podKind, { name, namespace }, inFull, item => toPod(podKind, item)),
    listWorkingJobs: (query, keep) =>
      list(jobKind, query, inFull, item => kept(toWorkingJob(jobKind, item), keep)),
    getWorkingJob: (name, namespace) =>
      get(jobKind, { name, namespace }, inFull, item => toWorkingJob(jobKind, item)),
    listWorkingPods: (query, keep) =>
      list(podKind, query, inFull, item => kept(toWorkingPod(podKind, item), keep)),
    listJobSources: (kind, query) => list(kind, query, inFull, item => toJobSource(kind, item)),
    getJobSource: (kind, name, namespace) =>
      get(kind, { name, namespace }, inFull, item => toJobSource(kind, item)),
    readText: (kind, name, namespace) => readText(transport, kind, { name, namespace }),
    listEventTexts: (namespace, uids) => listEventTexts(transport, namespace, uids),
    openLog: query => openLog(transport, query),
    whoAmI: () => whoAmI(transport),
    readNode: name =>
      get(nodeKind, { name, namespace: undefined }, inFull, item => ({ ready: isReady(item) })),
    readEvidence: async (what, query) => {
      const { at, toRecords } = evidenceSources[what];
      const listing = {
        path: pathOf(at, query.namespace),
        accept: inFull,
        query: { ...query, unasked: true },
      };
      const listed = await listAll(transport, { ...listing, adapt: item => toRecords(fieldsOf(item)) });
      return listed.state === 'read' ? { state: 'read', value: listed.value.flat() } : listed;
    },
    findWorkloads: words => findWorkloads(transport, words),
    readGarbageCollectorBlockers: async () => {
      const read = await catalog();
      return read.state === 'read' ? await readBlockers(transport, read.value) : read;
    },
    mayI: (verb, at) => reviewAccess(transport, verb, at),
  };
}

const kept = <T extends ObjectMeta>(object: T, keep: ((object: T) => boolean) | undefined): T | undefined =>
  keep === undefined || keep(object) ? object : undefined;

interface At {
  readonly name: string;
  readonly namespace: string | undefined;
}

async function getOne<T>(
  transport: Transport,
  kind: Kind,
  { name, namespace }: At,
  how: { readonly accept: string; readonly adapt: (item: unknown) => T },
): Promise<Read<T>> {
  const sent = await transport.send({
    method: 'GET',
    path: pathOf(kind, namespace, name),
    accept: how.accept,
    repeatable: true,
  });
  if ('problem' in sent) return { state: 'unreadable', problem: sent.problem };
  const { status, body } = sent.answer;
  if (status !== 200) {
    const problem = problemOfAnswer(status, body, { name });
    return problem.code === 'not-found' ? { state: 'absent' } : { state: 'unreadable', problem };
  }
  try {
    return { state: 'read', value: how.adapt(JSON.parse(body)) };
  } catch (problem) {
    return { state: 'unreadable', problem: malformed(problem) };
  }
}

const isReady = (node: unknown): boolean =>
  listOf(fieldsOf(fieldsOf(node)['status'])['conditions'])
    .map(fieldsOf)
    .some(condition => condition['type'] === 'Ready' && condition['status'] === 'True');
