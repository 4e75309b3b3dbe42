// The account of what is saved at one moment: how much of it is done, what was written, what was not.
import type { Event } from '../model/event.ts';
import type { Facts } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { Ref } from '../model/ref.ts';
import type { NotSaved, Saved, SavedFile } from '../model/saving.ts';
import type { Outcome } from './save-one.ts';
import type { Task } from './save-tasks.ts';

/** A progress event at least this often, also in the middle of a log. */
const stepBytes = 8 * 1024 * 1024;

export class Round {
  readonly #total: number;
  readonly #done = new Set<Task>();
  readonly #notSaved: NotSaved[] = [];
  readonly #gone = new Map<string, Ref>();
  #files = 0;
  #savedBytes = 0;
  #bytes = 0;
  #toldBytes = 0;
  #waiting = Promise.withResolvers<undefined>();

  constructor(total: number) {
    this.#total = total;
  }

  /** Resolves when there is something to tell in the middle of a log. */
  get grown(): Promise<undefined> {
    return this.#waiting.promise;
  }

  grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes - this.#toldBytes >= stepBytes) this.#waiting.resolve(undefined);
  }

  progress(): Event {
    this.#toldBytes = this.#bytes;
    this.#waiting = Promise.withResolvers();
    return { type: 'saving', done: this.#done.size, total: this.#total, bytes: this.#bytes };
  }

  add(task: Task, outcome: Outcome): void {
    this.#done.add(task);
    const written = 'files' in outcome ? outcome.files.filter(({ unchanged }) => unchanged !== true) : [];
    this.#files += written.length;
    for (const { bytes } of written) this.#savedBytes += bytes;
    if (outcome.is === 'gone') this.#gone.set(task.target.uid, task.target);
    if (outcome.is === 'failed') this.lose(toNotSaved(task, outcome.problem, outcome.files.at(-1)));
  }

  lose(notSaved: NotSaved): void {
    this.#notSaved.push(notSaved);
  }

  /** What was not begun, because of this problem. */
  rest(tasks: readonly Task[], problem: Problem): { readonly task: Task; readonly outcome: Outcome }[] {
    const left = tasks.filter(task => !this.#done.has(task));
    return left.map(task => {
      const outcome: Outcome = { is: 'failed', problem, files: [] };
      this.add(task, outcome);
      return { task, outcome };
    });
  }

  end(): Pick<Saved, 'files' | 'bytes' | 'notSaved' | 'gone'> {
    return {
      files: this.#files,
      bytes: this.#savedBytes,
      notSaved: this.#notSaved,
      gone: [...this.#gone.values()],
    };
  }
}

function toNotSaved(task: Task, problem: Problem, part: SavedFile | undefined): NotSaved {
  const { what, target } = task;
  return { what, target, problem, facts: { ...factsOf(task), ...(part === undefined ? {} : partOf(part)) } };
}

const partOf = ({ file, bytes }: SavedFile): Facts => ({ file, bytes });

function factsOf(task: Task): Facts {
  if (task.what === 'events') return { namespace: task.namespace };
  if (task.what === 'manifest') return {};
  return { container: task.container, ...(task.previous ? { previous: 1 } : {}) };
}
