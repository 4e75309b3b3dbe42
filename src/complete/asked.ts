// What is to be completed: a value that the words so far decide, before anything is read.
import type { Objects, Texts } from '../commands/command.ts';

export interface Choice {
  readonly text: string;
  readonly about?: string;
}

/** The objects that a verb is for; of `prune --owner`, what makes Jobs. */
export type Which = Objects | 'owners';

export interface Named {
  readonly type: string;
  readonly name: string;
}

export type Sought =
  /** Known without asking anybody. */
  | { readonly by: 'list'; readonly choices: readonly Choice[] }
  /** By the shell itself. */
  | { readonly by: 'files' | 'folders' }
  | { readonly by: 'kubeconfig'; readonly entries: 'contexts' | 'clusters' | 'users' }
  | { readonly by: 'namespaces' }
  /** A TYPE; with a slash where NAME has to follow in the same word. `jobs`: a bare NAME is one of a Job. */
  | { readonly by: 'types'; readonly which: Which; readonly slashed: boolean; readonly jobs: boolean }
  | {
      readonly by: 'names';
      readonly which: Which;
      readonly types: readonly string[];
      readonly everywhere: boolean;
      /** Not offered again. */
      readonly given: readonly Named[];
    };

export interface Part {
  readonly sought: Sought;
  /** What is typed of the word already and stands in front of each choice: `job/`, `jobs,`, `-n`. */
  readonly head: string;
  /** What a choice has to begin with. */
  readonly typed: string;
}

export interface Asked extends Part {
  /** The flags so far, which say where to look. */
  readonly texts: Texts;
}

export const nothing: Part = { sought: { by: 'list', choices: [] }, head: '', typed: '' };

export const listed = (choices: readonly Choice[], typed: string): Part => ({
  sought: { by: 'list', choices },
  head: '',
  typed,
});
