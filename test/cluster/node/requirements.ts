// What a machine must have for a real node: known before anything is started, and said in one line.
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { cgroupHierarchies, isClosed } from './cgroups.ts';
import { missingPackages } from './commands.ts';
import { maskedFolders } from './namespace.ts';

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why no node can be had here and what to do about it; undefined when one can. */
export function whyNoNode(): string | undefined {
  if (process.platform !== 'linux') return `a node needs Linux, and this is ${process.platform}`;
  if (process.getuid?.() !== 0)
    return 'a node needs root (containers, mounts, cgroups): run the tests as root';
  const missing = missingPackages();
  if (missing.length > 0)
    return `a node needs ${missing.join(', ')}: apt-get install --no-install-recommends ${missing.join(' ')}`;
  const hierarchies = cgroupHierarchies();
  if (hierarchies.length === 0) return 'a node needs cgroups, and none are mounted under /sys/fs/cgroup';
  const readOnly = hierarchies.find(path => !isWritable(path));
  if (readOnly !== undefined) return `a node needs cgroups, and ${readOnly} is mounted read-only`;
  const closed = hierarchies.find(isClosed);
  if (closed !== undefined)
    return `a node needs the controllers of ${closed}, which hands none down while processes are in it: run the tests outside of a container`;
  const masked = maskedFolders.find(folder => `${tmpdir()}/`.startsWith(`${folder}/`));
  if (masked !== undefined)
    return `a node has a ${masked} of its own, so that the folder for temporary files must not be in it: set TMPDIR`;
  return undefined;
}
