// kube-controller-manager with all default controllers: garbage collection, Jobs, CronJobs, namespaces, service accounts.
import { join } from 'node:path';
import { untilHealthy } from './health.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { Pki } from './pki.ts';
import { type ServerProcess, startProcess } from './process.ts';

export interface ControllerManagerPlace {
  readonly dir: string;
  readonly binary: string;
  readonly server: string;
  readonly port: number;
  readonly pki: Pki;
  readonly flags: readonly string[];
}

function argsOf({ dir, server, port, pki, flags }: ControllerManagerPlace): readonly string[] {
  const user = 'system:kube-controller-manager';
  const kubeconfig = writeKubeconfig(join(dir, 'controller-manager.kubeconfig'), {
    server,
    user,
    authority: pki.clients.certificate,
    certificate: pki.clients.issue({ name: user }),
  });
  const values: Record<string, string> = {
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'service-account-private-key-file': pki.file('service-account.key'),
    'root-ca-file': pki.file('ca.crt'),
    'tls-cert-file': pki.file('controller-manager.crt'),
    'tls-private-key-file': pki.file('controller-manager.key'),
    'leader-elect': 'false',
    // Without it RBAC forbids the controllers their work: the one user they would share has hardly any rights.
    'use-service-account-credentials': 'true',
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    // The Nodes of these tests have no kubelet that reports: one that was written as Ready has to stay so.
    'node-monitor-grace-period': '24h',
  };
  return [...Object.entries(values).map(([flag, value]) => `--${flag}=${value}`), ...flags];
}

export async function startControllerManager(place: ControllerManagerPlace): Promise<ServerProcess> {
  const { dir, binary, port, pki } = place;
  const log = join(dir, 'logs', 'kube-controller-manager.log');
  const manager = startProcess({ name: 'kube-controller-manager', binary, args: argsOf(place), log });
  await untilHealthy(manager, { url: `https://127.0.0.1:${port}/healthz`, pki, deadlineMs: 60_000 });
  return manager;
}
