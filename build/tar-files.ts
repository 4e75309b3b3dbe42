// Single files out of a tar, by their whole paths.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';

/** In the order of the paths; undefined for one that is not there. */
export async function filesOfTar(
  tar: Buffer,
  paths: readonly string[],
): Promise<readonly (Buffer | undefined)[]> {
  const found = new Map<string, Buffer>();
  const entries = Readable.from([tar]).pipe(extract());
  for await (const entry of entries) {
    if (paths.includes(entry.header.name)) found.set(entry.header.name, await buffer(entry));
    else entry.resume();
  }
  return paths.map(path => found.get(path));
}
