// kube-apiserver with what a cluster in use has: RBAC, all default admission, the aggregation layer, an audit log.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditPolicy } from './audit-policy.ts';
import { untilHealthy } from './health.ts';
import type { Pki } from './pki.ts';
import { type ServerProcess, startProcess } from './process.ts';

export interface ApiserverPlace {
  readonly dir: string;
  readonly binary: string;
  readonly port: number;
  readonly etcdPort: number;
  readonly pki: Pki;
  readonly flags: readonly string[];
}

export const auditLogIn = (dir: string): string => join(dir, 'audit.log');

function argsOf({ dir, port, etcdPort, pki, flags }: ApiserverPlace): readonly string[] {
  const policy = join(dir, 'audit-policy.yaml');
  writeFileSync(policy, auditPolicy);
  const values: Record<string, string> = {
    'etcd-servers': `http://127.0.0.1:${etcdPort}`,
    'secure-port': String(port),
    'bind-address': '127.0.0.1',
    // Loopback is no address for the Service `kubernetes`, so nobody may try to write its endpoints.
    'advertise-address': '127.0.0.1',
    'endpoint-reconciler-type': 'none',
    'cert-dir': dir,
    'client-ca-file': pki.file('ca.crt'),
    'tls-cert-file': pki.file('apiserver.crt'),
    'tls-private-key-file': pki.file('apiserver.key'),
    'service-account-key-file': pki.file('service-account.key'),
    'service-account-signing-key-file': pki.file('service-account.key'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-cluster-ip-range': '10.0.0.0/24',
    'authorization-mode': 'Node,RBAC',
    'allow-privileged': 'true',
    'requestheader-client-ca-file': pki.file('front-proxy-ca.crt'),
    'requestheader-allowed-names': 'front-proxy-client',
    'requestheader-username-headers': 'X-Remote-User',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'proxy-client-cert-file': pki.file('front-proxy.crt'),
    'proxy-client-key-file': pki.file('front-proxy.key'),
    'audit-policy-file': policy,
    'audit-log-path': auditLogIn(dir),
    // In megabytes; the default of 100 would rotate the log away in the middle of a test with 10,000 Jobs.
    'audit-log-maxsize': '4000',
  };
  return [...Object.entries(values).map(([flag, value]) => `--${flag}=${value}`), ...flags];
}

export async function startApiserver(place: ApiserverPlace): Promise<ServerProcess> {
  const { dir, binary, port, pki } = place;
  const log = join(dir, 'logs', 'kube-apiserver.log');
  const server = startProcess({ name: 'kube-apiserver', binary, args: argsOf(place), log });
  await untilHealthy(server, { url: `https://127.0.0.1:${port}/readyz`, pki, deadlineMs: 90_000 });
  return server;
}
