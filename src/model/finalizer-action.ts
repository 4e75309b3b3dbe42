// One removal of finalizers: from which object, which names, and in which order among the others.
import type { CauseCode } from './hold.ts';
import type { Ref } from './ref.ts';

export interface FinalizerAction {
  readonly target: Ref;
  readonly remove: readonly string[];
  /** Why each of them may go, in the same order. */
  readonly causes: readonly CauseCode[];
  /** What stays on the list, as it was seen. */
  readonly keeps: readonly string[];
  /** Whether it goes then: nothing else holds it, or only what goes by itself. */
  readonly goes: boolean;
  /** `spec`: a Namespace's spec.finalizers, through /finalize. */
  readonly where: 'metadata' | 'spec';
  /** Leaves are wave 0; a wave begins when the one before it was answered. */
  readonly wave: number;
  /** Uids of freed objects below it: where one of those could not be freed, this is not touched. */
  readonly after: readonly string[];
}
