// The release that `npm run package` has made; made now where there is none, or one of older sources. Its files as they come
// out of the archives.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { dist, root } from '../../build/places.ts';
import { archiveName, type Target, targets } from '../../build/targets.ts';
import { unzip } from './unzip.ts';

export interface Unpacked {
  readonly mode: number;
  readonly bytes: Buffer;
}

/** Minutes, the first time. */
export async function releaseFiles(): Promise<ReadonlyMap<string, Buffer>> {
  if (isOfOlderSources()) await makeRelease(dist);
  return filesIn(dist);
}

export async function makeRelease(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'build', 'package.ts'), folder], { cwd: root });
}

const sources = [
  'src',
  'build',
  'completion',
  'runtime',
  'package.json',
  'package-lock.json',
  'krew-manifest.yaml',
  'LICENSE',
].map(name => join(root, name));

/** By their times: a file that was checked out or changed since then is younger than the release. */
function isOfOlderSources(): boolean {
  const made = changedMs(join(dist, 'checksums.txt'));
  return sources.some(path => youngestMs(path) > made);
}

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function youngestMs(path: string): number {
  if (!statSync(path).isDirectory()) return changedMs(path);
  const below = readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name =>
    changedMs(join(path, name)),
  );
  return Math.max(0, ...below);
}

export const filesIn = (folder: string): ReadonlyMap<string, Buffer> =>
  new Map(readdirSync(folder).map(name => [name, readFileSync(join(folder, name))]));

export async function unpack(target: Target): Promise<ReadonlyMap<string, Unpacked>> {
  const name = archiveName(target);
  const archive = (await releaseFiles()).get(name);
  if (archive === undefined) throw new Error(`the release has no ${name}`);
  return name.endsWith('.zip') ? await unzip(archive) : await fromTar(gunzipSync(archive));
}

async function fromTar(tar: Buffer): Promise<ReadonlyMap<string, Unpacked>> {
  const files = new Map<string, Unpacked>();
  for await (const entry of Readable.from([tar]).pipe(extract()))
    files.set(entry.header.name, { mode: entry.header.mode, bytes: await buffer(entry) });
  return files;
}

export function targetOf(os: Target['os'], arch: Target['arch']): Target {
  const found = targets.find(one => one.os === os && one.arch === arch);
  if (found === undefined) throw new Error(`there is no ${os}-${arch}`);
  return found;
}
