// Where in a macOS binary the parts are that a signature has to do with. 64 bits, little endian, one architecture.
// Source: Apple's <mach-o/loader.h>: mach_header_64, segment_command_64, linkedit_data_command.
const headerSize = 32;
const segmentCommand = 0x19;
const signatureCommand = 0x1d;

export interface Segment {
  /** Where its load command stands in the file. */
  readonly command: number;
  readonly offset: number;
  readonly size: number;
}

export interface MachO {
  readonly segments: ReadonlyMap<string, Segment>;
  readonly signature?: { readonly offset: number; readonly size: number };
  readonly commandCount: number;
  readonly commandsEnd: number;
  /** The first byte behind the header that is something else. */
  readonly contentStart: number;
}

export function readMachO(file: Buffer): MachO {
  if (file.readUInt32LE(0) !== 0xfeedfacf)
    throw new Error('not a Mach-O binary of one architecture, 64 bits');
  const commandCount = file.readUInt32LE(16);
  const segments = new Map<string, Segment>();
  const starts: number[] = [];
  let signature: MachO['signature'];
  let at = headerSize;
  for (let left = commandCount; left > 0; left--) {
    const command = file.readUInt32LE(at);
    if (command === segmentCommand) {
      const offset = Number(file.readBigUInt64LE(at + 40));
      segments.set(nameAt(file, at + 8), {
        command: at,
        offset,
        size: Number(file.readBigUInt64LE(at + 48)),
      });
      starts.push(offset, ...sectionStarts(file, at));
    } else if (command === signatureCommand) {
      signature = { offset: file.readUInt32LE(at + 8), size: file.readUInt32LE(at + 12) };
    }
    at += file.readUInt32LE(at + 4);
  }
  const contentStart = Math.min(...starts.filter(start => start > 0));
  return { segments, ...(signature && { signature }), commandCount, commandsEnd: at, contentStart };
}

const nameAt = (file: Buffer, at: number): string => file.toString('latin1', at, at + 16).replace(/\0+$/, '');

const sectionStarts = (file: Buffer, segment: number): number[] =>
  Array.from({ length: file.readUInt32LE(segment + 64) }, (_, at) =>
    file.readUInt32LE(segment + 72 + at * 80 + 48),
  );

export function segmentOf({ segments }: MachO, name: string): Segment {
  const found = segments.get(name);
  if (found === undefined) throw new Error(`the binary has no segment ${name}`);
  return found;
}
