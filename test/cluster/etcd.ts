// etcd, as careless with its data as the tests can afford.
import { join } from 'node:path';
import { type ServerProcess, startProcess } from './process.ts';

export interface EtcdPlace {
  readonly dir: string;
  readonly binary: string;
  readonly port: number;
  readonly peerPort: number;
}

export async function startEtcd({ dir, binary, port, peerPort }: EtcdPlace): Promise<ServerProcess> {
  const client = `http://127.0.0.1:${port}`;
  const etcd = startProcess({
    name: 'etcd',
    binary,
    log: join(dir, 'logs', 'etcd.log'),
    args: [
      ['--data-dir', join(dir, 'etcd')],
      ['--listen-client-urls', client],
      ['--advertise-client-urls', client],
      ['--listen-peer-urls', `http://127.0.0.1:${peerPort}`],
      // A machine that crashes takes the test run with it anyway.
      ['--unsafe-no-fsync'],
      // 10,000 Jobs with their history pass the default of 2 GiB only after hours, but the room costs nothing.
      ['--quota-backend-bytes', '8589934592'],
      ['--log-level', 'warn'],
    ].flat(),
  });
  const isHealthy = () =>
    fetch(`${client}/health`, { signal: AbortSignal.timeout(2000) }).then(
      answer => answer.ok,
      () => false,
    );
  await etcd.ready(isHealthy, 30_000);
  return etcd;
}
