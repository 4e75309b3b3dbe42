// What holds one terminating object: a finalizer, or something that no finalizer names; why, and whether we may end it.

import type { Facts } from './facts.ts';
import type { Loss } from './known-finalizer.ts';

/** What it takes for us to remove a finalizer. */
export type Allowance =
  /** Nothing waits for it any more: removed without being named. */
  | 'proven'
  /** Removed when it is named, when all are asked for, or when the object is picked from the list. */
  | 'if-named'
  /** Removed only when exactly this name is given with --finalizer. */
  | 'only-named'
  /** There is something else to do first, or nothing to remove. */
  | 'never';

export type CauseCode =
  // the garbage collector's
  | 'dependents-gone'
  | 'dependents-block'
  | 'dependents-unknown'
  | 'orphaning'
  // the Job controller's
  | 'job-gone'
  | 'job-over'
  | 'job-counts-it'
  | 'job-unknown'
  // claims and volumes
  | 'claim-unused'
  | 'claim-in-use'
  | 'claim-users-unknown'
  | 'volume-unbound'
  | 'volume-bound'
  | 'volume-attached'
  | 'volume-unknown'
  // somebody's controller
  | 'controller-gone'
  | 'controller-not-found'
  | 'controller-stopped'
  | 'controller-alive'
  | 'controller-unknown'
  // definitions and namespaces
  | 'instances-remain'
  | 'instances-gone'
  | 'instances-unknown'
  | 'contents-remain'
  | 'contents-unserved'
  | 'contents-unknown'
  | 'contents-gone'
  // no finalizer at all
  | 'node-silent'
  | 'node-works'
  | 'node-unknown'
  | 'nothing-holds'
  // whatever the cause: their number falls by itself
  | 'draining';

/** Causes that rest on a controller not being seen at work. */
export const restsOnAbsence: ReadonlySet<CauseCode> = new Set<CauseCode>([
  'controller-gone',
  'controller-not-found',
  'controller-stopped',
  'controller-unknown',
]);

export interface Hold {
  /** The finalizer's name, or '' where none holds the object. */
  readonly finalizer: string;
  /** `spec`: one of a Namespace's spec.finalizers, which only /finalize changes. */
  readonly where: 'metadata' | 'spec' | 'none';
  readonly cause: CauseCode;
  readonly facts: Facts;
  readonly loss: Loss;
  readonly allowance: Allowance;
  /** Uids of the objects that have to go first. When all of them go, this ends by itself. */
  readonly waitsFor: readonly string[];
}
