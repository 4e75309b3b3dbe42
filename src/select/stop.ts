// `stop`, the reads: what was named, what owns it, the Jobs of that by owner uid (never by name or status.active), and their Pods.
import type { ClusterReader, ListQuery, Read } from '../cluster/contract.ts';
import { given } from '../model/given.ts';
import { isFinished } from '../model/job.ts';
import type { JobSource } from '../model/job-source.ts';
import { isCronJobKind, isJobKind, type Kind, resourceName } from '../model/kind.ts';
import { controllerOf } from '../model/object.ts';
import type { StopOptions } from '../model/options.ts';
import type { Unreadable } from '../model/snapshot.ts';
import type { Asked, StopSnapshot } from '../model/stop-snapshot.ts';
import type { WorkingJob } from '../model/working-job.ts';
import { isActive, type WorkingPod } from '../model/working-pod.ts';
import { never, pool } from '../pool.ts';
import { readPatchRights } from './access.ts';
import { needed, notThere } from './needed.ts';
import { readEvidenceRights } from './stop-rights.ts';
import { wantedToStop } from './stop-targets.ts';
import type { Wanted } from './targets.ts';

const readsAtOnce = 4;
const mostNodesAsked = 50;

export async function selectStop(
  options: StopOptions,
  at: { readonly read: ClusterReader; readonly signal: AbortSignal },
): Promise<StopSnapshot> {
  const { read, signal } = at;
  const { context, server, namespace } = read.target;
  const catalog = needed(await read.kinds(), 'the list of kinds');
  const found = new Found();
  const look = (item: Wanted) => readWanted(item, options, read);
  for await (const { item, result } of pool(
    wantedToStop(options, catalog, namespace),
    readsAtOnce,
    signal,
    look,
  )) {
    if (result.state === 'absent' && item.by === 'name') throw notThere(item);
    found.add(needed(result, resourceName(item.kind)), item.by === 'name' ? 'named' : 'selected');
  }
  await addOwners(found, catalog.kinds, read);
  await addJobs(found, read);
  const working = [...found.jobs.values()].filter(job => !isFinished(job.state));
  const pods = await readPods(working, read);
  const refs = [...found.sources.values(), ...working, ...pods].map(({ ref }) => ref);
  const namespaces = [...new Set(refs.flatMap(ref => ref.namespace ?? []))].sort();
  const user = await read.whoAmI();
  return {
    takenAt: read.now(),
    ...given({ context }),
    server,
    namespaces: options.allNamespaces ? [] : namespaces.length > 0 ? namespaces : [namespace],
    allNamespaces: options.allNamespaces,
    sources: [...found.sources.values()],
    jobs: [...found.jobs.values()],
    pods,
    asked: found.asked,
    unreadableOwners: found.unreadableOwners,
    otherOwners: found.otherOwners,
    silentNodes: await readSilentNodes(pods, read),
    mayPatch: await readPatchRights(read, refs),
    ...(await readEvidenceRights(read, namespaces, options)),
    user: user.state === 'read' ? user.value : (read.target.user ?? ''),
  };
}

type Source = { readonly as: 'source'; readonly object: JobSource };
type Work = { readonly as: 'job'; readonly object: WorkingJob };
type One = Source | Work;

class Found {
  readonly sources = new Map<string, JobSource>();
  readonly jobs = new Map<string, WorkingJob>();
  readonly asked = new Map<string, Asked>();
  readonly unreadableOwners = new Map<string, Unreadable>();
  readonly otherOwners = new Map<string, string>();

  add(found: readonly One[], asked: Asked): void {
    for (const one of found) {
      const { uid } = one.object.ref;
      if (!this.asked.has(uid)) this.asked.set(uid, asked);
      if (one.as === 'source') this.sources.set(uid, one.object);
      else if (!this.jobs.has(uid)) this.jobs.set(uid, one.object);
    }
  }
}

const asSource = (object: JobSource): One => ({ as: 'source', object });
const asJob = (object: WorkingJob): One => ({ as: 'job', object });

async function readWanted(item: Wanted, options: StopOptions, read: ClusterReader): Promise<Read<One[]>> {
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

/** A CronJob that owns a Job which was asked for would make more of them, and its limits would delete that one. */
async function addOwners(found: Found, kinds: readonly Kind[], read: ClusterReader): Promise<void> {
  for (const job of [...found.jobs.values()].filter(({ state }) => !isFinished(state))) {
    const owner = controllerOf(job);
    const { namespace = '', uid } = job.ref;
    if (owner === undefined || found.sources.has(owner.uid)) continue;
    const kind = kinds.find(one => one.group === owner.group && one.kind === owner.kind);
    if (!isCronJobKind(owner) || kind === undefined) {
      found.otherOwners.set(uid, `${owner.kind.toLowerCase()}.${owner.group}/${owner.name}`);
      continue;
    }
    const source = await read.getJobSource(kind, owner.name, namespace);
    if (source.state === 'unreadable')
      found.unreadableOwners.set(uid, { kind, namespace, problem: source.problem });
    if (source.state === 'read' && source.value.ref.uid === owner.uid)
      found.add([asSource(source.value)], 'owner');
  }
}

/** Jobs of the sources, from one list a namespace. Of a CronJob that is only there because of its Job, the others are left alone. */
async function addJobs(found: Found, read: ClusterReader): Promise<void> {
  const making = [...found.sources.values()].filter(({ ref }) => found.asked.get(ref.uid) !== 'owner');
  const uids = new Set(making.map(({ ref }) => ref.uid));
  for (const namespace of new Set(making.map(({ ref }) => ref.namespace ?? ''))) {
    const keep = (job: WorkingJob) => uids.has(controllerOf(job)?.uid ?? '');
    const jobs = needed(await read.listWorkingJobs({ namespace }, keep), 'jobs');
    found.add(jobs.map(asJob), 'owned');
  }
}

async function readPods(jobs: readonly WorkingJob[], read: ClusterReader): Promise<WorkingPod[]> {
  const uids = new Set(jobs.map(({ ref }) => ref.uid));
  const pods: WorkingPod[] = [];
  for (const namespace of new Set(jobs.map(({ ref }) => ref.namespace ?? ''))) {
    const keep = (pod: WorkingPod) => uids.has(controllerOf(pod)?.uid ?? '');
    pods.push(...needed(await read.listWorkingPods({ namespace }, keep), 'pods'));
  }
  return pods;
}

/** What runs on a node that does not report cannot be told to end. Who may not read nodes finds out later. */
async function readSilentNodes(pods: readonly WorkingPod[], read: ClusterReader): Promise<Set<string>> {
  const nodes = [...new Set(pods.filter(isActive).flatMap(({ node }) => node ?? []))];
  const silent = new Set<string>();
  const ask = (name: string) => read.readNode(name);
  for await (const { item, result } of pool(nodes.slice(0, mostNodesAsked), readsAtOnce, never, ask)) {
    if (result.state === 'absent' || (result.state === 'read' && !result.value.ready)) silent.add(item);
  }
  return silent;
}
