// The files of a zip, with the modes that they get on Unix.
import { createRequire } from 'node:module';
import type { SevenZipModuleFactory } from '7z-wasm';
import type { Unpacked } from './release.ts';

const sevenZip = createRequire(import.meta.url)('7z-wasm') as SevenZipModuleFactory;

export async function unzip(archive: Buffer): Promise<ReadonlyMap<string, Unpacked>> {
  const { FS, callMain } = await sevenZip({ print: () => undefined });
  FS.writeFile('archive.zip', archive);
  callMain(['x', '-ofiles', 'archive.zip']);
  const names = FS.readdir('files').filter(name => !name.startsWith('.'));
  return new Map(
    names.map(name => {
      const path = `files/${name}`;
      return [name, { mode: FS.stat(path).mode & 0o777, bytes: Buffer.from(FS.readFile(path)) }];
    }),
  );
}
