// The kubelet, inside the namespaces in which containerd runs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Admin, collection, type KubeObject } from '../admin.ts';
import { writeCertificate } from '../certificates.ts';
import { writeKubeconfig } from '../kubeconfig.ts';
import type { Pki } from '../pki.ts';
import { accepts } from '../ports.ts';
import type { ServerProcess } from '../process.ts';
import { socketIn } from './containerd.ts';
import type { Namespace } from './namespace.ts';

/** kube-apiserver asks the kubelet for logs under the name of its node, which therefore is an address. */
export const nodeName = '127.0.0.1';

export interface KubeletPlace {
  /** Of the node. */
  readonly dir: string;
  readonly log: string;
  /** As seen inside. */
  readonly binary: string;
  readonly server: string;
  readonly port: number;
  readonly pki: Pki;
  /** The cgroup of all Pods. */
  readonly cgroup: string;
  readonly namespace: Namespace;
  readonly admin: Admin;
  readonly flags: readonly string[];
}

const never = '0%';

// https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
const configOf = ({ dir, port, pki, cgroup }: KubeletPlace) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  address: '127.0.0.1',
  port,
  healthzPort: 0,
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: false },
    x509: { clientCAFile: pki.file('ca.crt') },
  },
  authorization: { mode: 'AlwaysAllow' },
  tlsCertFile: join(dir, 'kubelet.crt'),
  tlsPrivateKeyFile: join(dir, 'kubelet.key'),
  containerRuntimeEndpoint: `unix://${socketIn(dir)}`,
  cgroupDriver: 'cgroupfs',
  cgroupRoot: `/${cgroup}`,
  cgroupsPerQOS: true,
  enforceNodeAllocatable: [],
  failCgroupV1: false,
  failSwapOn: false,
  // Its chains would be left on the host.
  makeIPTablesUtilChains: false,
  // The host's may be a link into a folder that the node has of its own.
  resolvConf: join(dir, 'resolv.conf'),
  // Pods ask for the cluster's DNS by default; without an address each of them gets a warning event.
  clusterDNS: ['10.0.0.10'],
  clusterDomain: 'cluster.local',
  // A machine with a full disk runs tests too; nothing must be evicted, and the only image not be collected.
  evictionHard: {
    'nodefs.available': never,
    'imagefs.available': never,
    'nodefs.inodesFree': never,
    'imagefs.inodesFree': never,
    'memory.available': '1Mi',
  },
  imageGCHighThresholdPercent: 100,
  localStorageCapacityIsolation: false,
  // A node that is there again is known as such soon.
  nodeStatusUpdateFrequency: '2s',
  nodeStatusReportFrequency: '2s',
  nodeLeaseDurationSeconds: 8,
});

export function writeKubeletFiles(place: KubeletPlace): void {
  const { dir, pki, server } = place;
  const user = `system:node:${nodeName}`;
  const certificate = pki.clients.issue({ name: user, groups: ['system:nodes'] });
  writeCertificate(join(dir, 'kubelet'), certificate);
  const authority = pki.clients.certificate;
  writeKubeconfig(join(dir, 'kubelet.kubeconfig'), { server, user, authority, certificate });
  writeFileSync(join(dir, 'resolv.conf'), '');
  writeFileSync(join(dir, 'kubelet.yaml'), stringify(configOf(place)));
}

interface NodeState {
  readonly spec?: { readonly taints?: readonly unknown[] };
  readonly status?: {
    readonly conditions?: readonly { type: string; status: string; lastHeartbeatTime: string }[];
  };
}

/** Reported since `since`, and Pods may be scheduled. */
function isReady(node: KubeObject, since: number): boolean {
  const { spec, status } = node as NodeState;
  const ready = status?.conditions?.find(condition => condition.type === 'Ready');
  return (
    ready?.status === 'True' &&
    Date.parse(ready.lastHeartbeatTime) >= since &&
    (spec?.taints ?? []).length === 0
  );
}

/** Answers when the node is Ready. */
export async function startKubelet(place: KubeletPlace): Promise<ServerProcess> {
  const { dir, log, binary, port, namespace, admin } = place;
  // The API has whole seconds.
  const since = Math.floor(Date.now() / 1000) * 1000;
  const flags = {
    config: join(dir, 'kubelet.yaml'),
    kubeconfig: join(dir, 'kubelet.kubeconfig'),
    'hostname-override': nodeName,
    'root-dir': join(dir, 'kubelet'),
    'cert-dir': dir,
  };
  const args = [...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`), ...place.flags];
  const kubelet = namespace.startInside({ name: 'kubelet', log, binary, args });
  const node = `${collection('v1', 'nodes')}/${nodeName}`;
  const isThere = async () => {
    try {
      // What the node reports may be a second older than this kubelet, so that has to listen as well.
      return isReady(await admin.get(node), since) && (await accepts({ port, host: '127.0.0.1' }));
    } catch {
      return false;
    }
  };
  await kubelet.ready(isThere, 60_000);
  return kubelet;
}
