// What package-lock.json says: the one source for which packages are in a release, and by which hash.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.ts';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

export interface Locked {
  readonly name: string;
  readonly version: string;
  /** Where npm puts it. */
  readonly folder: string;
  readonly license: string | undefined;
  /** `sha512-…`; a workspace has none. */
  readonly integrity: string | undefined;
}

const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 13);

/** Every package that is more than a tool of development, sorted by name; not the workspaces themselves. */
export function lockedForProduction(): readonly Locked[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>;
  };
  return Object.entries(packages)
    .filter(([folder, { dev, link }]) => folder.includes('node_modules/') && dev !== true && link !== true)
    .map(([folder, { version = '', license, integrity }]) => ({
      name: nameOf(folder),
      version,
      folder,
      license,
      integrity,
    }))
    .sort((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}
