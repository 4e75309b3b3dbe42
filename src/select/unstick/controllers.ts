// Evidence for finalizers of somebody's controller: does it run, does its Lease get renewed, what went wrong last.
import type { ClusterReader } from '../../cluster/contract.ts';
import { controllerWords, ofKubernetes } from '../../model/controller-words.ts';
import type { Lease, Warning, Workload } from '../../model/evidence.ts';
import { given } from '../../model/given.ts';
import type { ObjectMeta } from '../../model/object.ts';
import type { Problem } from '../../model/problem.ts';
import type { Evidence } from '../../model/unstick-snapshot.ts';
import { pool } from '../../pool.ts';

export interface ControllersRead {
  readonly evidence: Pick<Evidence, 'leases' | 'workloads'>;
  readonly unreadable: readonly {
    readonly resource: string;
    readonly group: string;
    readonly problem: Problem;
  }[];
}

/** Cluster-wide, because controllers run in namespaces of their own. */
export async function readControllers(
  objects: readonly ObjectMeta[],
  read: ClusterReader,
): Promise<ControllersRead> {
  const wanted = objects.flatMap(object =>
    object.finalizers
      .filter(finalizer => !ofKubernetes.has(finalizer))
      .map(finalizer => controllerWords(finalizer, object.ref.kind)),
  );
  if (wanted.length === 0) return { evidence: {}, unreadable: [] };
  const words = [...new Set(wanted.flatMap(one => one.words))];
  const [leases, workloads] = await Promise.all([read.readEvidence('leases', {}), read.findWorkloads(words)]);
  const unreadable: ControllersRead['unreadable'][number][] = [];
  if (leases.state === 'unreadable')
    unreadable.push({ resource: 'leases', group: 'coordination.k8s.io', problem: leases.problem });
  if (workloads.state === 'unreadable')
    unreadable.push({ resource: 'deployments', group: 'apps', problem: workloads.problem });
  const evidence = given({
    leases: leases.state === 'read' ? (leases.value as readonly Lease[]) : undefined,
    workloads: workloads.state === 'read' ? (workloads.value as readonly Workload[]) : undefined,
  });
  return { evidence, unreadable };
}

/** From here on one list of a namespace's warnings is cheaper than a question for each object. */
const fewEnoughToAskForEach = 10;
const readsAtOnce = 4;

interface Asked {
  readonly namespace: string;
  readonly fieldSelector: string;
}

/** The warnings about these objects, newest first. What cannot be read is no warning: they only add to what is known. */
export async function readWarnings(
  objects: readonly ObjectMeta[],
  at: { readonly read: ClusterReader; readonly signal: AbortSignal },
): Promise<Warning[]> {
  const about = new Set(objects.map(({ ref }) => ref.uid));
  // events about objects of the cluster are in default
  const places = Map.groupBy(objects, ({ ref }) => ref.namespace ?? 'default');
  const asked = [...places].flatMap(([namespace, there]): Asked[] =>
    there.length > fewEnoughToAskForEach
      ? [{ namespace, fieldSelector: 'type=Warning' }]
      : there.map(({ ref }) => ({ namespace, fieldSelector: `involvedObject.uid=${ref.uid}` })),
  );
  const found: Warning[] = [];
  const look = (one: Asked) => at.read.readEvidence('warnings', one);
  for await (const { result } of pool(asked, readsAtOnce, at.signal, look))
    if (result.state === 'read') found.push(...result.value.filter(warning => about.has(warning.about)));
  return found.sort((a, b) => (b.at?.getTime() ?? 0) - (a.at?.getTime() ?? 0));
}
