// Why a plan is not carried out. The sentences, and what would let it be, are in report/refusal.ts.
import type { Facts } from './facts.ts';

type RefusalCode =
  | 'targets-refused'
  | 'finalizer-not-named'
  | 'no-right'
  | 'no-right-to-save'
  | 'too-many'
  | 'plan-changed'
  | 'changed-meanwhile'
  | 'no-terminal'
  | 'quiet'
  | 'no-terminal-to-choose-on';

export interface Refusal {
  readonly code: RefusalCode;
  readonly facts: Facts;
}
