// Inside a Pod: the service account that Kubernetes mounts. Source: k8s.io/client-go/rest InClusterConfig.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chosen } from './kubeconfig.ts';

const mount = '/var/run/secrets/kubernetes.io/serviceaccount';

export function chooseInCluster(
  env: Readonly<Record<string, string | undefined>>,
  root = mount,
): Chosen | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return undefined;
  const namespace = readNamespace(join(root, 'namespace'));
  if (namespace === undefined) return undefined;
  const authority = host.includes(':') ? `[${host}]` : host;
  return {
    namespace,
    clusterName: 'in-cluster',
    cluster: { server: `https://${authority}:${port}`, 'certificate-authority': join(root, 'ca.crt') },
    userName: 'in-cluster',
    user: { tokenFile: join(root, 'token') },
  };
}

function readNamespace(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
