// The inventory of what was saved, which becomes its index file: every file with what it holds, and what could not be saved and why.

import type { ClusterTarget } from '../cluster/contract.ts';
import { apiVersion } from '../model/api-version.ts';
import type { Problem } from '../model/problem.ts';
import { indexKind, type SavedFile, type SavedObject, type SaveMoment } from '../model/saving.ts';
import type { Outcome } from './save-one.ts';
import { objectOf, type Task } from './save-tasks.ts';

/** Which run it was. */
export interface SavedBy {
  /** As it was typed. */
  readonly command: string;
  readonly version: string;
  /** How the server knows the user. */
  readonly user?: string;
}

interface Missing {
  readonly moment: SaveMoment;
  readonly what: Task['what'];
  readonly object: SavedObject;
  readonly container?: string;
  readonly previous?: boolean;
}

export class Inventory {
  readonly #head: Readonly<Record<string, unknown>>;
  readonly #moments: { readonly moment: SaveMoment; readonly from: Date; readonly to: Date }[] = [];
  readonly #files: SavedFile[] = [];
  readonly #notSaved: (Missing & { readonly code: string; readonly text: string })[] = [];
  readonly #noLog: (Missing & { readonly text: string })[] = [];
  readonly #gone: Missing[] = [];

  constructor(target: ClusterTarget, by: SavedBy) {
    const { server, context } = target;
    this.#head = { apiVersion, kind: indexKind, ...by, server, context };
  }

  add(task: Task, outcome: Outcome, moment: SaveMoment): void {
    const missing = (): Missing => missingOf(task, moment);
    if ('files' in outcome) this.#files.push(...outcome.files);
    if (outcome.is === 'failed') this.#notSaved.push({ ...missing(), ...inShort(outcome.problem) });
    if (outcome.is === 'no-log') this.#noLog.push({ ...missing(), text: outcome.text });
    if (outcome.is === 'gone') this.#gone.push(missing());
  }

  end(moment: SaveMoment, from: Date, to: Date): void {
    this.#moments.push({ moment, from, to });
  }

  text(): string {
    const [files, notSaved, noLog, gone] = [this.#files, this.#notSaved, this.#noLog, this.#gone];
    return `${JSON.stringify({ ...this.#head, moments: this.#moments, files, notSaved, noLog, gone }, null, 2)}\n`;
  }
}

const inShort = ({ code, text }: Problem) => ({ code, text });

function missingOf(task: Task, moment: SaveMoment): Missing {
  const base = { moment, what: task.what, object: objectOf(task.target) };
  return task.what === 'log' ? { ...base, container: task.container, previous: task.previous } : base;
}
