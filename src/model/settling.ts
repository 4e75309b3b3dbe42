// The rule of a wait, handed from `plan` to `execute` without either importing the other.
import type { DeleteAction } from './delete-action.ts';
import type { Left } from './event.ts';
import type { ObjectMeta } from './object.ts';
import type { Settle } from './plan.ts';
import type { Ref } from './ref.ts';

export interface Present {
  /** Objects that were seen now: watched ones, and new ones whose owners are all watched. */
  readonly objects: ReadonlyMap<string, ObjectMeta>;
  /** Watched objects of which nothing is known now, because a read failed. */
  readonly unknown: ReadonlySet<string>;
}

export interface Sent {
  /** Uid → the resourceVersion that a delete was sent for. A changed object is decided on again. */
  readonly versions: ReadonlyMap<string, string>;
  /** Targets and dependents that will not go: a delete failed for good, or was never started. */
  readonly failed: ReadonlySet<string>;
}

export interface Step {
  readonly deletes: readonly DeleteAction[];
  readonly left: readonly Left[];
  /** Watched objects that are seen to be gone. */
  readonly gone: readonly Ref[];
}

export type Settling = (settle: Settle, present: Present, sent: Sent, now: Date) => Step;
