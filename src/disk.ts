// Everything that writes to the user's disk. Files hold secrets, so they are for their owner alone; none is ever written over. What the
// disk does not take is an ArchiveFailure: a sentence with path and cause.
import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises';
import { ArchiveFailure } from './model/saving.ts';

/** With all folders above it; one that is there is left as it is. */
export const makeFolders = (path: string): Promise<unknown> =>
  naming(path, () => mkdir(path, { recursive: true, mode: 0o700 }));

/** false: there is something of that name. */
export const makeFolder = (path: string): Promise<boolean> =>
  unlessThere(path, () => mkdir(path, { mode: 0o700 }));

export const namesIn = (path: string): Promise<readonly string[]> => naming(path, () => readdir(path));

export const writeNew = (path: string, text: string): Promise<void> => naming(path, () => write(path, text));

/** false: there is something of that name. */
export const writeUnlessThere = (path: string, text: string): Promise<boolean> =>
  unlessThere(path, () => write(path, text));

export const move = (from: string, to: string): Promise<void> => naming(to, () => rename(from, to));

/** How much came, and what the chunks threw. */
export interface Poured {
  readonly bytes: number;
  readonly brokenBy?: unknown;
}

export async function pourInto(path: string, chunks: AsyncIterable<Uint8Array>): Promise<Poured> {
  const handle = await openNew(path).catch(async (problem: unknown) => {
    // begun and left at once, which ends the request: chunks that nobody begins to read would stay open
    for await (const _ of chunks) break;
    throw problem;
  });
  return await pour(chunks, handle, path);
}

const openNew = (path: string): Promise<FileHandle> => naming(path, () => open(path, 'wx', 0o600));

async function write(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

async function pour(chunks: AsyncIterable<Uint8Array>, handle: FileHandle, path: string): Promise<Poured> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      await naming(path, () => writeAll(handle, chunk));
      bytes += chunk.length;
    }
    return { bytes };
  } catch (brokenBy) {
    if (brokenBy instanceof ArchiveFailure) throw brokenBy;
    return { bytes, brokenBy };
  } finally {
    await naming(path, () => handle.close());
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
}

async function unlessThere(path: string, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (problem) {
    if (codeOf(problem) === 'EEXIST') return false;
    throw failureAt(path, problem);
  }
}

async function naming<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (problem) {
    throw failureAt(path, problem);
  }
}

const causes: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than the file system takes',
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'there is a file of this name already',
  ENAMETOOLONG: 'the path is too long',
  EMFILE: 'too many files are open',
  EIO: 'the disk reported an error',
};

function failureAt(path: string, problem: unknown): ArchiveFailure {
  const message = problem instanceof Error ? problem.message : String(problem);
  return new ArchiveFailure(`cannot write ${path}: ${causes[codeOf(problem)] ?? message}`);
}

const codeOf = (problem: unknown): string =>
  problem instanceof Error && 'code' in problem && typeof problem.code === 'string' ? problem.code : '';
