// What happens while a plan runs. Events are the only thing that leaves `execute`; renderers are folds over them.
import type { DeleteAction } from './delete-action.ts';
import type { Facts } from './facts.ts';
import type { FinalizerAction } from './finalizer-action.ts';
import type { JobState } from './job.ts';
import type { Plan } from './plan.ts';
import type { Problem } from './problem.ts';
import type { Ref } from './ref.ts';
import type { ResumeAction } from './resume-plan.ts';
import type { Saved } from './saving.ts';
import type { StopAction } from './stop-plan.ts';
import type { JobProgress, PodProgress } from './stopping.ts';

/** Why an object is still there. */
export interface Left {
  readonly target: Ref;
  readonly code: LeftCode;
  readonly facts: Facts;
}

export type LeftCode =
  | 'held-by-finalizers'
  | 'in-grace'
  | 'past-grace'
  | 'node-unreachable'
  /** stop: its Pod ends and stays, where a deleted one would end and go */
  | 'node-cannot-tell-it'
  | 'waits-for-contents'
  | 'waits-for-dependents'
  | 'waits-for-collector'
  | 'about-to-be-deleted'
  | 'unreadable'
  // after finalizers were removed
  | 'came-back'
  | 'still-held'
  | 'lingers'
  // of a stop
  | 'not-told'
  | 'container-runs'
  | 'waits-for-job-controller'
  | 'job-suspended';

/** `validatingwebhookconfiguration/guard`, and the Service behind it where there is one. */
export interface Blamed {
  readonly configuration: string;
  readonly name: string;
  readonly service: string;
}

export type Event =
  | { readonly type: 'plan'; readonly plan: Plan }
  /** One delete was answered. `as` says whether the user named it or it went with its owner. */
  | {
      readonly type: 'deleted';
      readonly action: DeleteAction;
      readonly as: 'target' | 'dependent';
      readonly state: 'gone' | 'held' | 'already-gone' | 'dry-run';
      readonly finalizers: readonly string[];
    }
  | {
      readonly type: 'failed';
      readonly action: DeleteAction;
      readonly as: 'target' | 'dependent';
      readonly problem: Problem;
    }
  /** Left alone at the last moment: its Job is there after all. */
  | { readonly type: 'spared'; readonly target: Ref; readonly job: string }
  /** One removal of finalizers was answered. `unneeded`: they were not on the list any more. */
  | {
      readonly type: 'freed';
      readonly action: FinalizerAction;
      readonly state: 'removed' | 'unneeded' | 'already-gone' | 'dry-run';
    }
  | {
      readonly type: 'not-freed';
      readonly action: FinalizerAction;
      readonly problem: Problem;
      /** Configurations of the webhooks that are to blame, as far as they can be told. */
      readonly blame: readonly Blamed[];
    }
  /** Finalizers were removed, and the object is there all the same: that is how it stays. */
  | { readonly type: 'stays-held'; readonly left: Left }
  /** An object of the same name, made anew. */
  | { readonly type: 'made-anew'; readonly target: Ref }
  /** A preStop hook of a Pod that went did not do what it was to do. */
  | { readonly type: 'hook-failed'; readonly target: Ref; readonly container: string }
  /** A Pod that went was there to the end of its grace period. `containers` were seen to be killed then. */
  | {
      readonly type: 'grace-used-up';
      readonly target: Ref;
      readonly graceSeconds: number;
      readonly containers: readonly string[];
    }
  /** Whether hooks failed there cannot be told. */
  | { readonly type: 'hooks-unknown'; readonly namespace: string; readonly problem: string }
  /** One write of a stop or a resume was answered. */
  | {
      readonly type: 'changed';
      readonly action: StopAction | ResumeAction;
      readonly state: 'done' | 'already-gone' | 'dry-run';
    }
  | {
      readonly type: 'not-changed';
      readonly action: StopAction | ResumeAction;
      readonly problem: Problem;
      readonly blame: readonly Blamed[];
    }
  /** Made after the plan was shown, by what the plan stops. */
  | { readonly type: 'appeared'; readonly target: Ref }
  /** How far each Job is that has not come to its end. */
  | { readonly type: 'work'; readonly jobs: readonly JobProgress[] }
  | { readonly type: 'pod-ended'; readonly pod: PodProgress }
  | {
      readonly type: 'job-closed';
      readonly target: Ref;
      readonly state: JobState;
      readonly pods: readonly PodProgress[];
    }
  /** It was there and is not any more. `foretold`: the plan said that it cannot be kept. */
  | { readonly type: 'lost'; readonly target: Ref; readonly foretold: boolean }
  /** Somebody undid what was written on a source. */
  | { readonly type: 'put-back'; readonly target: Ref }
  /** KEDA does not say that it has taken notice of the pause. */
  | { readonly type: 'pause-not-seen'; readonly target: Ref }
  /** A step failed, and going on would do harm: what was begun, and what was not. */
  | { readonly type: 'stopped-half-way'; readonly notStarted: readonly Ref[] }
  /** Seen to be gone by a read, after an earlier delete was only accepted or the collector took it. */
  | {
      readonly type: 'seen-gone';
      readonly target: Ref;
      readonly as: 'target' | 'dependent';
      readonly by: 'us' | 'collector';
    }
  /** `ms`: since the first of these deletes was sent. */
  | {
      readonly type: 'progress';
      readonly done: number;
      readonly total: number;
      readonly throttled: number;
      readonly ms: number;
    }
  /** Evidence on its way into files; `bytes` so far. */
  | { readonly type: 'saving'; readonly done: number; readonly total: number; readonly bytes: number }
  | { readonly type: 'saved'; readonly saved: Saved }
  | { readonly type: 'waiting'; readonly left: readonly Left[] }
  /** Time ran out. `causes` are what may keep the garbage collector from working. */
  | {
      readonly type: 'timeout';
      readonly afterMs: number;
      readonly left: readonly Left[];
      readonly causes: readonly string[];
    }
  /** Ctrl-C: what was not started. */
  | { readonly type: 'interrupted'; readonly notStarted: readonly Ref[]; readonly left: readonly Left[] }
  /** What a stop left as it is, because a write on it was refused. */
  | { readonly type: 'given-up'; readonly left: readonly Left[] }
  /** The server is not to be reached any more: what was not started. */
  | { readonly type: 'halted'; readonly notStarted: readonly Ref[] }
  | { readonly type: 'end'; readonly ms: number; readonly throttled: number };
