// Takes symbols and debugging information out of a Linux binary: 17 of its 125 MB, and without it an archive is above 40 MB.
// As `strip` would, but without binutils for two architectures, whose version would decide the bytes. What is dropped is in no
// segment, so nothing that runs can see it: the file ends behind the last segment, and the table of sections is written anew.
// Source: System V ABI, "ELF header", "Sections"; https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
const sectionHeaderSize = 64;
const isAllocated = (header: Buffer): boolean => (header.readBigUInt64LE(8) & 2n) !== 0n;

export function stripElf(elf: Buffer): Buffer {
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf[4] !== 2 || elf[5] !== 1)
    throw new Error('not an ELF file of 64 bits, little endian');
  const headers = sectionHeaders(elf);
  const names = headers[elf.readUInt16LE(62)];
  if (names === undefined) throw new Error('no section has the names of the sections');
  const kept = [...headers.filter((header, at) => at === 0 || isAllocated(header)), names];
  const end = endOfSegments(elf);
  const nameBytes = elf.subarray(offsetOf(names), offsetOf(names) + Number(names.readBigUInt64LE(32)));
  const nameTable = Buffer.from(names);
  nameTable.writeBigUInt64LE(BigInt(end), 24);
  const tableAt = Math.ceil((end + nameBytes.length) / 8) * 8;
  const stripped = Buffer.alloc(tableAt + kept.length * sectionHeaderSize);
  elf.copy(stripped, 0, 0, end);
  nameBytes.copy(stripped, end);
  kept.forEach((header, at) => {
    (header === names ? nameTable : relinked(header, headers, kept)).copy(
      stripped,
      tableAt + at * sectionHeaderSize,
    );
  });
  stripped.writeBigUInt64LE(BigInt(tableAt), 40);
  stripped.writeUInt16LE(kept.length, 60);
  stripped.writeUInt16LE(kept.length - 1, 62);
  return stripped;
}

const offsetOf = (header: Buffer): number => Number(header.readBigUInt64LE(24));

function sectionHeaders(elf: Buffer): Buffer[] {
  const tableAt = Number(elf.readBigUInt64LE(40));
  return Array.from({ length: elf.readUInt16LE(60) }, (_, at) =>
    elf.subarray(tableAt + at * sectionHeaderSize, tableAt + (at + 1) * sectionHeaderSize),
  );
}

function endOfSegments(elf: Buffer): number {
  const tableAt = Number(elf.readBigUInt64LE(32));
  const size = elf.readUInt16LE(54);
  const ends = Array.from({ length: elf.readUInt16LE(56) }, (_, at) => {
    const header = elf.subarray(tableAt + at * size, tableAt + (at + 1) * size);
    return Number(header.readBigUInt64LE(8) + header.readBigUInt64LE(32));
  });
  return Math.max(...ends);
}

/** A section may name others by number: in sh_link, and with SHF_INFO_LINK in sh_info. */
function relinked(header: Buffer, before: readonly Buffer[], after: readonly Buffer[]): Buffer {
  const moved = Buffer.from(header);
  const move = (at: number): void => {
    const target = before[header.readUInt32LE(at)];
    moved.writeUInt32LE(target === undefined ? 0 : Math.max(0, after.indexOf(target)), at);
  };
  move(40);
  if ((header.readBigUInt64LE(8) & 0x40n) !== 0n) move(44);
  return moved;
}
