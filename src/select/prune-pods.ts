// `prune pods`, the reads: the Pods, and then the Jobs, so that the Pods of a Job made in between are not among them.
import type { ClusterReader, ListQuery } from '../cluster/contract.ts';
import { given } from '../model/given.ts';
import type { JobPod } from '../model/job-pod.ts';
import { isJobKind, type Kind } from '../model/kind.ts';
import { inEach, type LivingJob, type LivingJobs } from '../model/living-job.ts';
import type { PrunePodsOptions } from '../model/options.ts';
import type { PrunePodsSnapshot, Unreadable } from '../model/snapshot.ts';
import { never, pool } from '../pool.ts';
import { readDeleteRights } from './access.ts';
import { hintFor, needed } from './needed.ts';
import { kindOf } from './resolve-kind.ts';

const listsAtOnce = 4;

export async function selectPrunePods(
  options: PrunePodsOptions,
  read: ClusterReader,
): Promise<PrunePodsSnapshot> {
  const jobKind = kindOf(needed(await read.kinds(), 'the list of kinds'), isJobKind);
  const where: ListQuery = options.allNamespaces ? {} : { namespace: read.target.namespace };
  const which = given({ labelSelector: options.selector, fieldSelector: options.fieldSelector });
  const pods = needed(await read.listJobPods({ ...where, ...which }), 'pods', hintFor(options));
  const { jobs, unreadable } = await readJobs(pods, where, jobKind, read);
  const { context, server, namespace } = read.target;
  const candidates = pods.filter(pod => pod.jobUids.length > 0).map(({ ref }) => ref);
  return {
    takenAt: read.now(),
    ...given({ context }),
    server,
    namespaces: options.allNamespaces ? [] : [namespace],
    allNamespaces: options.allNamespaces,
    pods,
    jobs,
    unreadable,
    rights: await readDeleteRights(read, candidates),
  };
}

interface JobsRead {
  readonly jobs: LivingJobs;
  readonly unreadable: readonly Unreadable[];
}

/** One list for all of them; where that is not allowed, one for each namespace whose Pods speak of a Job. */
async function readJobs(
  pods: readonly JobPod[],
  where: ListQuery,
  kind: Kind,
  read: ClusterReader,
): Promise<JobsRead> {
  const all = await read.listLivingJobs(where);
  const isForbidden = all.state === 'unreadable' && all.problem.code === 'forbidden';
  if (where.namespace !== undefined || !isForbidden) {
    const spaces = pods.map(({ ref }) => ref.namespace ?? '');
    return { jobs: inEach(spaces, needed(all, 'jobs')), unreadable: [] };
  }
  const speaking = pods.filter(pod => pod.jobUids.length > 0 || pod.owners.length > 0);
  const asked = [...new Set(speaking.map(({ ref }) => ref.namespace ?? ''))].sort();
  const jobs = new Map<string, readonly LivingJob[]>();
  const unreadable: Unreadable[] = [];
  const list = (namespace: string) => read.listLivingJobs({ namespace });
  for await (const { item: namespace, result } of pool(asked, listsAtOnce, never, list)) {
    if (result.state === 'read') jobs.set(namespace, result.value);
    if (result.state === 'unreadable') unreadable.push({ kind, namespace, problem: result.problem });
  }
  return { jobs, unreadable };
}
