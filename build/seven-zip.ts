// 7-Zip's deflate, in WebAssembly: an archive stays below 40 MB with it (Node for Linux, stripped: 38.5 MB; by Node's own
// zlib 40.7, by fflate 40.4), and as it is no code for one processor, its bytes are the same on every machine.
import { createRequire } from 'node:module';
import type { SevenZipModuleFactory } from '7z-wasm';

// its types say that it is an ES module, which it is not
const sevenZip = createRequire(import.meta.url)('7z-wasm') as SevenZipModuleFactory;

export interface File {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** The time of every file in every archive: the first that a zip can say. */
export const fixedTime = new Date('1980-01-01T00:00:00Z');

/** Names and times of files are kept in a zip; a gzip has one file, and these of it. */
export async function compress(type: 'gzip' | 'zip', files: readonly File[]): Promise<Uint8Array> {
  const said: string[] = [];
  const { FS, callMain } = await sevenZip({
    print: line => said.push(line),
    printErr: line => said.push(line),
  });
  for (const { name, bytes, mode } of files) {
    FS.writeFile(name, bytes);
    FS.chmod(name, mode);
    FS.utime(name, fixedTime.getTime(), fixedTime.getTime());
  }
  // -mtm, -mtc, -mta: a zip says times once, in the fields that every reader knows
  const plain = type === 'zip' ? ['-mtm=off', '-mtc=off', '-mta=off'] : [];
  callMain(['a', `-t${type}`, '-mx=5', ...plain, 'archive', ...files.map(({ name }) => name)]);
  const made = FS.readdir('.').find(name => name === 'archive' || name.startsWith('archive.'));
  if (made === undefined || !said.includes('Everything is Ok')) throw new Error(`7-Zip: ${said.join('\n')}`);
  return FS.readFile(made);
}
