// Why something goes or stays, and what else is to be said: in codes, with the facts that a sentence names. The sentences are in report/.
import type { Facts } from './facts.ts';

/** Why, in a code that `report/words.ts` turns into a sentence. Facts are what the sentence names. */
export interface Why {
  readonly code: ReasonCode;
  readonly facts?: Facts;
}

export type ReasonCode =
  // goes
  | 'named'
  | 'selected'
  | 'beyond-count'
  | 'beyond-age'
  | 'beyond-count-and-age'
  | 'never-started-too-long'
  | 'owner-goes'
  | 'leaked'
  | 'leaked-by-collector'
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
  // stays: a Pod that is not leaked, or not proven to be
  | 'mirror-pod'
  | 'has-other-owner'
  | 'no-job-labels'
  | 'job-exists'
  | 'labels-incomplete'
  | 'labels-disagree'
  | 'selected-by-job'
  | 'jobs-unreadable'
  | 'collector-is-due'
  | 'leaked-running'
  | 'end-unknown'
  | 'made-later-than'
  // stuck objects
  | 'holds-end'
  | 'held'
  | 'waits-for-others'
  | 'not-terminating'
  | 'not-stuck-yet'
  | 'in-grace'
  | 'no-right-to-patch'
  | 'no-right-to-finalize'
  | 'finalizer-not-named'
  // stop and resume
  | 'makes-these-jobs'
  | 'finished'
  | 'stopped-before'
  | 'job-suspended'
  | 'source-stays'
  | 'driven-elsewhere'
  | 'queue-would-requeue'
  | 'fails-the-job'
  | 'pod-ended'
  | 'pod-never-started'
  | 'pod-terminating'
  | 'pod-ending'
  | 'only-suspended'
  | 'not-stopped-by-us'
  | 'keeps-its-shield'
  | 'given-back'
  | 'given-back-in-part'
  | 'limit-would-end-it'
  | 'without-memory'
  | 'memory-unreadable'
  | 'evidence-released'
  | 'indexes-would-run'
  // dependents
  | 'other-owner'
  | 'other-owner-unknown'
  | 'orphaned'
  | 'looks-alike';

/** Something worth saying that is not about one object's fate. */
export interface Note {
  readonly code: NoteCode;
  readonly facts: Facts;
}

export type NoteCode =
  | 'managed-elsewhere'
  /** Counts by mark, and `kube-namespace` and `contents`: what stays without --include-protected. */
  | 'overrides-protection'
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
  | 'other-shards'
  | 'namespace-contents'
  | 'force'
  | 'unreadable'
  | 'silent-group'
  | 'not-found-ignored'
  // unstick
  | 'live-with-finalizer'
  | 'webhook-cannot-be-called'
  | 'collector-blocked'
  | 'acts-on-return'
  | 'other-version'
  | 'abandoned-contents'
  | 'finalizer-nowhere'
  | 'unreadable-kinds'
  // stop
  | 'may-be-put-back'
  | 'owner-starts-more'
  | 'stale-active'
  | 'work-is-done'
  | 'node-silent'
  | 'success-policy'
  | 'other-indexes'
  | 'fail-job-possible'
  | 'queued'
  | 'keda-history'
  | 'no-event'
  | 'nothing-saved'
  | ResumeNoteCode;

/** What `resume` foresees, and what it does not give back. */
export type ResumeNoteCode =
  | 'stopped-jobs-stay'
  | 'not-given-back'
  | 'deadline-has-passed'
  | 'finish-the-stop'
  | 'stays-suspended'
  | 'missed-runs'
  | 'at-once'
  | 'next-run'
  | 'forecast-caveat'
  | 'forecast-unknown'
  | 'history-deletes';
