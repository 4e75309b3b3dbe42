// One removal of finalizers: from which object, which names, and in which order among the others.
import type { Ref } from './ref.ts';

export interface FinalizerAction {
  readonly target: Ref;
  readonly remove: readonly string[];
  /** What stays on the list, as it was seen. */
  readonly keeps: readonly string[];
  /** Whether it goes then: nothing else holds it, or only what goes by itself. */
  readonly goes: boolean;
  /** `spec`: a Namespace's spec.finalizers, through /finalize. */
  readonly where: 'metadata' | 'spec';
  /** Leaves are wave 0; a wave begins when the one before it was answered. */
  readonly wave: number;
}
