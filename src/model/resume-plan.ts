// The plan of a resume: what is given back on each object, and what the controllers will do because of it.
import type { Change } from './memory.ts';
import type { Ref } from './ref.ts';

export type ResumeEffect =
  /** The catch-up run is counted as served, before the CronJob goes on. */
  | 'skip-missed'
  /** Each field as it was before the stop, where it still is as the stop left it; the memory goes. */
  | 'give-back'
  /** A stopped Job gets its limits back, and with them whatever deletes finished Jobs. */
  | 'release-evidence'
  /** One Job from the template, as kubectl makes it. */
  | 'run-now';

export interface ResumeAction {
  readonly target: Ref;
  readonly does: ResumeEffect;
  /** Each from what it is now to what it was. */
  readonly changes: readonly Change[];
  /** run-now: the name of the new Job. */
  readonly jobName?: string;
}

export interface ResumeTerms {
  /** How the server knows the user. */
  readonly by: string;
  readonly mayRecord: boolean;
}
