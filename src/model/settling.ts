// The rule of a wait, handed from `plan` to `execute` without either importing the other.
import type { DeleteAction } from './delete-action.ts';
import type { Left } from './event.ts';
import type { FinalizerAction } from './finalizer-action.ts';
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

/** What is to be done about a removal, now that its object was read again. */
export type NextTry =
  | { readonly do: 'write'; readonly action: FinalizerAction }
  | { readonly do: 'nothing'; readonly because: 'gone' | 'unneeded' }
  /** Its controller has written to it since: it is not absent. */
  | { readonly do: 'stop'; readonly writer: string };

/** What became of an object whose finalizers were removed, or of one that should follow. */
export type Became =
  | { readonly is: 'gone' }
  | { readonly is: 'going'; readonly left: Left }
  /** It will not go by itself. */
  | { readonly is: 'held'; readonly left: Left };

/** The rules of `unstick` after its writes, handed from `plan` to `execute`. */
export interface Freeing {
  readonly nextTry: (action: FinalizerAction, now: ObjectMeta | undefined, takenAt: Date) => NextTry;
  /** `actions`: what was removed from it; none for an object that follows. */
  readonly became: (
    target: Ref,
    actions: readonly FinalizerAction[],
    now: ObjectMeta | undefined,
    at: Date,
  ) => Became;
}
