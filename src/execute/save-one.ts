// One piece of evidence: asked for, written, and what came of it. Throws an ArchiveFailure when the disk does not take it.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import { type Archive, LogFailure, type SavedFile, type SaveMoment } from '../model/saving.ts';
import { type LogTask, objectOf, type Task } from './save-tasks.ts';

export type Outcome =
  /** More than one: a log that broke off, and then came whole. */
  | { readonly is: 'saved'; readonly files: readonly SavedFile[] }
  /** Nothing was ever written by this container. */
  | { readonly is: 'no-log'; readonly text: string }
  | { readonly is: 'gone' }
  /** `files`: what came before it broke off. */
  | { readonly is: 'failed'; readonly problem: Problem; readonly files: readonly SavedFile[] };

export interface Saving {
  readonly read: ClusterReader;
  readonly archive: Archive;
  readonly moment: SaveMoment;
  readonly onBytes: (bytes: number) => void;
}

export function saveOne(task: Task, at: Saving): Promise<Outcome> {
  if (task.what === 'log') return saveLog(task, at);
  return task.what === 'manifest' ? saveManifest(task, at) : saveEvents(task, at);
}

async function saveManifest(task: Extract<Task, { what: 'manifest' }>, at: Saving): Promise<Outcome> {
  const { kind, name, namespace, uid } = task.target;
  const read = await at.read.readText(kind, name, namespace);
  if (read.state === 'absent') return { is: 'gone' };
  if (read.state === 'unreadable') return failed(read.problem);
  const found = uidIn(read.value);
  // the name belongs to another object by now
  if (found !== uid) return found === undefined ? failed(noObject) : { is: 'gone' };
  const stored = await written(task, read.value, at);
  return { is: 'saved', files: [{ ...stored, what: 'manifest', ...about(task, at) }] };
}

async function saveEvents(task: Extract<Task, { what: 'events' }>, at: Saving): Promise<Outcome> {
  const read = await at.read.listEventTexts(task.namespace, task.uids);
  if (read.state === 'absent') return failed({ code: 'not-served', text: 'the server serves no Events' });
  if (read.state === 'unreadable') return failed(read.problem);
  const list = `{"apiVersion":"v1","kind":"EventList","items":[${read.value.map(text => `\n${text}`).join(',')}]}\n`;
  const stored = await written(task, list, at);
  const { moment } = at;
  const file = { ...stored, what: 'events', moment, namespace: task.namespace, complete: true } as const;
  return { is: 'saved', files: [file] };
}

async function written(task: Task, text: string, { archive, onBytes }: Saving) {
  const stored = await archive.write(task.path, text);
  onBytes(stored.bytes);
  return stored;
}

/** A log that breaks off is asked for once more, from its start: what came of it stays in a file of its own. */
async function saveLog(task: LogTask, at: Saving): Promise<Outcome> {
  const first = await saveOnce(task, at);
  const brokeOff = first.is === 'failed' && first.files.length > 0;
  if (!brokeOff || pointless.has(first.problem.code)) return first;
  const second = await saveOnce(task, at);
  if (second.is === 'saved' || second.is === 'failed')
    return { ...second, files: [...first.files, ...second.files] };
  return first;
}

/** A second try would wait as long as the first one has, or is not wanted. */
const pointless: ReadonlySet<ProblemCode> = new Set(['timeout', 'interrupted']);

async function saveOnce(task: LogTask, at: Saving): Promise<Outcome> {
  const { target, container, previous } = task;
  const read = await at.read.openLog({ pod: target, container, previous, ended: task.isFinal });
  if (read.state === 'gone') return { is: 'gone' };
  if (read.state === 'absent') return { is: 'no-log', text: read.text };
  if (read.state === 'unreadable') return refused(task, read.problem);
  const { brokenBy, ...stored } = await at.archive.stream(task.path, counted(read.value, at.onBytes));
  const file: SavedFile = {
    ...stored,
    what: 'log',
    ...about(task, at),
    container,
    previous,
    restarts: task.restarts,
    complete: brokenBy === undefined,
  };
  if (brokenBy === undefined) return { is: 'saved', files: [file] };
  if (!(brokenBy instanceof LogFailure)) throw brokenBy;
  return { is: 'failed', problem: brokenBy.problem, files: [file] };
}

/** The kubelet has heard nothing yet of a Pod that was bound to its node just now: 404, of its own. */
function refused(task: LogTask, problem: Problem): Outcome {
  const isUnheardOf = problem.status === 404 && !task.hasStarted;
  return isUnheardOf ? { is: 'no-log', text: problem.text } : failed(problem);
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

const failed = (problem: Problem): Outcome => ({ is: 'failed', problem, files: [] });

const about = ({ target }: Task, { moment }: Saving) =>
  ({ moment, object: objectOf(target), complete: true }) as const;

const noObject: Problem = {
  code: 'server-error',
  text: 'error: the server sent something else than the object',
};

function uidIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly metadata?: { readonly uid?: string } }).metadata?.uid;
  } catch {
    return undefined;
  }
}
