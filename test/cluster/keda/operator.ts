// A real KEDA operator beside the control plane, with rights of its own and leader election as an installation has it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Admin } from '../admin.ts';
import { writeCertificate } from '../certificates.ts';
import type { ControlPlane } from '../control-plane.ts';
import { readAuthority } from '../pki.ts';
import { freePorts } from '../ports.ts';
import { startProcess } from '../process.ts';
import { leasePath } from '../state/leases.ts';
import { kedaNamespace, kedaUser } from './install.ts';
import { kedaBinary } from './module.ts';

interface KedaLease {
  readonly holder: string;
  readonly renewed: Date;
}

/** What the operator says of itself while it lives; undefined before the first one ran. */
export async function kedaLease(admin: Admin): Promise<KedaLease | undefined> {
  const spec = (await admin.find(leasePath(kedaNamespace, 'operator.keda.sh')))?.spec;
  if (spec === undefined) return undefined;
  return { holder: String(spec['holderIdentity']), renewed: new Date(String(spec['renewTime'])) };
}

/** Its server for metrics wants a certificate; any of the control plane's authority will do. */
function certificatesIn(dir: string): string {
  const folder = join(dir, 'keda');
  const authority = readAuthority(dir);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ca.crt'), authority.certificate);
  writeCertificate(join(folder, 'tls'), authority.issue({ name: kedaUser }));
  return folder;
}

async function argumentsFor(plane: ControlPlane): Promise<readonly string[]> {
  const certificates = certificatesIn(plane.dir);
  const [metrics, health, service] = await freePorts(3);
  const values: Record<string, string> = {
    kubeconfig: plane.kubeconfigFor({ user: kedaUser, namespace: kedaNamespace }),
    'leader-elect': 'true',
    // With rotation it would end itself after the first certificate, to be started again.
    'enable-cert-rotation': 'false',
    'cert-dir': certificates,
    'ca-dir': certificates,
    'metrics-bind-address': `127.0.0.1:${metrics}`,
    'health-probe-bind-address': `127.0.0.1:${health}`,
    'metrics-service-bind-address': `127.0.0.1:${service}`,
  };
  return Object.entries(values).map(([flag, value]) => `--${flag}=${value}`);
}

export interface Keda {
  /** SIGKILL: its Lease stays behind, as after the loss of its node. */
  stop(): Promise<void>;
}

/** Answers when this operator leads, which after another one that was killed takes as long as the Lease of that one. */
export async function startKeda(plane: ControlPlane): Promise<Keda> {
  const { admin, dir } = plane;
  const before = await kedaLease(admin);
  const operator = startProcess({
    name: kedaUser,
    binary: await kedaBinary(),
    args: await argumentsFor(plane),
    log: join(dir, 'logs', 'keda-operator.log'),
    env: {
      HOME: dir,
      // Empty: all namespaces.
      WATCH_NAMESPACE: '',
      POD_NAMESPACE: kedaNamespace,
      KEDA_CLUSTER_OBJECT_NAMESPACE: kedaNamespace,
    },
  });
  const leads = async () => {
    const lease = await kedaLease(admin);
    return lease !== undefined && lease.holder !== before?.holder;
  };
  await operator.ready(leads, 90_000);
  return { stop: () => operator.kill() };
}
