// The plan of a resume: what is given back on each object, and what the controllers will do because of it.
import type { Change } from './memory.ts';
import type { Ref } from './ref.ts';

export interface ResumeAction {
  readonly target: Ref;
  readonly does: 'give-back' | 'release-evidence';
  /** Each from what it is now to what it was. */
  readonly changes: readonly Change[];
}

export interface ResumeTerms {
  readonly by: string;
  readonly mayRecord: boolean;
  readonly skipMissed: boolean;
  readonly runNow: boolean;
}
