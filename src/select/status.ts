// `status`, the reads: one list of each kind, paged. The Pods come first, then the Jobs, then what makes Jobs: what was made in
// between has no Pod that looks leaked and no owner that looks gone.
import type { ClusterReader, KindCatalog, ListQuery, Read } from '../cluster/contract.ts';
import { clusterError } from '../errors.ts';
import { given } from '../model/given.ts';
import { type JobPod, speaksOfJob } from '../model/job-pod.ts';
import type { JobSource } from '../model/job-source.ts';
import { isCronJobKind, isJobKind, isPodKind, isScaledJobKind, type Kind } from '../model/kind.ts';
import { isTerminating } from '../model/object.ts';
import type { StatusOptions } from '../model/options.ts';
import { groupKind, type Unreadable } from '../model/snapshot.ts';
import type { StatusSnapshot } from '../model/status-snapshot.ts';
import { hintFor, needed } from './needed.ts';
import { kindOf } from './resolve-kind.ts';

export async function selectStatus(options: StatusOptions, read: ClusterReader): Promise<StatusSnapshot> {
  const where: ListQuery = options.allNamespaces ? {} : { namespace: read.target.namespace };
  const reads = new Reads();
  const [kinds, pods] = await Promise.all([
    read.kinds(),
    read.listJobPods({ ...where, consistent: false }, isWorthKeeping),
  ]);
  const catalog = needed(kinds, 'the list of kinds');
  const podKind = kindOf(catalog, isPodKind);
  const kept = reads.take(podKind, pods);
  // whole at one moment: what is not among them is gone, and its Pods are leaked
  const jobs = reads.take(kindOf(catalog, isJobKind), await read.listWorkingJobs(where));
  const sources = await readSources(catalog, where, read, reads);
  const { context, server, namespace } = read.target;
  if (reads.kindsRead.size === 0) throw nothingRead(reads.unreadable, options);
  return {
    takenAt: read.now(),
    ...given({ context }),
    server,
    namespaces: options.allNamespaces ? [] : [namespace],
    allNamespaces: options.allNamespaces,
    sources,
    jobs,
    pods: kept,
    podKind,
    kindsRead: reads.kindsRead,
    unreadable: reads.unreadable,
  };
}

/** Most Pods of a cluster have nothing to do with Jobs. */
const isWorthKeeping = (pod: JobPod): boolean => speaksOfJob(pod) || isTerminating(pod);

/** Which kinds were read whole, and which could not be: unknown is not absent. */
class Reads {
  readonly kindsRead = new Set<string>();
  readonly unreadable: Unreadable[] = [];

  take<T>(kind: Unreadable['kind'], read: Read<T[]>): T[] {
    if (read.state === 'read') this.kindsRead.add(groupKind(kind));
    if (read.state === 'unreadable') this.unreadable.push({ kind, problem: read.problem });
    return read.state === 'read' ? read.value : [];
  }
}

/** A cluster without KEDA serves no ScaledJobs; one whose API group does not answer may have some. */
async function readSources(
  { kinds, silentGroups }: KindCatalog,
  where: ListQuery,
  read: ClusterReader,
  reads: Reads,
): Promise<JobSource[]> {
  const silent = silentGroups.find(({ group }) => group === scaledJobs.group);
  if (silent !== undefined) reads.unreadable.push({ kind: scaledJobs, problem: silent.problem });
  const served = kinds.filter(kind => isCronJobKind(kind) || (isScaledJobKind(kind) && silent === undefined));
  const list = async (kind: Kind) => ({
    kind,
    listed: await read.listJobSources(kind, { ...where, consistent: false, unasked: true }),
  });
  const all = await Promise.all(served.map(list));
  return all.flatMap(({ kind, listed }) => reads.take(kind, listed));
}

const scaledJobs = { group: 'keda.sh', kind: 'ScaledJob', resource: 'scaledjobs', namespaced: true } as const;

function nothingRead([first]: readonly Unreadable[], options: StatusOptions) {
  const { problem } = first ?? {};
  return clusterError(
    problem?.text ?? 'error: the server serves no Jobs',
    problem?.code === 'forbidden' ? hintFor(options) : undefined,
  );
}
