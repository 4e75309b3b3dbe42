// Metadata says what an object is; a preview also wants to know whether a Job or Pod still runs, and how long it may take to end.
import type { ClusterReader, Read } from '../cluster/contract.ts';
import type { Job } from '../model/job.ts';
import { isJobKind, isPodKind } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { Pod } from '../model/pod.ts';
import type { Looked } from '../model/snapshot.ts';
import { pool } from '../pool.ts';

/** Up to here single reads are cheaper than the list of a whole namespace. */
const fewEnoughToReadOneByOne = 40;
const readsAtOnce = 4;

/** Jobs and Pods among the objects in full, the others as they are. What cannot be read in full stays as its metadata. */
export async function lookCloser(
  read: ClusterReader,
  objects: readonly ObjectMeta[],
  signal: AbortSignal,
): Promise<Looked[]> {
  const jobs = await inFull<Job>(
    objects.filter(object => isJobKind(object.ref.kind)),
    signal,
    {
      get: (name, namespace) => read.getJob(name, namespace),
      list: namespace => read.listJobs({ namespace }),
    },
  );
  const pods = await inFull<Pod>(
    objects.filter(object => isPodKind(object.ref.kind)),
    signal,
    {
      get: (name, namespace) => read.getPod(name, namespace),
      list: (namespace, keep) => read.listPods({ namespace }, keep),
    },
  );
  return objects.map((object): Looked => {
    const job = jobs.get(object.ref.uid);
    if (job !== undefined) return { as: 'job', object: job };
    const pod = pods.get(object.ref.uid);
    return pod === undefined ? { as: 'object', object } : { as: 'pod', object: pod };
  });
}

interface Ways<T> {
  readonly get: (name: string, namespace: string) => Promise<Read<T>>;
  readonly list: (namespace: string, keep: (object: ObjectMeta) => boolean) => Promise<Read<T[]>>;
}

async function inFull<T extends ObjectMeta>(
  objects: readonly ObjectMeta[],
  signal: AbortSignal,
  ways: Ways<T>,
): Promise<Map<string, T>> {
  const wanted = new Set(objects.map(object => object.ref.uid));
  const found = new Map<string, T>();
  const remember = (object: T): void => {
    if (wanted.has(object.ref.uid)) found.set(object.ref.uid, object);
  };
  if (objects.length <= fewEnoughToReadOneByOne) {
    const get = (object: ObjectMeta) => ways.get(object.ref.name, object.ref.namespace ?? '');
    for await (const { result } of pool(objects, readsAtOnce, signal, get))
      if (result.state === 'read') remember(result.value);
    return found;
  }
  const namespaces = [...new Set(objects.map(object => object.ref.namespace ?? ''))];
  const list = (namespace: string) => ways.list(namespace, object => wanted.has(object.ref.uid));
  for await (const { result } of pool(namespaces, readsAtOnce, signal, list))
    if (result.state === 'read') result.value.forEach(remember);
  return found;
}
