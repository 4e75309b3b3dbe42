// The commands that a node takes from the machine, and the Debian packages that bring them.
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Debian package of each command. */
const packageOf = {
  containerd: 'containerd',
  ctr: 'containerd',
  runc: 'runc',
  busybox: 'busybox-static',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  mount: 'mount',
  tar: 'tar',
} as const;

type Command = keyof typeof packageOf;

// sbin, where Debian has runc, is not on the PATH of everybody who is root.
const folders = (): readonly string[] => [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
];

function findCommand(name: string): string | undefined {
  return folders()
    .map(folder => join(folder, name))
    .find(path => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export function commandPath(name: Command): string {
  const path = findCommand(name);
  if (path === undefined) throw new Error(`${name} is not there; install ${packageOf[name]}`);
  return path;
}

/** A dynamic busybox names its loader among the first bytes of the file, and would not start in an image of its own. */
const isStatic = (path: string): boolean => !readFileSync(path).subarray(0, 4096).includes('/ld-');

export function missingPackages(): readonly string[] {
  const names = Object.keys(packageOf) as Command[];
  const missing = names.filter(name => {
    const path = findCommand(name);
    return path === undefined || (name === 'busybox' && !isStatic(path));
  });
  return [...new Set(missing.map(name => packageOf[name]))];
}
