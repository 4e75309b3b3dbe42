// A real control plane on this machine: etcd, kube-apiserver and kube-controller-manager; with `node: true` a node, too.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Admin } from './admin.ts';
import { auditLogIn } from './apiserver.ts';
import { clusterBinaries } from './binaries.ts';
import { type Description, descriptionIn, reach, type User } from './description.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { nodeBinaries } from './node/binaries.ts';
import { type ClusterNode, Node } from './node/node.ts';
import { whyNoNode } from './node/requirements.ts';
import { writePki } from './pki.ts';
import { freePorts, isPortTaken } from './ports.ts';
import { type Place, Servers } from './servers.ts';
import { removeFolder, watchFolder } from './watchdog.ts';

export interface ControlPlane extends Description {
  /** Plain requests as the administrator. */
  readonly admin: Admin;
  /** Writes a kubeconfig of a user in these groups and answers its path. Without groups the user may do nothing. */
  kubeconfigFor(user: User): string;
  /** Killed hard, as a machine that dies. */
  killApiserver(): Promise<void>;
  /** On the same port, with the same data. */
  startApiserver(): Promise<void>;
  stopControllerManager(): Promise<void>;
  /** With `flags`, these instead of those it was first started with. */
  startControllerManager(how?: { readonly flags?: readonly string[] }): Promise<void>;
  stop(): Promise<void>;
}

export interface ControlPlaneWithNode extends ControlPlane {
  readonly node: ClusterNode;
}

export interface ControlPlaneOptions {
  /** `1.36`; without it, what JOBCTL_KUBERNETES says, or the newest that builds. */
  readonly version?: string;
  readonly controllerManager?: boolean;
  readonly garbageCollector?: boolean;
  readonly apiserverFlags?: readonly string[];
  readonly controllerManagerFlags?: readonly string[];
  /** kube-scheduler, containerd and kubelet as well; whyNoNode() tells where that cannot be. Needs the controller-manager. */
  readonly node?: boolean;
  readonly kubeletFlags?: readonly string[];
}

async function startOnce(place: Place): Promise<Servers> {
  const servers = new Servers(place);
  try {
    await servers.startEtcd();
    await servers.startApiserver();
    servers.assertEtcd();
    if (place.options.controllerManager !== false) await servers.startControllerManager();
    return servers;
  } catch (error) {
    await servers.stop();
    throw error;
  }
}

async function startServers(place: Omit<Place, 'ports'>): Promise<Servers> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce({ ...place, ports: await freePorts(4) });
    } catch (error) {
      if (!isPortTaken(error) || tries === 5) throw error;
      for (const rest of ['etcd', 'logs']) rmSync(join(place.dir, rest), { recursive: true, force: true });
      mkdirSync(join(place.dir, 'logs'));
    }
  }
}

export function startControlPlane(
  options: ControlPlaneOptions & { readonly node: true },
): Promise<ControlPlaneWithNode>;
export function startControlPlane(options?: ControlPlaneOptions): Promise<ControlPlane>;
export async function startControlPlane(
  options: ControlPlaneOptions = {},
): Promise<ControlPlane | ControlPlaneWithNode> {
  const why = options.node === true ? whyNoNode() : undefined;
  if (why !== undefined) throw new Error(why);
  const binaries = await clusterBinaries(options.version);
  // Before anything is started: they may have to be built.
  const forNode = options.node === true ? await nodeBinaries(binaries.version) : undefined;
  const dir = mkdtempSync(join(tmpdir(), 'jobctl-test-'));
  watchFolder(dir);
  try {
    mkdirSync(join(dir, 'logs'));
    const pki = writePki(dir);
    const servers = await startServers({ dir, binaries, pki, options });
    const adminKubeconfig = writeKubeconfig(join(dir, 'admin.kubeconfig'), {
      server: servers.url,
      user: 'admin',
      authority: pki.clients.certificate,
      certificate: pki.clients.issue({ name: 'admin', groups: ['system:masters'] }),
    });
    const description: Description = {
      version: binaries.version,
      server: servers.url,
      adminKubeconfig,
      kubectl: binaries.path.kubectl,
      auditLog: auditLogIn(dir),
      etcd: servers.etcdUrl,
      dir,
    };
    writeFileSync(descriptionIn(dir), JSON.stringify(description));
    const { admin, kubeconfigFor } = reach(description);
    const node =
      forNode === undefined
        ? undefined
        : new Node({
            dir,
            binaries: forNode,
            server: servers.url,
            pki,
            admin,
            kubeletFlags: options.kubeletFlags ?? [],
          });
    const stop = async () => {
      try {
        await node?.stop();
      } finally {
        await admin.destroy();
        await servers.stop();
        removeFolder(dir);
      }
    };
    await node?.start().catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return {
      ...description,
      ...(node === undefined ? {} : { node }),
      admin,
      kubeconfigFor,
      killApiserver: () => servers.killApiserver(),
      startApiserver: () => servers.startApiserver(),
      stopControllerManager: () => servers.stopControllerManager(),
      startControllerManager: how => servers.startControllerManager(how?.flags),
      stop,
    };
  } catch (error) {
    removeFolder(dir);
    throw error;
  }
}
