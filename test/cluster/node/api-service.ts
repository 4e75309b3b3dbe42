// The Service `kubernetes` for the Pods of a node: what kube-proxy would do of it, without rules in the host's firewall. The kubelet
// gives every Pod its address, https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { ControlPlaneWithNode } from '../control-plane.ts';
import { untilServiceAccount } from '../state/namespaces.ts';
import { podPath } from '../state/pods.ts';
import { until } from '../until.ts';
import { apiAddressOf } from './cni.ts';

export interface ApiService {
  readonly address: string;
  /** How many connections Pods have made so far. */
  connections(): number;
  close(): Promise<void>;
}

const namespace = 'kube-system';
const name = 'holds-the-address-of-the-api';
const port = 443;

/** The host has the address, their gateway, from the first Pod on: a Pod that only waits sees to that. */
async function holdAddress({ admin, node }: ControlPlaneWithNode): Promise<void> {
  await untilServiceAccount(admin, namespace);
  await admin.create(podPath(namespace), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'main', image: node.image }],
    },
  });
  await until('the first Pod to run', 60_000, async () => {
    return (await admin.get(podPath(namespace, name))).status?.['phase'] === 'Running';
  });
}

/** Close it before the control plane is stopped. */
export async function openApiService(plane: ControlPlaneWithNode): Promise<ApiService> {
  await holdAddress(plane);
  const to = Number(new URL(plane.server).port);
  const address = apiAddressOf(plane.server);
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(fromPod => {
    connections += 1;
    const toApi = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [fromPod, toApi],
      [toApi, fromPod],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      // A Pod that is killed, or an API server that is: the other end has to know.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    address,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
