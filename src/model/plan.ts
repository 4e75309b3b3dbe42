// A plan is a value: what was looked at and why it goes or stays, what will be written, and what is waited for. It could be saved.
import type { DeleteAction } from './delete-action.ts';
import type { JobState } from './job.ts';
import type { Kind } from './kind.ts';
import type { DryRun } from './options.ts';
import type { Ref } from './ref.ts';

export type Verdict =
  /** We delete it. */
  | 'delete'
  /** It goes because its owner goes. */
  | 'goes-with-owner'
  /** A delete was accepted earlier; nothing new is sent, its end is waited for. */
  | 'already-terminating'
  | 'stays'
  /** The user named it and we will not: nothing of the plan is done. */
  | 'refused';

/** Why, in a code that `report/words.ts` turns into a sentence. Facts are what the sentence names. */
export interface Why {
  readonly code: ReasonCode;
  readonly facts?: Facts;
}

export type Facts = Readonly<Record<string, string | number>>;

export type ReasonCode =
  // goes
  | 'named'
  | 'selected'
  | 'beyond-count'
  | 'beyond-age'
  | 'beyond-count-and-age'
  | 'never-started-too-long'
  | 'owner-goes'
  // is going already
  | 'terminating'
  // stays: its state
  | 'running'
  | 'ending'
  | 'suspended'
  | 'never-started'
  | 'idle'
  // stays: retention
  | 'one-of-newest'
  | 'younger-than'
  | 'no-rule'
  // stays: not asked for
  | 'not-selected'
  | 'not-of-owner'
  | 'not-standalone'
  | 'other-reason'
  | 'manual-run'
  | 'other-shard'
  | 'not-chosen'
  // stays or refused: protection and doubt
  | 'protected'
  | 'hook'
  | 'kube-namespace'
  | 'kept-dependent'
  | 'kept-contents'
  | 'orphan-finalizer'
  | 'owned-by-other-kind'
  | 'owner-unreadable'
  | 'owner-in-other-namespace'
  // dependents
  | 'other-owner'
  | 'other-owner-unknown'
  | 'orphaned'
  | 'looks-alike';

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
    }
  | { readonly as: 'object' };

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

/** Something worth saying that is not about one object's fate. */
export interface Note {
  readonly code: NoteCode;
  readonly facts: Facts;
}

export type NoteCode =
  | 'managed-elsewhere'
  | 'owner-may-recreate'
  | 'owner-gone'
  | 'foreground-overridden'
  | 'pods-unreadable'
  | 'dependents-left-to-collector'
  | 'pods-left-to-collector'
  | 'orphaned-pods'
  | 'orphan-instead'
  | 'never-started-jobs'
  | 'idle-jobs'
  | 'namespace-contents'
  | 'force'
  | 'unreadable'
  | 'silent-group'
  | 'not-found-ignored';

/** What makes a plain y/N too little: a word has to be typed. */
export type Danger = 'running-work' | 'orphans' | 'many-objects' | 'takes-contents' | 'force';

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

export interface Plan {
  readonly verb: 'delete' | 'prune jobs';
  readonly dryRun: DryRun;
  readonly context?: string;
  readonly server: string;
  /** The namespaces it looked into; empty under -A and for cluster-scoped kinds alone. */
  readonly namespaces: readonly string[];
  readonly allNamespaces: boolean;
  readonly takenAt: Date;
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  readonly dangers: readonly Danger[];
  readonly actions: readonly DeleteAction[];
  readonly settle: Settle;
  /** Objects inside a Namespace or of a CustomResourceDefinition that go with it: counted, not listed. */
  readonly contents: number;
  readonly concurrency: number;
  /** Exactly this plan, in eight hex digits: for --confirm. */
  readonly digest: string;
}
