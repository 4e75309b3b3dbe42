// A namespace with Pods whose Jobs were deleted the old way, an ordinary user who may prune them and no more, and what is left afterwards.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Admin, KubeObject } from '../cluster/admin.ts';
import type { ControlPlane } from '../cluster/control-plane.ts';
import { createFinishedJob, jobPath } from '../cluster/state/jobs.ts';
import { createPodOf, podPath, type WantedPod } from '../cluster/state/pods.ts';
import type { Rule } from '../cluster/state/roles.ts';
import { until } from '../cluster/until.ts';
import { aPlace, type Place } from './operator.ts';

/** What the README says that `prune pods` needs. */
export const prunePodsRules: readonly Rule[] = [
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'delete'] },
];

export const aPlaceToPrune = (
  t: TestContext,
  plane: ControlPlane,
  how: { readonly everywhere?: boolean } = {},
): Promise<Place> => aPlace(t, plane, { rules: prunePodsRules, ...how });

type PodOfJob = Omit<WantedPod, 'namespace' | 'owner'>;

/** Ended an hour ago if nothing else is said. */
export const endedPod = (name: string, more: Omit<PodOfJob, 'name'> = {}): PodOfJob => ({
  name,
  phase: 'Succeeded',
  ended: '1h',
  started: '2h',
  ...more,
});

/** A finished Job and its Pods. */
export async function aJobWithPods(
  admin: Admin,
  namespace: string,
  name: string,
  pods: readonly PodOfJob[],
): Promise<KubeObject> {
  const job = await createFinishedJob(admin, { name, namespace, ended: '1h' });
  for (const pod of pods) await createPodOf(admin, job, pod);
  return job;
}

/** A DELETE of a Job as a client library sends it, without any options; answers when the Job is gone and its Pods have no owner. */
export async function deleteTheOldWay(admin: Admin, { metadata }: KubeObject): Promise<void> {
  const { namespace = '', name, uid } = metadata;
  await admin.request('DELETE', jobPath(namespace, name));
  await until(`job/${name} to be gone`, 30_000, async () => {
    return (await admin.find(jobPath(namespace, name)))?.metadata.uid !== uid;
  });
}

/** Both at once: Pods that are leaked. */
export async function leak(
  admin: Admin,
  namespace: string,
  jobName: string,
  pods: readonly PodOfJob[],
): Promise<KubeObject> {
  const job = await aJobWithPods(admin, namespace, jobName, pods);
  await deleteTheOldWay(admin, job);
  return job;
}

/** Name and uid of each: a Pod that was replaced by another of its name is not the same. */
export const podsIn = async (admin: Admin, ...namespaces: readonly string[]): Promise<string[]> => {
  const lists = await Promise.all(namespaces.map(namespace => admin.list(podPath(namespace))));
  return lists.flatMap(pods => pods.map(({ metadata }) => `${metadata.name} ${metadata.uid}`)).sort();
};

/** Compares by uid: exactly the Pods of these names are gone. */
export function assertGone(before: readonly string[], after: readonly string[], names: readonly string[]) {
  const gone = before.filter(pod => !after.includes(pod)).map(pod => pod.split(' ')[0]);
  assert.deepEqual(gone.sort(), [...names].sort());
  assert.deepEqual(
    after.filter(pod => !before.includes(pod)),
    [],
  );
}
