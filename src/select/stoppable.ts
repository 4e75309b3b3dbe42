// What was named or selected for `stop` and `resume`, and the Jobs of it by owner uid: never by name, never from status.active.
import type { ClusterReader, KindCatalog, ListQuery, Read } from '../cluster/contract.ts';
import { given } from '../model/given.ts';
import type { JobSource } from '../model/job-source.ts';
import { isJobKind, resourceName } from '../model/kind.ts';
import { controllerOf } from '../model/object.ts';
import type { ResumeOptions, StopOptions } from '../model/options.ts';
import type { Asked } from '../model/stop-snapshot.ts';
import type { WorkingJob } from '../model/working-job.ts';
import type { WorkingPod } from '../model/working-pod.ts';
import { pool } from '../pool.ts';
import { needed, notThere } from './needed.ts';
import { wantedToStop } from './stop-targets.ts';
import type { Wanted } from './targets.ts';

const readsAtOnce = 4;

export interface Looking {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
}

/** Throws kubectl's sentence for what is named and not there, or cannot be read. */
export async function findStoppable(
  options: StopOptions | ResumeOptions,
  catalog: KindCatalog,
  { read, signal }: Looking,
): Promise<Found> {
  const found = new Found();
  const look = (item: Wanted) => readWanted(item, options, read);
  const wanted = wantedToStop(options, catalog, read.target.namespace);
  for await (const { item, result } of pool(wanted, readsAtOnce, signal, look)) {
    if (result.state === 'absent' && item.by === 'name') throw notThere(item);
    found.add(needed(result, resourceName(item.kind)), item.by === 'name' ? 'named' : 'selected');
  }
  return found;
}

type Source = { readonly as: 'source'; readonly object: JobSource };
type Work = { readonly as: 'job'; readonly object: WorkingJob };
export type One = Source | Work;

export class Found {
  readonly sources = new Map<string, JobSource>();
  readonly jobs = new Map<string, WorkingJob>();
  readonly asked = new Map<string, Asked>();

  add(found: readonly One[], asked: Asked): void {
    for (const one of found) {
      const { uid } = one.object.ref;
      if (!this.asked.has(uid)) this.asked.set(uid, asked);
      if (one.as === 'source') this.sources.set(uid, one.object);
      else if (!this.jobs.has(uid)) this.jobs.set(uid, one.object);
    }
  }

  keepOnly(isMeant: (object: JobSource | WorkingJob) => boolean): void {
    for (const objects of [this.sources, this.jobs])
      for (const [uid, object] of objects) if (!isMeant(object)) objects.delete(uid);
  }
}

export const asSource = (object: JobSource): One => ({ as: 'source', object });
const asJob = (object: WorkingJob): One => ({ as: 'job', object });

async function readWanted(
  item: Wanted,
  options: StopOptions | ResumeOptions,
  read: ClusterReader,
): Promise<Read<One[]>> {
  const { kind, namespace = '' } = item;
  if (item.by === 'name') {
    return isJobKind(kind)
      ? mapped(await read.getWorkingJob(item.name, namespace), job => [asJob(job)])
      : mapped(await read.getJobSource(kind, item.name, namespace), source => [asSource(source)]);
  }
  const { selector: labelSelector, fieldSelector } = options;
  const query: ListQuery = given({ namespace: item.namespace, labelSelector, fieldSelector });
  return isJobKind(kind)
    ? mapped(await read.listWorkingJobs(query), jobs => jobs.map(asJob))
    : mapped(await read.listJobSources(kind, query), sources => sources.map(asSource));
}

function mapped<T, U>(read: Read<T>, map: (value: T) => U): Read<U> {
  return read.state === 'read' ? { state: 'read', value: map(read.value) } : read;
}

/** Jobs of the sources, from one list a namespace. Of a CronJob that is only there because of its Job, the others are left alone. */
export async function addJobs(found: Found, read: ClusterReader): Promise<void> {
  const making = [...found.sources.values()].filter(({ ref }) => found.asked.get(ref.uid) !== 'owner');
  const uids = new Set(making.map(({ ref }) => ref.uid));
  for (const namespace of new Set(making.map(({ ref }) => ref.namespace ?? ''))) {
    const keep = (job: WorkingJob) => uids.has(controllerOf(job)?.uid ?? '');
    const jobs = needed(await read.listWorkingJobs({ namespace }, keep), 'jobs');
    found.add(jobs.map(asJob), 'owned');
  }
}

/** One list a namespace. */
export async function readPodsOf(jobs: readonly WorkingJob[], read: ClusterReader): Promise<WorkingPod[]> {
  const uids = new Set(jobs.map(({ ref }) => ref.uid));
  const pods: WorkingPod[] = [];
  for (const namespace of new Set(jobs.map(({ ref }) => ref.namespace ?? ''))) {
    const keep = (pod: WorkingPod) => uids.has(controllerOf(pod)?.uid ?? '');
    pods.push(...needed(await read.listWorkingPods({ namespace }, keep), 'pods'));
  }
  return pods;
}
