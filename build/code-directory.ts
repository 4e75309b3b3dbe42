// The layout of an embedded code signature, big endian. Read by macos-verify.ts, written by macos-sign.ts.
// Source: Apple's xnu, osfmk/kern/cs_blobs.h; an ad-hoc one is written in the same way by Go's linker,
// src/cmd/internal/codesign/codesign.go.
export const magic = { superBlob: 0xfade0cc0, codeDirectory: 0xfade0c02 } as const;

/** CS_SuperBlob up to its index; an entry of the index is a type and an offset. */
export const superBlobSize = 12;
export const indexEntrySize = 8;

/** The slot of the main code directory; alternates with other hashes start at 0x1000. */
export const codeDirectorySlot = 0;
export const alternateSlots = { first: 0x1000, end: 0x1005 } as const;

/** Offsets of the fields of CS_CodeDirectory, version 0x20400 ("supports exec segment"). */
export const field = {
  length: 4,
  version: 8,
  flags: 12,
  hashOffset: 16,
  identifierOffset: 20,
  specialSlots: 24,
  codeSlots: 28,
  codeLimit: 32,
  hashSize: 36,
  hashType: 37,
  pageSizeLog2: 39,
  textOffset: 64,
  textSize: 72,
  textFlags: 80,
  end: 88,
} as const;

export const adHoc = 0x2;
export const isMainBinary = 0x1n;
export const hashTypes: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };
export const sha256 = { type: 2, size: 32 } as const;
