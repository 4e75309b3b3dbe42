// An aggregated API whose server is gone: discovery of its group fails, and what depends on it.
import type { Admin, KubeObject } from '../admin.ts';
import { until } from '../until.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
}

export const apiServicePath = (name: string): string => `/apis/apiregistration.k8s.io/v1/apiservices/${name}`;

/** Answers once the server has noticed. It hinders the end of every namespace: delete it, or use a control plane of your own. */
export async function createDeadApiService(
  admin: Admin,
  { group, version = 'v1' }: { readonly group: string; readonly version?: string },
): Promise<KubeObject> {
  const name = `${version}.${group}`;
  await admin.create('/apis/apiregistration.k8s.io/v1/apiservices', {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'nobody-here', port: 443 },
    },
  });
  return until(`${name} to be unavailable`, 30_000, async () => {
    const service = await admin.get(apiServicePath(name));
    const conditions = (service.status?.['conditions'] ?? []) as readonly Condition[];
    return conditions.some(({ type, status }) => type === 'Available' && status === 'False') && service;
  });
}
