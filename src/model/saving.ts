// Evidence in files: what is saved, and what came of it. A lost node takes its finished Pods with it, logs and all.
import type { Facts } from './facts.ts';
import type { Problem } from './problem.ts';
import type { Ref } from './ref.ts';
import type { WorkingPod } from './working-pod.ts';

/** What a stop saves: before its first write and again at its end. */
export interface ToSave {
  readonly sources: readonly Ref[];
  readonly jobs: readonly Ref[];
  readonly pods: readonly WorkingPod[];
}

export type SaveMoment = 'before' | 'after';

/** What was written: the path below `dir`, which is not always what was asked for, and its size. */
export interface Stored {
  readonly file: string;
  readonly bytes: number;
}

/**
 * A folder for one stop. Paths are given name by name, as the cluster wrote them; the archive makes file names of them that stay
 * inside, and never writes over anything. Everything throws an ArchiveFailure when the disk does not take it.
 */
export interface Archive {
  /** As the user would write it; deeper than what was given where an earlier stop has left its files there. */
  readonly dir: string;
  /** Writes a whole file. */
  write(path: readonly string[], text: string): Promise<Stored>;
  /** Streams into a file. `brokenBy`: what the chunks threw; what had come stays, under a name that ends in `.partial`. */
  stream(
    path: readonly string[],
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<Stored & { readonly brokenBy?: unknown }>;
  /** The list of what is in it: the only file that is replaced, at once and whole. */
  writeIndex(text: string): Promise<Stored>;
}

/** The disk did not take it. The message is a sentence with path and cause; the next file would fare no better. */
export class ArchiveFailure extends Error {}

/** Thrown by a log that ends in the middle. */
export class LogFailure extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.text);
    this.problem = problem;
  }
}

/** What every index says of itself, so that a folder of somebody else's is not taken for one of ours. */
export const indexKind = 'SavedEvidence';

/** One file of the archive, as the index lists it. */
export interface SavedFile extends Stored {
  readonly what: 'manifest' | 'events' | 'log';
  readonly moment: SaveMoment;
  /** Absent for the events of a namespace. */
  readonly object?: SavedObject;
  readonly namespace?: string;
  readonly container?: string;
  /** Of the run of the container before its newest one. */
  readonly previous?: boolean;
  /** How often the container had been started anew. */
  readonly restarts?: number;
  /** false: it broke off. */
  readonly complete: boolean;
  /** It was saved at an earlier moment already, and has not changed: the file is that one. */
  readonly unchanged?: boolean;
}

export interface SavedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

/** One thing that could not be saved. */
export interface NotSaved {
  /** Of events: one of the objects that they are about. Absent for the index. */
  readonly target?: Ref;
  readonly what: 'manifest' | 'events' | 'log' | 'index';
  /** Of a log: `container`, `previous` (1), and `file` and `bytes` of what was saved of it. Of events: `namespace`. */
  readonly facts: Facts;
  readonly problem: Problem;
}

export interface Saved {
  readonly moment: SaveMoment;
  readonly dir: string;
  /** Written at this moment, the index left out. */
  readonly files: number;
  readonly bytes: number;
  readonly notSaved: readonly NotSaved[];
  /** Objects that were there when they were listed, and were gone when they were to be saved. */
  readonly gone: readonly Ref[];
}
