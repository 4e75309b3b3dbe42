// The log of one container, as a stream: the server waits for who reads, and nothing of it is held in memory. It is what the node's
// newest file holds: what was rotated away (10 MiB by default) cannot be had through the API (cri-client pkg/logs, ReadLogs).
import { plain } from '../model/ref.ts';
import { LogFailure } from '../model/saving.ts';
import type { LogQuery, LogRead } from './contract.ts';
import { noLog } from './no-log.ts';
import { pathOf, withQuery } from './path.ts';
import type { Transport } from './transport.ts';
import { checkedToEnd } from './whole-log.ts';

/**
 * These come with a 200, in place of the log: the kubelet sends its header before it looks for the file (GetKubeletContainerLogs, "a
 * zero-byte write"), and the error as text behind it, without the newline that a line of a log has.
 */
const insteadOfLog =
  /^(?:unable to retrieve container logs for \S+|failed to try resolving symlinks in path "[^"\n]+": [^\n]+|failed to open log file "[^"\n]+": [^\n]+)$/;
const mostWords = 2048;

export async function openLog(transport: Transport, query: LogQuery): Promise<LogRead> {
  const read = await openPart(transport, query, {});
  if (read.state !== 'read' || !query.ended) return read;
  const lastLine = () => openPart(transport, query, { tailLines: '1' });
  return { state: 'read', value: checkedToEnd(read.value, lastLine) };
}

async function openPart(
  transport: Transport,
  { pod, container, previous }: LogQuery,
  part: { readonly tailLines?: string },
): Promise<LogRead> {
  const path = `${pathOf(pod.kind, pod.namespace, pod.name)}/log`;
  const opened = await transport.open({
    method: 'GET',
    path: withQuery(path, { container, previous: previous ? 'true' : undefined, ...part }),
    // errors are JSON; text/plain alone is answered with 406
    accept: 'application/json, */*',
    repeatable: true,
    uncompressed: true,
  });
  if ('problem' in opened) return { state: 'unreadable', problem: opened.problem };
  if ('answer' in opened) return noLog(opened.answer, pod.name);
  return await lookAtStart(named(opened.chunks, transport));
}

async function* named(chunks: AsyncIterable<Uint8Array>, transport: Transport): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (failure) {
    throw new LogFailure(transport.problemOf(failure));
  }
}

/** Reads on until it is known that this is a log: past the length of a sentence, or past a newline, or to its end. */
async function lookAtStart(chunks: AsyncGenerator<Uint8Array>): Promise<LogRead> {
  const start: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const next = await chunks.next().catch(asValue);
    // it breaks off where it is read, as any other log
    if (next instanceof LogFailure) return { state: 'read', value: rest(start, next) };
    if (next.done === true) return wholeOf(Buffer.concat(start));
    start.push(next.value);
    bytes += next.value.length;
    if (bytes > mostWords || next.value.includes(newline))
      return { state: 'read', value: rest(start, chunks) };
  }
}

function asValue(failure: unknown): LogFailure {
  if (failure instanceof LogFailure) return failure;
  throw failure;
}

const newline = 10;

function wholeOf(log: Buffer): LogRead {
  const text = log.toString('utf8');
  if (!insteadOfLog.test(text)) return { state: 'read', value: rest([log]) };
  // whether the file is gone or the runtime does not answer, the kubelet does not say
  const problem = { code: 'server-error', text: plain(`Error from the kubelet: ${text}`) } as const;
  return { state: 'unreadable', problem };
}

async function* rest(
  start: readonly Uint8Array[],
  then?: AsyncIterable<Uint8Array> | LogFailure,
): AsyncGenerator<Uint8Array> {
  yield* start;
  if (then instanceof LogFailure) throw then;
  if (then !== undefined) yield* then;
}
