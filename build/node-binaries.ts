// The Node of each target and its licence, out of the npm packages of runtime/package.json, at the lockfile's version and hash.
// `npm pack` gets them as `npm ci` would, from the registry, mirror or cache of whoever builds; but of any platform.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type Locked, lockedForProduction } from './lockfile.ts';
import { downloads } from './places.ts';
import { filesOfTar } from './tar-files.ts';
import { type Target, targets } from './targets.ts';

export interface NodeBinary {
  readonly target: Target;
  readonly version: string;
  readonly binary: Buffer;
  /** Not in each of the packages; it is the same text for all. */
  readonly license?: string;
}

/** One after the other, as each has a hundred megabytes. */
export async function* nodeBinaries(only: readonly Target[] = targets): AsyncGenerator<NodeBinary> {
  const locked = new Map(lockedForProduction().map(one => [one.name, one]));
  for (const target of only) {
    const wanted = locked.get(target.nodePackage);
    if (wanted === undefined) throw new Error(`${target.nodePackage} is not in package-lock.json`);
    const files = await filesOfTar(gunzipSync(await tarballOf(wanted)), [
      `package/${target.nodePath}`,
      'package/LICENSE',
    ]);
    const [binary, license] = files;
    if (binary === undefined) throw new Error(`${target.nodePackage} has no ${target.nodePath}`);
    const text = license === undefined ? {} : { license: license.toString('utf8') };
    yield { target, version: wanted.version, binary, ...text };
  }
}

async function tarballOf(wanted: Locked): Promise<Buffer> {
  const path = join(downloads, `${wanted.name}-${wanted.version}.tgz`);
  const kept = await readFile(path).catch(() => undefined);
  if (kept !== undefined && fits(kept, wanted)) return kept;
  await mkdir(downloads, { recursive: true });
  const { stdout } = await promisify(execFile)(
    'npm',
    [
      'pack',
      '--json',
      '--ignore-scripts',
      '--pack-destination',
      downloads,
      `${wanted.name}@${wanted.version}`,
    ],
    { cwd: downloads, maxBuffer: 64 * 1024 * 1024 },
  );
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  await rename(join(downloads, filename), path);
  const fresh = await readFile(path);
  if (!fits(fresh, wanted))
    throw new Error(`${path} is not what package-lock.json says (${wanted.integrity})`);
  return fresh;
}

const fits = (tarball: Buffer, { integrity }: Locked): boolean =>
  integrity === `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
