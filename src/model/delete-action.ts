// One delete: which object, what happens to its dependents, and on whose word. There is no default to forget.
import type { Ref } from './ref.ts';

/** The policy names are case-sensitive on the wire; the server answers 422 to any other spelling. */
export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteAction {
  readonly target: Ref;
  readonly propagation: PropagationPolicy;
  /** `uid` always; `version` pins the resourceVersion too, for a decision that depended on what the object said. */
  readonly pin: 'uid' | 'version';
  /** Absent: the object's own. Never passed on to dependents. */
  readonly graceSeconds?: number;
  /** Only while this Job is gone, which is looked at again right before the delete. */
  readonly whileGone?: GoneJob;
}

/** A Job that is not there any more. Another one may have its name. */
export interface GoneJob {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
}
