// Whether a macOS binary is what its signature says, as the kernel checks it: every page against its hash.
// It knows nothing of macos-sign.ts, and is proved on Node's own binary, which Apple's tools signed (test/package/signature.test.ts).
import { createHash } from 'node:crypto';
import {
  alternateSlots,
  codeDirectorySlot,
  field,
  hashTypes,
  indexEntrySize,
  magic,
  superBlobSize,
} from './code-directory.ts';
import { readMachO, segmentOf } from './mach-o.ts';

export interface Verified {
  readonly identifier: string;
  readonly isAdHoc: boolean;
  /** That were compared. */
  readonly pages: number;
  readonly hashes: readonly string[];
}

/** Throws with the reason when there is no signature, or it is not one of this file. */
export function verifySignature(file: Buffer): Verified {
  const machO = readMachO(file);
  if (machO.signature === undefined) throw new Error('the binary is not signed');
  const { offset, size } = machO.signature;
  const link = segmentOf(machO, '__LINKEDIT');
  if (offset + size !== file.length || link.offset + link.size !== file.length)
    throw new Error('the signature is not the end of the last segment and of the file');
  const directories = directoriesOf(file.subarray(offset, offset + size));
  const [main] = directories;
  if (main === undefined) throw new Error('the signature has no code directory');
  const checked = directories.map(directory => verifyPages(directory, file, offset));
  return {
    identifier: textAt(main, main.readUInt32BE(field.identifierOffset)),
    isAdHoc: (main.readUInt32BE(field.flags) & 0x2) !== 0,
    pages: checked.reduce((sum, { pages }) => sum + pages, 0),
    hashes: checked.map(({ hash }) => hash),
  };
}

function directoriesOf(blob: Buffer): Buffer[] {
  if (blob.readUInt32BE(0) !== magic.superBlob) throw new Error('the signature has another beginning');
  return Array.from({ length: blob.readUInt32BE(8) }, (_, at) => superBlobSize + at * indexEntrySize)
    .filter(entry => isDirectorySlot(blob.readUInt32BE(entry)))
    .map(entry => {
      const start = blob.readUInt32BE(entry + 4);
      const directory = blob.subarray(start, start + blob.readUInt32BE(start + field.length));
      if (directory.readUInt32BE(0) !== magic.codeDirectory)
        throw new Error('a code directory is something else');
      return directory;
    });
}

const isDirectorySlot = (slot: number): boolean =>
  slot === codeDirectorySlot || (slot >= alternateSlots.first && slot < alternateSlots.end);

function verifyPages(directory: Buffer, file: Buffer, end: number): { pages: number; hash: string } {
  const hash = hashTypes[directory.readUInt8(field.hashType)];
  if (hash === undefined) throw new Error('a hash that is not known');
  if (directory.readUInt32BE(field.codeLimit) !== end)
    throw new Error('the hashes do not cover all that is before the signature');
  const pageSize = 2 ** directory.readUInt8(field.pageSizeLog2);
  const pages = directory.readUInt32BE(field.codeSlots);
  if (pages !== Math.ceil(end / pageSize)) throw new Error(`${pages} hashes for another number of pages`);
  const size = directory.readUInt8(field.hashSize);
  const first = directory.readUInt32BE(field.hashOffset);
  for (let page = 0; page < pages; page++) {
    const bytes = file.subarray(page * pageSize, Math.min((page + 1) * pageSize, end));
    const said = directory.subarray(first + page * size, first + (page + 1) * size);
    if (!createHash(hash).update(bytes).digest().subarray(0, size).equals(said))
      throw new Error(`page ${page} of ${pages} is not what was signed`);
  }
  return { pages, hash };
}

const textAt = (blob: Buffer, at: number): string => blob.toString('utf8', at, blob.indexOf(0, at));
