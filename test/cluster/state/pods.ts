// Pods in any phase. There is no kubelet: a test writes their status, and ends those that are bound to a node.
import { randomUUID } from 'node:crypto';
import { type Admin, ApiFailure, collection, type Fields, type KubeObject } from '../admin.ts';
import { metadataOf, podSpec, type Wanted } from './draft.ts';
import { type Course, type Phase, podStatus } from './pod-status.ts';

export interface WantedPod extends Wanted, Course {
  /** Pending if not said. */
  readonly phase?: Phase;
  /** How often its container was restarted. */
  readonly restarts?: number;
  /** The name of a node that exists (state/nodes.ts); a Pod without one goes at once when it is deleted. */
  readonly node?: string;
  /** The command of a preStop hook. */
  readonly preStop?: readonly string[];
  readonly graceSeconds?: number;
  /** Merged into the spec. */
  readonly spec?: Fields;
}

export const podPath = (namespace: string, name?: string): string =>
  collection('v1', 'pods', namespace) + (name === undefined ? '' : `/${name}`);

function specOf({ node, preStop, graceSeconds, restarts = 0, spec }: WantedPod): Fields {
  const container = { name: 'main', image: 'registry.example/none:1' };
  return podSpec({
    containers: [
      preStop ? { ...container, lifecycle: { preStop: { exec: { command: preStop } } } } : container,
    ],
    // What restarts is allowed to.
    ...(restarts > 0 ? { restartPolicy: 'OnFailure' } : {}),
    ...(node === undefined ? {} : { nodeName: node }),
    ...(graceSeconds === undefined ? {} : { terminationGracePeriodSeconds: graceSeconds }),
    ...spec,
  });
}

export const writePodStatus = (admin: Admin, pod: KubeObject, status: Fields): Promise<KubeObject> =>
  admin.patch(`${podPath(pod.metadata.namespace ?? '', pod.metadata.name)}/status`, { status });

export async function createPod(admin: Admin, wanted: WantedPod): Promise<KubeObject> {
  const pod = await admin.create(podPath(wanted.namespace), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadataOf(wanted),
    spec: specOf(wanted),
  });
  return writePodStatus(admin, pod, podStatus(wanted));
}

const jobLabels = (name: string, uid: string): Record<string, string> => ({
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': name,
  'controller-uid': uid,
  'job-name': name,
});

/** As the Job controller would have made it, but for its finalizer: ask for `batch.kubernetes.io/job-tracking` if wanted. */
export function createPodOf(
  admin: Admin,
  job: KubeObject,
  wanted: Omit<WantedPod, 'namespace' | 'owner'>,
): Promise<KubeObject> {
  const labels = { ...jobLabels(job.metadata.name, job.metadata.uid), ...wanted.labels };
  return createPod(admin, { ...wanted, labels, namespace: job.metadata.namespace ?? '', owner: job });
}

/** What deleting a Job without its dependents leaves: the labels of a Job that is no more, and no owner. */
export function createLeakedPod(
  admin: Admin,
  wanted: WantedPod & { readonly jobName?: string; readonly jobUid?: string },
): Promise<KubeObject> {
  const labels = {
    ...jobLabels(wanted.jobName ?? 'long-gone', wanted.jobUid ?? randomUUID()),
    ...wanted.labels,
  };
  return createPod(admin, { ...wanted, labels });
}

/** What the kubelet does at the end of a Pod: reports its containers as ended, and lets a deleted Pod go. */
export async function endPod(
  admin: Admin,
  pod: KubeObject,
  how: Course & { phase?: 'Succeeded' | 'Failed' } = {},
) {
  const path = podPath(pod.metadata.namespace ?? '', pod.metadata.name);
  const { phase = 'Failed' } = how;
  const ending = { ...how, phase, exitCode: how.exitCode ?? (phase === 'Failed' ? 143 : 0) };
  const ended = await admin.patch(`${path}/status`, { status: podStatus(ending) }).catch(error => {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  });
  if (ended?.metadata.deletionTimestamp === undefined) return;
  await admin.delete(path, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid } });
}
