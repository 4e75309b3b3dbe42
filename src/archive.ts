// Evidence in files: a folder for each stop, and in it paths that are made of names of the cluster. What was saved earlier stays as it is.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, makeFolders, move, namesIn, pourInto, writeNew, writeUnlessThere } from './disk.ts';
import { toFileName } from './file-name.ts';
import { type Archive, ArchiveFailure, indexKind, type Stored } from './model/saving.ts';

const indexName = 'index.json';

/**
 * Makes the folder. One that holds an index of ours gets a folder of its own for this stop, `run-2`; any other that is not empty is
 * refused. Throws an ArchiveFailure.
 */
export async function openArchive(dir: string): Promise<Archive> {
  await makeFolders(dir);
  const found = await namesIn(dir);
  if (found.length === 0) {
    const archive = new Folder(dir);
    // of two that begin at once, one has the folder
    if (await archive.claim()) return archive;
  } else if (!(await isOurs(join(dir, indexName)))) {
    throw new ArchiveFailure(
      `${dir} is not empty and holds no ${indexName} of an earlier stop: nothing is saved among other files`,
    );
  }
  return await openRun(dir);
}

async function openRun(dir: string): Promise<Archive> {
  for (let run = 2; ; run += 1) {
    const folder = join(dir, `run-${run}`);
    const archive = new Folder(folder);
    if ((await makeFolder(folder)) && (await archive.claim())) return archive;
  }
}

async function isOurs(path: string): Promise<boolean> {
  try {
    const index: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof index === 'object' && index !== null && 'kind' in index && index.kind === indexKind;
  } catch {
    return false;
  }
}

class Folder implements Archive {
  readonly dir: string;
  /** Every path that is in use, as a file or as a folder. */
  readonly #files = new Set<string>();
  readonly #folders = new Map<string, Promise<string>>();
  #indexes = 0;

  constructor(dir: string) {
    this.dir = dir;
    this.#files.add(indexName);
  }

  /** An index to begin with: a stop that is killed leaves a folder that is known as ours. */
  claim(): Promise<boolean> {
    return writeUnlessThere(this.#at(indexName), `${JSON.stringify({ kind: indexKind })}\n`);
  }

  async write(path: readonly string[], text: string): Promise<Stored> {
    const file = await this.#place(path);
    await writeNew(this.#at(file), text);
    return { file, bytes: Buffer.byteLength(text) };
  }

  async stream(
    path: readonly string[],
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<Stored & { readonly brokenBy?: unknown }> {
    const file = await this.#place(path);
    // under another name until it is whole, so that a run that is killed leaves nothing that looks whole
    const partial = `${file}.partial`;
    const end = await pourInto(this.#at(partial), chunks);
    if (end.brokenBy !== undefined) return { file: partial, ...end };
    await move(this.#at(partial), this.#at(file));
    return { file, bytes: end.bytes };
  }

  async writeIndex(text: string): Promise<Stored> {
    this.#indexes += 1;
    const made = this.#at(`${indexName}.${this.#indexes}`);
    await writeNew(made, text);
    await move(made, this.#at(indexName));
    return { file: indexName, bytes: Buffer.byteLength(text) };
  }

  #at(file: string): string {
    return join(this.dir, ...file.split('/'));
  }

  async #place(path: readonly string[]): Promise<string> {
    const names = path.map(toFileName);
    const folder = await this.#folder(names.slice(0, -1));
    return this.#claim(`${folder}${names.at(-1)}`);
  }

  /** A path that nothing has yet. */
  #claim(wanted: string): string {
    let file = wanted;
    for (let copy = 2; this.#files.has(file); copy += 1) file = numbered(wanted, copy);
    this.#files.add(file);
    return file;
  }

  /** `a/b/`, made once; another one where a file has its name. */
  #folder(names: readonly string[]): Promise<string> {
    const wanted = names.join('/');
    const known = this.#folders.get(wanted);
    if (known !== undefined) return known;
    const made = this.#make(names);
    this.#folders.set(wanted, made);
    return made;
  }

  async #make(names: readonly string[]): Promise<string> {
    if (names.length === 0) return '';
    const parent = await this.#folder(names.slice(0, -1));
    const folder = this.#claim(`${parent}${names.at(-1)}`);
    await makeFolders(this.#at(folder));
    return `${folder}/`;
  }
}

/** `a.log` → `a~2.log` */
const numbered = (path: string, copy: number): string =>
  path.replace(/([^/]*?)((?:\.[a-z]+)*)$/, (_, name, ending) => `${name}~${copy}${ending}`);
