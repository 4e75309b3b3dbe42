// A ScaledJob that wants a fixed number of Jobs, all year: no queue has to be there to be measured.
import { type Admin, collection, type Fields, type KubeObject } from '../admin.ts';
import { metadataOf, podSpec, type Wanted } from '../state/draft.ts';
import { jobPath } from '../state/jobs.ts';
import { until } from '../until.ts';

const apiVersion = 'keda.sh/v1alpha1';
export const kedaFinalizer = 'finalizer.keda.sh';

export const scaledJobPath = (namespace: string, name?: string): string =>
  collection(apiVersion, 'scaledjobs', namespace) + (name === undefined ? '' : `/${name}`);

const cronOf = (desired: number) => ({
  type: 'cron',
  // From the first minute of the year to its last.
  metadata: {
    timezone: 'Etc/UTC',
    start: '0 0 1 1 *',
    end: '59 23 31 12 *',
    desiredReplicas: String(desired),
  },
});

/** Answers when KEDA has put its finalizer on it and made all its Jobs. */
export async function createScaledJob(
  admin: Admin,
  { jobs, spec, ...wanted }: Wanted & { readonly jobs: number; readonly spec?: Fields },
): Promise<KubeObject> {
  const { name, namespace } = wanted;
  await admin.create(scaledJobPath(namespace), {
    apiVersion,
    kind: 'ScaledJob',
    metadata: metadataOf(wanted),
    spec: {
      pollingInterval: 2,
      maxReplicaCount: jobs,
      jobTargetRef: { template: { spec: podSpec() } },
      triggers: [cronOf(jobs)],
      ...spec,
    },
  });
  await until(`${jobs} Jobs of scaledjob/${name}`, 90_000, async () => {
    return (await admin.list(jobPath(namespace))).length >= jobs;
  });
  return admin.get(scaledJobPath(namespace, name));
}
