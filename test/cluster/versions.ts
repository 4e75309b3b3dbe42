// Which Kubernetes versions the tests can run on: one folder each, and its go.mod is the only place that says the number.
// What is built from it, and how, is part of the cache's key: a change here builds anew.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const packages = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
} as const;

export type BinaryName = keyof typeof packages;
export const binaryNames = Object.keys(packages) as readonly BinaryName[];

/** One version of one product, and how its binaries are built. */
export interface Pin {
  /** `Kubernetes` */
  readonly product: string;
  /** `1.37.2` */
  readonly version: string;
  /** Where go.mod and go.sum are. */
  readonly folder: string;
  /** The oldest Go that builds it. */
  readonly go: string;
  /** The Go package of each binary. */
  readonly packages: Readonly<Record<string, string>>;
  /** Variables that the linker sets. */
  readonly stamp: Readonly<Record<string, string>>;
}

export interface Pinned extends Pin {
  /** `1.37`: the folder's name, and what JOBCTL_KUBERNETES takes. */
  readonly minor: string;
}

const home = join(import.meta.dirname, 'kubernetes');

const numbers = (version: string): readonly number[] => version.split('.').map(Number);

/** Below zero when a is older than b. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What the go.mod in a folder says of the one module that it is there for. */
export function readGoMod(folder: string, module: string): Pick<Pin, 'version' | 'folder' | 'go'> {
  const text = readFileSync(join(folder, 'go.mod'), 'utf8');
  const version = new RegExp(`^\\s*(?:require\\s+)?${module.replaceAll('.', '\\.')} v(\\S+)`, 'm').exec(
    text,
  )?.[1];
  const go = /^go (\S+)/m.exec(text)?.[1];
  if (version === undefined || go === undefined) throw new Error(`${folder}/go.mod names no ${module}`);
  return { version, folder, go };
}

// Without these the binaries call themselves v0.0.0-master+$Format, and clients that compare versions go astray.
export function stampOf(version: string, minor: string): Pin['stamp'] {
  const [gitMajor = '', gitMinor = ''] = minor.split('.');
  const fields = Object.entries({ gitVersion: `v${version}`, gitMajor, gitMinor, gitTreeState: 'clean' });
  return Object.fromEntries(
    fields.map(([field, value]) => [`k8s.io/component-base/version.${field}`, value]),
  );
}

function readPinned(folder: string, minor: string): Pinned {
  const read = readGoMod(folder, 'k8s.io/kubernetes');
  return { ...read, product: 'Kubernetes', minor, packages, stamp: stampOf(read.version, minor) };
}

/** Newest first. */
export function pinnedVersions(): readonly Pinned[] {
  return readdirSync(home)
    .map(minor => readPinned(join(home, minor), minor))
    .sort((a, b) => compareVersions(b.version, a.version));
}

/** `1.36`, `v1.36` or `1.36.3`. */
export function pinnedVersion(asked: string): Pinned {
  const wanted = asked.replace(/^v/, '');
  const all = pinnedVersions();
  const found = all.find(pin => pin.minor === wanted || pin.version === wanted);
  if (found === undefined) {
    throw new Error(
      `Kubernetes ${asked} is not pinned here; choose one of ${all.map(p => p.minor).join(', ')}`,
    );
  }
  return found;
}
