// The built binaries in the user's cache folder: made once, checked every time, repaired when broken.
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Build, goArguments } from './go-build.ts';
import { withLock } from './lock.ts';
import { progress, say } from './progress.ts';
import type { Pin } from './versions.ts';

export interface Cache {
  readonly root: string;
  readonly build: Build;
}

export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
  const base = () => {
    if (env['XDG_CACHE_HOME']) return env['XDG_CACHE_HOME'];
    if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
    return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache');
  };
  return join(base(), 'kubectl-jobctl', 'cluster');
}

export async function cacheFolder(root: string, pin: Pin): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(pin.folder, file)));
  hash.update(JSON.stringify(Object.keys(pin.packages).map(name => goArguments(pin, name))));
  return join(root, `${pin.version}-${hash.digest('hex').slice(0, 16)}`);
}

export const executable = (folder: string, name: string): string =>
  join(folder, process.platform === 'win32' ? `${name}.exe` : name);

const sealOf = (folder: string, name: string) => join(folder, `${name}.sha256`);

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

/** The whole file is hashed: a run takes minutes, this half a second, and a flipped bit would cost an evening. */
async function isWhole(folder: string, name: string): Promise<boolean> {
  try {
    const seal = (await readFile(sealOf(folder, name), 'utf8')).trim();
    return (await sha256(executable(folder, name))) === seal;
  } catch {
    return false;
  }
}

async function broken(folder: string, names: readonly string[]): Promise<string[]> {
  const whole = await Promise.all(names.map(name => isWhole(folder, name)));
  return names.filter((_, i) => !whole[i]);
}

/** Temporary name first, then the seal, then the rename: a crash at any point leaves something that is built again. */
async function buildOne(folder: string, pin: Pin, name: string, build: Build): Promise<void> {
  const temporary = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
  await build(pin, name, temporary);
  await chmod(temporary, 0o755);
  await writeFile(`${temporary}.seal.tmp`, `${await sha256(temporary)}\n`);
  await rm(sealOf(folder, name), { force: true });
  await rename(temporary, executable(folder, name));
  await rename(`${temporary}.seal.tmp`, sealOf(folder, name));
}

async function buildMissing(folder: string, pin: Pin, names: readonly string[], build: Build): Promise<void> {
  // Only the holder of the lock writes here, so whatever is temporary was left by a run that died.
  for (const file of await readdir(folder)) {
    if (file.endsWith('.tmp')) await rm(join(folder, file), { force: true });
  }
  const missing = await broken(folder, names);
  for (const [i, name] of missing.entries()) {
    if (await stat(executable(folder, name)).catch(() => undefined)) {
      say(`${name} ${pin.version} in ${folder} is not as it was built; building it again`);
    }
    const line = progress(`building ${name} ${pin.version} (${i + 1} of ${missing.length})`);
    try {
      await buildOne(folder, pin, name, build);
      line.end('built');
    } catch (error) {
      line.end('failed');
      throw error;
    }
  }
}

/** The folder that holds these binaries, whole. */
export async function cached(pin: Pin, names: readonly string[], cache: Cache): Promise<string> {
  const folder = await cacheFolder(cache.root, pin);
  if ((await broken(folder, names)).length === 0) return folder;
  await mkdir(folder, { recursive: true });
  await withLock(`${folder}.lock`, `the binaries of ${pin.product} ${pin.version}`, () =>
    buildMissing(folder, pin, names, cache.build),
  );
  return folder;
}
