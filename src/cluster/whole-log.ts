// Whether a log that has ended came whole. Where a kubelet dies in the middle, the API server ends its own answer as if that were the
// end (measured on 1.37.2; apiserver responsewriters/writers.go, StreamObject, drops the error of its copy). So the last line is asked
// for once more: what was read has to end with it. That can be asked only of a container that writes no more.
import type { Problem } from '../model/problem.ts';
import { LogFailure } from '../model/saving.ts';
import type { LogRead } from './contract.ts';

/** The longest line that a node keeps in one piece is 16 KiB (containerd and CRI-O cut longer ones). */
const keptBytes = 64 * 1024;

/** The same chunks; throws a LogFailure behind the last one unless it is the end. */
export async function* checkedToEnd(
  chunks: AsyncIterable<Uint8Array>,
  openLastLine: () => Promise<LogRead>,
): AsyncGenerator<Uint8Array> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    kept.push(chunk);
    bytes += chunk.length;
    while (kept[0] !== undefined && bytes - kept[0].length >= keptBytes) bytes -= kept.shift()?.length ?? 0;
    yield chunk;
  }
  const lastLine = (await readAll(openLastLine)).subarray(-keptBytes);
  if (!endsWith(Buffer.concat(kept), lastLine)) throw new LogFailure(cut);
}

const cut: Problem = {
  code: 'unreachable',
  text: 'the log broke off on its way: its last line did not come',
};

const endsWith = (log: Buffer, end: Buffer): boolean =>
  log.length >= end.length && log.subarray(log.length - end.length).equals(end);

async function readAll(open: () => Promise<LogRead>): Promise<Buffer> {
  const read = await open();
  if (read.state === 'unreadable') throw new LogFailure(read.problem);
  // its container was taken away meanwhile; nothing says that what came is not all
  if (read.state !== 'read') return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  for await (const chunk of read.value) chunks.push(chunk);
  return Buffer.concat(chunks);
}
