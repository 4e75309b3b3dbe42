// The Pods of a few Jobs of one namespace, by the uid of their controller.
import type { ClusterReader, Read } from '../cluster/contract.ts';
import { controllerOf } from '../model/object.ts';
import type { WorkingJob } from '../model/working-job.ts';
import type { WorkingPod } from '../model/working-pod.ts';

/** Longer lists of uids make a selector that proxies may refuse. */
const mostInSelector = 40;

export async function podsOfJobs(
  jobs: readonly WorkingJob[],
  namespace: string,
  read: ClusterReader,
): Promise<Read<WorkingPod[]>> {
  if (jobs.length === 0) return { state: 'read', value: [] };
  const uids = new Set(jobs.map(({ ref }) => ref.uid));
  const keep = (pod: WorkingPod) => uids.has(controllerOf(pod)?.uid ?? '');
  // a Job with a selector of its own gives its Pods no label that we could ask for
  const isAskable = jobs.length <= mostInSelector && jobs.every(job => job.standardSelector);
  const labelSelector = `controller-uid in (${[...uids].join(',')})`;
  return await read.listWorkingPods(isAskable ? { namespace, labelSelector } : { namespace }, keep);
}
