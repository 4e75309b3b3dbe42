// The one cgroup that holds all Pods of a cluster, in every hierarchy that is mounted: with cgroup v1 one for each
// controller, with v2 a single one. https://docs.kernel.org/admin-guide/cgroup-v1/cgroups.html
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';

/** `/sys/fs/cgroup/memory`, … */
export function cgroupHierarchies(): readonly string[] {
  return readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map(line => line.split(' '))
    .filter(([, , type]) => type === 'cgroup' || type === 'cgroup2')
    .map(([, path = '']) => path);
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

function wordsIn(hierarchy: string, file: string): readonly string[] {
  try {
    return readFileSync(join(hierarchy, file), 'utf8').split(/\s+/).filter(Boolean);
  } catch {
    return [];
  }
}

/** In v2 a cgroup has the controllers that its parent hands down, and the kubelet wants to see them in its root. */
function controllersToHandDown(hierarchy: string): readonly string[] {
  const handed = wordsIn(hierarchy, 'cgroup.subtree_control');
  return wordsIn(hierarchy, 'cgroup.controllers').filter(controller => !handed.includes(controller));
}

/**
 * In a container the uppermost cgroup of v2 is not the machine's root, so that it hands nothing down while there are
 * processes in it. https://docs.kernel.org/admin-guide/cgroup-v2.html#no-internal-process-constraint
 */
export const isClosed = (hierarchy: string): boolean =>
  existsSync(join(hierarchy, 'cgroup.type')) &&
  wordsIn(hierarchy, 'cgroup.procs').length > 0 &&
  controllersToHandDown(hierarchy).length > 0;

export function makeCgroup(name: string): void {
  for (const hierarchy of cgroupHierarchies()) {
    for (const controller of controllersToHandDown(hierarchy))
      writeFileSync(join(hierarchy, 'cgroup.subtree_control'), `+${controller}`);
    mkdirSync(join(hierarchy, name), { recursive: true });
  }
}

/** Children first; a cgroup with a process in it is busy. */
function removeTree(path: string): void {
  let children: readonly string[];
  try {
    children = readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name);
    for (const child of children) removeTree(join(path, child));
    rmdirSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Waits until the kernel has ended the last process in it. */
export async function removeCgroup(name: string): Promise<void> {
  await until(`the processes in the cgroup ${name} to end`, 20_000, async () => {
    for (const hierarchy of cgroupHierarchies()) removeTree(join(hierarchy, name));
    return true;
  });
}
