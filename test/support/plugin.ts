// The plugin as kubectl finds it: a folder with a link to the launcher, and the environment in which only that is on PATH.
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');

/** Compiled code of one run serves the next: a start-up takes half as long again without it. */
export const compileCache = join(root, 'node_modules', '.cache', 'kubectl-jobctl');

/** Links the plugin into `home` and answers what a command that is to find it there, and kubectl beside it, needs. */
export function pluginIn(home: string, kubectl: string): { readonly PATH: string; readonly HOME: string } {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(root, 'kubectl-jobctl'), join(bin, 'kubectl-jobctl'));
  return { PATH: `${bin}:${dirname(kubectl)}:/usr/bin:/bin`, HOME: home };
}
