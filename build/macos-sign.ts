// Signs a macOS binary ad hoc: macOS kills an unsigned one on Apple's processors, and pkg only warns when it could not sign.
// `codesign` is on macOS alone, so this writes what it would: a hash of each page. It says nothing about who made it.
import { createHash } from 'node:crypto';
import {
  adHoc,
  codeDirectorySlot,
  field,
  indexEntrySize,
  isMainBinary,
  magic,
  sha256,
  superBlobSize,
} from './code-directory.ts';
import { readMachO, segmentOf } from './mach-o.ts';

const identifier = Buffer.from('kubectl-jobctl\0');
const pageSizeLog2 = 12;
const pageSize = 1 << pageSizeLog2;
const linkCommandSize = 16;
const roundUp = (size: number, to: number): number => Math.ceil(size / to) * to;

export function signAdHoc(unsigned: Buffer): Buffer {
  const { signature, commandsEnd, contentStart } = readMachO(unsigned);
  if (signature !== undefined) throw new Error('the binary is signed already');
  if (commandsEnd + linkCommandSize > contentStart) throw new Error('no room for one more load command');
  const codeLimit = roundUp(unsigned.length, 16);
  const pages = Math.ceil(codeLimit / pageSize);
  const directorySize = field.end + identifier.length + pages * sha256.size;
  const blobSize = superBlobSize + indexEntrySize + directorySize;
  const signed = Buffer.alloc(codeLimit + roundUp(blobSize, 16));
  unsigned.copy(signed);
  // the hashes cover the header, so it has to be as it stays
  announce(signed, codeLimit);
  writeBlob(signed.subarray(codeLimit), directorySize);
  writeDirectory(signed.subarray(codeLimit + superBlobSize + indexEntrySize), signed, codeLimit);
  return signed;
}

/** One load command more, and a last segment that reaches over the signature. */
function announce(file: Buffer, offset: number): void {
  const machO = readMachO(file);
  const link = segmentOf(machO, '__LINKEDIT');
  const size = file.length - link.offset;
  file.writeBigUInt64LE(BigInt(size), link.command + 48);
  // 16 KiB are a page on Apple's processors, and whole pages of Intel's too
  file.writeBigUInt64LE(BigInt(roundUp(size, 0x4000)), link.command + 32);
  [0x1d, linkCommandSize, offset, file.length - offset].forEach((word, at) => {
    file.writeUInt32LE(word, machO.commandsEnd + at * 4);
  });
  file.writeUInt32LE(machO.commandCount + 1, 16);
  file.writeUInt32LE(machO.commandsEnd - 32 + linkCommandSize, 20);
}

function writeBlob(blob: Buffer, directorySize: number): void {
  const start = superBlobSize + indexEntrySize;
  [magic.superBlob, start + directorySize, 1, codeDirectorySlot, start].forEach((word, at) => {
    blob.writeUInt32BE(word, at * 4);
  });
}

function writeDirectory(directory: Buffer, file: Buffer, codeLimit: number): void {
  const text = segmentOf(readMachO(file), '__TEXT');
  const pages = Math.ceil(codeLimit / pageSize);
  const hashOffset = field.end + identifier.length;
  directory.writeUInt32BE(magic.codeDirectory, 0);
  directory.writeUInt32BE(hashOffset + pages * sha256.size, field.length);
  directory.writeUInt32BE(0x20400, field.version);
  directory.writeUInt32BE(adHoc, field.flags);
  directory.writeUInt32BE(hashOffset, field.hashOffset);
  directory.writeUInt32BE(field.end, field.identifierOffset);
  directory.writeUInt32BE(pages, field.codeSlots);
  directory.writeUInt32BE(codeLimit, field.codeLimit);
  directory.writeUInt8(sha256.size, field.hashSize);
  directory.writeUInt8(sha256.type, field.hashType);
  directory.writeUInt8(pageSizeLog2, field.pageSizeLog2);
  directory.writeBigUInt64BE(BigInt(text.offset), field.textOffset);
  directory.writeBigUInt64BE(BigInt(text.size), field.textSize);
  directory.writeBigUInt64BE(isMainBinary, field.textFlags);
  identifier.copy(directory, field.end);
  for (let page = 0; page < pages; page++) {
    const bytes = file.subarray(page * pageSize, Math.min((page + 1) * pageSize, codeLimit));
    createHash('sha256')
      .update(bytes)
      .digest()
      .copy(directory, hashOffset + page * sha256.size);
  }
}
