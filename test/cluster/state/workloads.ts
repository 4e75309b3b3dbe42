// Deployments, with the ReplicaSets and Pods that the real controllers make for them. The readiness of the Pods is what is
// written here: a status written to the Deployment itself does not last half a second, even when it is paused.
import { type Admin, collection, type KubeObject } from '../admin.ts';
import { until } from '../until.ts';
import { metadataOf, podSpec, type Wanted } from './draft.ts';
import { podStatus } from './pod-status.ts';
import { podPath, writePodStatus } from './pods.ts';

export interface WantedDeployment extends Wanted {
  /** 1 if not said. */
  readonly replicas?: number;
  /** How many of them; all if not said. */
  readonly ready?: number;
  readonly image?: string;
  readonly serviceAccount?: string;
}

export const deploymentPath = (namespace: string, name?: string): string =>
  collection('apps/v1', 'deployments', namespace) + (name === undefined ? '' : `/${name}`);

/** Answers once its status is what was wanted, told by the Deployment's controller. */
export async function createDeployment(admin: Admin, wanted: WantedDeployment): Promise<KubeObject> {
  const { namespace, name, replicas = 1, ready = replicas, image = 'registry.example/none:1' } = wanted;
  const labels = { app: name, ...wanted.labels };
  await admin.create(deploymentPath(namespace), {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf({ ...wanted, labels }),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: podSpec({
          restartPolicy: 'Always',
          containers: [{ name: 'main', image }],
          ...(wanted.serviceAccount === undefined ? {} : { serviceAccountName: wanted.serviceAccount }),
        }),
      },
    },
  });
  const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const pods = await until(`${replicas} Pods of Deployment ${name}`, 30_000, async () => {
    const found = await admin.list(
      `${podPath(namespace)}?labelSelector=${encodeURIComponent(selector.join())}`,
    );
    return found.length === replicas && found;
  });
  for (const pod of pods.slice(0, ready)) await writePodStatus(admin, pod, podStatus({ phase: 'Running' }));
  return until(`${ready} ready replicas of Deployment ${name}`, 30_000, async () => {
    const deployment = await admin.get(deploymentPath(namespace, name));
    // a first status may count none of the Pods yet
    const { observedGeneration, replicas: counted = 0, readyReplicas = 0 } = deployment.status ?? {};
    return observedGeneration !== undefined && counted === replicas && readyReplicas === ready && deployment;
  });
}
