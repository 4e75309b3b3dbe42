// Saves evidence: manifests, events and logs, many at once, each into a file. What cannot be saved is told, and the rest is saved.
import type { Event } from '../model/event.ts';
import type { Problem } from '../model/problem.ts';
import {
  type Archive,
  ArchiveFailure,
  type Saved,
  type SavedFile,
  type SaveMoment,
  type ToSave,
} from '../model/saving.ts';
import { pool } from '../pool.ts';
import type { Doors, Run } from './doors.ts';
import { endsAll } from './ends-all.ts';
import { Inventory, type SavedBy } from './save-inventory.ts';
import { type Outcome, saveOne } from './save-one.ts';
import { Round } from './save-round.ts';
import { type LogTask, type Task, tasksOf } from './save-tasks.ts';

/** Logs come over the one connection that everything else needs too, and from nodes that work. */
const atOnce = 8;
export interface SavingPlace {
  readonly archive: Archive;
  readonly read: Doors['read'];
  readonly signal: Run['signal'];
  readonly by: SavedBy;
}

/** The evidence of one stop: what was saved before is known after. */
export class Evidence {
  readonly #at: SavingPlace;
  readonly #inventory: Inventory;
  /** Logs that nothing is added to any more. */
  readonly #final = new Map<string, SavedFile>();
  /** Nodes whose logs cannot be had: each would be waited for anew. */
  readonly #silent = new Map<string, Problem>();

  constructor(at: SavingPlace) {
    this.#at = at;
    this.#inventory = new Inventory(at.read.target, at.by);
  }

  /** Yields `saving` on the way and `saved` at the end, and returns what it said. Throws nothing but bugs. */
  async *save(what: ToSave, moment: SaveMoment): AsyncGenerator<Event, Saved> {
    const { archive, read, signal } = this.#at;
    const from = read.now();
    // a node may be back by now
    this.#silent.clear();
    const tasks = tasksOf(what, moment);
    const round = new Round(tasks.length);
    const halt = new AbortController();
    let halted: Problem = interrupted;
    const perform = (task: Task): Promise<Outcome> => this.#perform(task, moment, bytes => round.grow(bytes));
    const results = pool(tasks, atOnce, AbortSignal.any([signal, halt.signal]), perform);
    let next = results.next();
    for (;;) {
      const came = await Promise.race([next, round.grown]);
      if (came === undefined) {
        yield round.progress();
        continue;
      }
      if (came.done === true) break;
      const { item, result } = came.value;
      round.add(item, result);
      this.#inventory.add(item, result, moment);
      if (result.is === 'failed' && isEndOfAll(result)) {
        halted = result.problem;
        halt.abort();
      }
      next = results.next();
      yield round.progress();
    }
    for (const { task, outcome } of round.rest(tasks, halted)) this.#inventory.add(task, outcome, moment);
    this.#inventory.end(moment, from, read.now());
    await this.#writeIndex(round);
    const saved: Saved = { moment, dir: archive.dir, ...round.end() };
    yield { type: 'saved', saved };
    return saved;
  }

  async #perform(task: Task, moment: SaveMoment, onBytes: (bytes: number) => void): Promise<Outcome> {
    if (task.what !== 'log') return await this.#try(task, moment, onBytes);
    const known = this.#final.get(keyOf(task));
    if (known !== undefined && task.isFinal)
      return { is: 'saved', files: [{ ...known, moment, unchanged: true }] };
    const silence = this.#silent.get(task.node ?? '');
    if (silence !== undefined) return { is: 'failed', problem: silence, files: [] };
    const outcome = await this.#try(task, moment, onBytes);
    this.#remember(task, outcome);
    return outcome;
  }

  async #try(task: Task, moment: SaveMoment, onBytes: (bytes: number) => void): Promise<Outcome> {
    const { read, archive } = this.#at;
    try {
      return await saveOne(task, { read, archive, moment, onBytes });
    } catch (failure) {
      if (!(failure instanceof ArchiveFailure)) throw failure;
      return { is: 'failed', problem: { code: 'not-written', text: failure.message }, files: [] };
    }
  }

  #remember(task: LogTask, outcome: Outcome): void {
    if (outcome.is === 'saved' && task.isFinal) {
      const file = outcome.files.at(-1);
      if (file !== undefined) this.#final.set(keyOf(task), file);
    }
    if (outcome.is === 'failed' && task.node !== undefined && isSilence(outcome.problem))
      this.#silent.set(task.node, outcome.problem);
  }

  async #writeIndex(round: Round): Promise<void> {
    try {
      await this.#at.archive.writeIndex(this.#inventory.text());
    } catch (failure) {
      if (!(failure instanceof ArchiveFailure)) throw failure;
      round.lose({ what: 'index', facts: {}, problem: { code: 'not-written', text: failure.message } });
    }
  }
}

const keyOf = ({ target, container, previous, restarts }: LogTask): string =>
  JSON.stringify([target.uid, container, previous, restarts]);

/** The API server could not reach the kubelet, three times over: 5xx, or no answer in time. */
const isSilence = ({ code, status }: Problem): boolean =>
  code === 'timeout' || (status !== undefined && status >= 500);

/** The next piece would fare no better. A log that broke off says nothing about the others. */
const isEndOfAll = ({ problem, files }: Extract<Outcome, { is: 'failed' }>): boolean =>
  problem.code === 'not-written' || (endsAll.has(problem.code) && files.length === 0);

const interrupted: Problem = { code: 'interrupted', text: 'interrupted before it was saved' };
