// A plan is a value: what was looked at and why it goes or stays, what will be written, and what is waited for. It could be saved.
import type { DeleteAction } from './delete-action.ts';
import type { FinalizerAction } from './finalizer-action.ts';
import type { Hold } from './hold.ts';
import type { JobState } from './job.ts';
import type { Kind } from './kind.ts';
import type { Change, Memory } from './memory.ts';
import type { DryRun } from './options.ts';
import type { Ref } from './ref.ts';
import type { ResumeAction, ResumeTerms } from './resume-plan.ts';
import type { ClosingRoute, StopAction, StopTerms } from './stop-plan.ts';
import type { Note, Why } from './why.ts';

export type Verdict =
  /** We delete it. */
  | 'delete'
  /** It goes because its owner goes. */
  | 'goes-with-owner'
  /** A delete was accepted earlier; nothing new is sent, its end is waited for. */
  | 'already-terminating'
  /** We remove finalizers from it. */
  | 'free'
  /** Nothing of it is changed: it goes by itself once what it waits for is gone. */
  | 'follows'
  /** It may be freed, and nobody asked for that yet. */
  | 'could-be-freed'
  /** It is told to make no more Jobs, or its work is ended; it stays. */
  | 'stop'
  /** Stopped before: nothing is left to do. */
  | 'already-stopped'
  /** What `stop` remembered is given back. */
  | 'resume'
  | 'stays'
  /** The user named it and we will not. Nothing of a plan of deletes is done then; `unstick` goes on with the others. */
  | 'refused';

/** What a reader of the preview wants to know about an object besides its name. */
export type Seen =
  | {
      readonly as: 'job';
      readonly state: JobState;
      readonly manual: boolean;
      /** Absent: the Pods could not be read. */
      readonly pods?: number;
      /** The row's group: how its owner is written and what it keeps. */
      readonly group?: Group;
    }
  | {
      readonly as: 'pod';
      readonly phase: string;
      readonly ended: boolean;
      readonly graceSeconds: number;
      readonly preStopHooks: number;
      /** Of a Pod that is looked at by itself: the Job that it names, and when it ended. */
      readonly job?: string;
      readonly endedAt?: Date;
    }
  | { readonly as: 'object' }
  /** What is stopped: the failures so far, and how the Job will end. */
  | {
      readonly as: 'work';
      readonly state: JobState;
      readonly failed: number;
      readonly route: ClosingRoute;
      readonly changes: readonly Change[];
    }
  | {
      readonly as: 'source';
      readonly suspended: boolean;
      readonly changes: readonly Change[];
      readonly memory?: Memory;
    }
  /** Terminating: for how long beyond its grace period, and what holds it. */
  | { readonly as: 'stuck'; readonly sinceMs: number; readonly holds: readonly Hold[] };

export interface Group {
  /** `cronjob.batch/nightly`, or the value of the label. */
  readonly label: string;
  readonly kind: 'owner' | 'owner-gone' | 'label' | 'standalone';
  readonly keepSucceeded?: number;
  readonly keepFailed?: number;
}

export interface Finding {
  readonly target: Ref;
  /** The uid of the finding that this one hangs under. */
  readonly under?: string;
  readonly verdict: Verdict;
  readonly why: Why;
  readonly seen: Seen;
}

/** What makes a plain y/N too little: a word has to be typed. */
export type Danger =
  | 'running-work'
  | 'orphans'
  | 'many-objects'
  | 'takes-contents'
  | 'force'
  // unstick
  | 'outside-left'
  | 'data-lost'
  | 'abandons-contents'
  // resume
  | 'without-memory';

/** A dependent that the user was shown. Only these may be deleted by us, once all their owners are gone. */
export interface Dependent {
  readonly target: Ref;
  readonly owners: readonly string[];
  readonly by: 'us' | 'collector';
}

/** What is waited for after the deletes, by the rule in `plan/settle.ts`. */
export interface Settle {
  readonly wait: boolean;
  /** Targets whose end is waited for, those that were terminating before included. */
  readonly targets: readonly Ref[];
  readonly dependents: readonly Dependent[];
  /** Kinds to list again, because a dependent may have appeared since. */
  readonly kinds: readonly Kind[];
  /** 0: no limit. */
  readonly timeoutMs: number;
}

/** What is looked at after finalizers were removed. */
interface Aftermath {
  readonly wait: boolean;
  /** Objects that go by themselves once the freed ones are gone, each with the uids that it waits for. */
  readonly follows: readonly { readonly target: Ref; readonly waitsFor: readonly string[] }[];
  /** 0: no limit. */
  readonly timeoutMs: number;
}

interface AnyPlan {
  readonly dryRun: DryRun;
  readonly context?: string;
  readonly server: string;
  /** The connection flags that it was made with, as words for the commands that are shown with it. */
  readonly reach: readonly string[];
  /** The namespaces it looked into; empty under -A and for cluster-scoped kinds alone. */
  readonly namespaces: readonly string[];
  readonly allNamespaces: boolean;
  readonly takenAt: Date;
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  readonly dangers: readonly Danger[];
  /** Objects inside a Namespace or of a CustomResourceDefinition that go with it: counted, not listed. */
  readonly contents: number;
  readonly concurrency: number;
  /** Exactly this plan, in eight hex digits: for --confirm. */
  readonly digest: string;
}

export interface DeletePlan extends AnyPlan {
  readonly verb: 'delete' | 'prune jobs' | 'prune pods';
  readonly actions: readonly DeleteAction[];
  readonly settle: Settle;
}

export interface UnstickPlan extends AnyPlan {
  readonly verb: 'unstick';
  /** Nothing was named: a plan without actions is an answer then, not a refusal. */
  readonly isScan: boolean;
  readonly actions: readonly FinalizerAction[];
  readonly aftermath: Aftermath;
}

export interface StopPlan extends AnyPlan {
  readonly verb: 'stop';
  readonly actions: readonly StopAction[];
  readonly terms: StopTerms;
}

export interface ResumePlan extends AnyPlan {
  readonly verb: 'resume';
  readonly actions: readonly ResumeAction[];
  readonly terms: ResumeTerms;
}

export type Plan = DeletePlan | UnstickPlan | StopPlan | ResumePlan;

/** How many objects a plan ends or changes: its targets, what goes with them, and what is inside. */
export function touchedBy(plan: Plan): number {
  return plan.actions.length + othersOf(plan) + plan.contents;
}

function othersOf(plan: Plan): number {
  if (plan.verb === 'stop' || plan.verb === 'resume') return 0;
  return plan.verb === 'unstick' ? plan.aftermath.follows.length : plan.settle.dependents.length;
}
