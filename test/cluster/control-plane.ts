// A real control plane on this machine: etcd, kube-apiserver and kube-controller-manager, without a node.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Admin } from './admin.ts';
import { auditLogIn } from './apiserver.ts';
import { clusterBinaries } from './binaries.ts';
import { type Description, descriptionIn, reach, type User } from './description.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { writePki } from './pki.ts';
import { freePorts } from './ports.ts';
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

export interface ControlPlaneOptions {
  /** `1.36`; without it, what JOBCTL_KUBERNETES says, or the newest that builds. */
  readonly version?: string;
  readonly controllerManager?: boolean;
  readonly garbageCollector?: boolean;
  readonly apiserverFlags?: readonly string[];
  readonly controllerManagerFlags?: readonly string[];
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

const isPortTaken = (error: unknown): boolean => /address already in use/i.test((error as Error).message);

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

export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = await clusterBinaries(options.version);
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
    return {
      ...description,
      admin,
      kubeconfigFor,
      killApiserver: () => servers.killApiserver(),
      startApiserver: () => servers.startApiserver(),
      stopControllerManager: () => servers.stopControllerManager(),
      startControllerManager: how => servers.startControllerManager(how?.flags),
      async stop() {
        await admin.destroy();
        await servers.stop();
        removeFolder(dir);
      },
    };
  } catch (error) {
    removeFolder(dir);
    throw error;
  }
}
