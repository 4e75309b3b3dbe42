// Evidence for stuck Pods: the Job that counts them, and the node that should end them.
import type { ClusterReader } from '../../cluster/contract.ts';
import { jobOf, type Pod, trackingFinalizer } from '../../model/pod.ts';
import type { Looked } from '../../model/snapshot.ts';
import type { Evidence } from '../../model/unstick-snapshot.ts';
import { pool } from '../../pool.ts';

const readsAtOnce = 4;
/** More Jobs than this are cheaper to list. */
const fewEnoughToReadOneByOne = 20;

interface MadeBy {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
}

/** Uid → the Job, or that it is gone. What could not be read is not in the map. */
export async function readJobs(
  pods: readonly Pod[],
  at: { readonly read: ClusterReader; readonly signal: AbortSignal },
): Promise<Evidence['jobs']> {
  const tracked = pods.filter(pod => pod.finalizers.includes(trackingFinalizer));
  const wanted = new Map<string, MadeBy>();
  for (const pod of tracked) {
    const job = jobOf(pod);
    if (job !== undefined)
      wanted.set(job.uid, { uid: job.uid, name: job.name, namespace: pod.ref.namespace ?? '' });
  }
  const jobs = [...wanted.values()];
  return jobs.length > fewEnoughToReadOneByOne ? await listed(jobs, at) : await oneByOne(jobs, at);
}

type At = Parameters<typeof readJobs>[1];
type Found = Map<string, Looked | 'absent'>;

async function oneByOne(jobs: readonly MadeBy[], { read, signal }: At): Promise<Found> {
  const found: Found = new Map();
  const get = ({ name, namespace }: MadeBy) => read.getJob(name, namespace);
  for await (const { item, result } of pool(jobs, readsAtOnce, signal, get)) {
    if (result.state === 'unreadable') continue;
    // the same name with another uid is another Job
    const isIt = result.state === 'read' && result.value.ref.uid === item.uid;
    found.set(item.uid, isIt ? { as: 'job', object: result.value } : 'absent');
  }
  return found;
}

async function listed(jobs: readonly MadeBy[], { read, signal }: At): Promise<Found> {
  const found: Found = new Map();
  const byNamespace = Map.groupBy(jobs, ({ namespace }) => namespace);
  const list = ([namespace]: [string, MadeBy[]]) => read.listJobs({ namespace });
  for await (const { item, result } of pool([...byNamespace], readsAtOnce, signal, list)) {
    if (result.state !== 'read') continue;
    const there = new Map(result.value.map(job => [job.ref.uid, job]));
    for (const { uid } of item[1]) {
      const job = there.get(uid);
      found.set(uid, job === undefined ? 'absent' : { as: 'job', object: job });
    }
  }
  return found;
}

export async function readNodes(pods: readonly Pod[], at: At): Promise<Evidence['nodes']> {
  const names = new Set(pods.flatMap(({ node }) => node ?? []));
  const nodes = new Map<string, 'ready' | 'silent' | 'absent'>();
  for await (const { item, result } of pool([...names], readsAtOnce, at.signal, name =>
    at.read.readNode(name),
  )) {
    if (result.state === 'absent') nodes.set(item, 'absent');
    if (result.state === 'read') nodes.set(item, result.value.ready ? 'ready' : 'silent');
  }
  return nodes;
}
