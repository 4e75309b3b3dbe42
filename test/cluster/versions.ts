// Which Kubernetes versions the tests can run on: one folder each, and its go.mod is the only place that says the number.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Pinned {
  /** `1.37`: the folder's name, and what JOBCTL_KUBERNETES takes. */
  readonly minor: string;
  /** `1.37.2` */
  readonly version: string;
  /** Where go.mod and go.sum are. */
  readonly folder: string;
  /** The oldest Go that builds it. */
  readonly go: string;
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

function readPinned(folder: string, minor: string): Pinned {
  const text = readFileSync(join(folder, 'go.mod'), 'utf8');
  const version = /^\s*(?:require\s+)?k8s\.io\/kubernetes v(\S+)/m.exec(text)?.[1];
  const go = /^go (\S+)/m.exec(text)?.[1];
  if (version === undefined || go === undefined)
    throw new Error(`${folder}/go.mod names no k8s.io/kubernetes`);
  return { minor, version, folder, go };
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
