// What a node runs that Debian has not: kube-scheduler and kubelet of the control plane's minor version, and the CNI
// plugins. Pinned apart from the control plane's own binaries, whose cache a change here must not empty.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Cache, cached, cacheRoot, executable } from '../cache.ts';
import { goBuild } from '../go-build.ts';
import { type Pin, readGoMod, stampOf } from '../versions.ts';

const kubernetes = {
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  kubelet: 'k8s.io/kubernetes/cmd/kubelet',
};

const cni = 'github.com/containernetworking/plugins';
const plugins = {
  loopback: `${cni}/plugins/main/loopback`,
  ptp: `${cni}/plugins/main/ptp`,
  'host-local': `${cni}/plugins/ipam/host-local`,
};

export interface NodeBinaries {
  readonly scheduler: string;
  readonly kubelet: string;
  /** The folder of the CNI plugins. */
  readonly cni: string;
}

function kubernetesPin(minor: string): Pin {
  const read = readGoMod(join(import.meta.dirname, minor), 'k8s.io/kubernetes');
  return {
    ...read,
    product: 'Kubernetes node',
    packages: kubernetes,
    stamp: stampOf(read.version, minor),
  };
}

function cniPin(): Pin {
  const read = readGoMod(join(import.meta.dirname, 'cni'), cni);
  return { ...read, product: 'CNI plugins', packages: plugins, stamp: {} };
}

/** `version` is the apiserver's, `1.37.2`: a kubelet must not be newer. */
export async function nodeBinaries(version: string): Promise<NodeBinaries> {
  const minor = version.split('.').slice(0, 2).join('.');
  if (!existsSync(join(import.meta.dirname, minor)))
    throw new Error(`no node is pinned for Kubernetes ${version}: test/cluster/node/${minor} does not exist`);
  const cacheOf = (name: string): Cache => ({ root: join(cacheRoot(), name), build: goBuild });
  const folder = await cached(kubernetesPin(minor), Object.keys(kubernetes), cacheOf('node'));
  return {
    scheduler: executable(folder, 'kube-scheduler'),
    kubelet: executable(folder, 'kubelet'),
    cni: await cached(cniPin(), Object.keys(plugins), cacheOf('cni')),
  };
}
