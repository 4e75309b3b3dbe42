// kube-scheduler, which gives the Pods their node.
import { join } from 'node:path';
import { writeCertificate } from '../certificates.ts';
import { untilHealthy } from '../health.ts';
import { writeKubeconfig } from '../kubeconfig.ts';
import type { Pki } from '../pki.ts';
import { type ServerProcess, startProcess } from '../process.ts';

export interface SchedulerPlace {
  /** Of the node. */
  readonly dir: string;
  readonly log: string;
  readonly binary: string;
  readonly server: string;
  readonly port: number;
  readonly pki: Pki;
}

export async function startScheduler({
  dir,
  log,
  binary,
  server,
  port,
  pki,
}: SchedulerPlace): Promise<ServerProcess> {
  const user = 'system:kube-scheduler';
  const certificate = pki.clients.issue({ name: user });
  const path = join(dir, 'scheduler');
  writeCertificate(path, certificate);
  const authority = pki.clients.certificate;
  const kubeconfig = writeKubeconfig(`${path}.kubeconfig`, { server, user, authority, certificate });
  const flags = {
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'tls-cert-file': `${path}.crt`,
    'tls-private-key-file': `${path}.key`,
    'leader-elect': 'false',
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
  };
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  const scheduler = startProcess({ name: 'kube-scheduler', binary, args, log });
  await untilHealthy(scheduler, { url: `https://127.0.0.1:${port}/healthz`, pki, deadlineMs: 60_000 });
  return scheduler;
}
