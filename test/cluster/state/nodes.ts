// Nodes without a kubelet. A Pod may only be bound to one that exists: the Pod garbage collector removes the others.
import type { Admin, KubeObject } from '../admin.ts';
import { apiTime } from './draft.ts';

export const nodePath = (name: string): string => `/api/v1/nodes/${name}`;

/** `Unknown` is what the node controller writes of a kubelet that is silent; its Pods are evicted after five minutes. */
export async function createNode(
  admin: Admin,
  wanted: { readonly name: string; readonly ready?: 'True' | 'Unknown' | 'False' },
): Promise<KubeObject> {
  await admin.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: wanted.name } });
  return writeNodeReady(admin, wanted.name, wanted.ready ?? 'True');
}

export function writeNodeReady(
  admin: Admin,
  name: string,
  ready: 'True' | 'Unknown' | 'False',
): Promise<KubeObject> {
  const now = apiTime(new Date());
  const reason = { True: 'KubeletReady', False: 'KubeletNotReady', Unknown: 'NodeStatusUnknown' }[ready];
  const condition = { type: 'Ready', status: ready, reason, lastHeartbeatTime: now, lastTransitionTime: now };
  return admin.patch(`${nodePath(name)}/status`, {
    status: {
      conditions: [condition],
      capacity: { cpu: '8', memory: '16Gi', pods: '1000' },
      allocatable: { cpu: '8', memory: '16Gi', pods: '1000' },
    },
  });
}
