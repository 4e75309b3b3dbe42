// How one binary of the control plane is made: the recipe is part of the cache's key, so a change here builds anew.
import { spawn } from 'node:child_process';
import { compareVersions, type Pinned } from './versions.ts';

export const packages = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
} as const;

export type BinaryName = keyof typeof packages;
export const binaryNames = Object.keys(packages) as readonly BinaryName[];

/** Go itself is missing or too old: no other version of Kubernetes would fare better. */
export class GoUnusable extends Error {}

/** Makes one binary at `output`. */
export type Build = (pin: Pinned, name: BinaryName, output: string) => Promise<void>;

export function goArguments(pin: Pinned, name: BinaryName): readonly string[] {
  // Without these the binaries call themselves v0.0.0-master+$Format, and clients that compare versions go astray.
  const stamp = Object.entries({
    gitVersion: `v${pin.version}`,
    gitMajor: pin.minor.split('.')[0],
    gitMinor: pin.minor.split('.')[1],
    gitTreeState: 'clean',
  }).map(([field, value]) => `-X k8s.io/component-base/version.${field}=${value}`);
  return ['-ldflags', ['-s', '-w', ...stamp].join(' '), packages[name]];
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function go(folder: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOWORK: 'off' };
    const child = spawn('go', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // Go's own children die with it; a build must not go on for minutes after Ctrl-C ended us.
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    let [out, err] = ['', ''];
    child.stdout.on('data', chunk => {
      out += chunk;
    });
    child.stderr.on('data', chunk => {
      err += chunk;
    });
    child.on('error', reject);
    child.on('close', code => {
      process.removeListener('exit', end);
      resolve({ code, out, err });
    });
  });
}

const remedy = 'install it from https://go.dev/dl, or set JOBCTL_CLUSTER_BIN to a folder with the binaries';

async function assertGo(pin: Pinned): Promise<void> {
  const answer = await go(pin.folder, ['env', 'GOVERSION']).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      throw new GoUnusable(`go is not on PATH; the control plane needs Go ${pin.go} or newer: ${remedy}`);
    }
    throw error;
  });
  const version = /^go(\d+(?:\.\d+)*)/.exec(answer.out.trim())?.[1];
  if (answer.code === 0 && version !== undefined && compareVersions(version, pin.go) >= 0) return;
  const seen = version ?? (answer.err.trim().split('\n').at(-1) || answer.out.trim());
  throw new GoUnusable(`Kubernetes ${pin.version} needs Go ${pin.go} or newer (found: ${seen}): ${remedy}`);
}

export const goBuild: Build = async (pin, name, output) => {
  await assertGo(pin);
  const { code, err } = await go(pin.folder, ['build', '-o', output, ...goArguments(pin, name)]);
  if (code === 0) return;
  const tail = err.trim().split('\n').slice(-20).join('\n');
  throw new Error(`go build of ${name} ${pin.version} ended with code ${code}:\n${tail}`);
};
