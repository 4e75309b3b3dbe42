// A Job as the question "is this Pod leaked?" needs it: that it is there. A cluster may have tens of thousands of them.
import type { LabelSelector } from './label-selector.ts';

export interface LivingJob {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Only of a Job with spec.manualSelector: the server's own selector says no more than the uid does. */
  readonly selector?: LabelSelector;
}

/** By namespace, the Jobs that are there, those that are terminating too. A namespace that is not in it could not be read. */
export type LivingJobs = ReadonlyMap<string, readonly LivingJob[]>;

/** Of a list that covers all these namespaces: one that has no Job was read too. */
export function inEach(namespaces: Iterable<string>, jobs: readonly LivingJob[]): LivingJobs {
  const found = Map.groupBy(jobs, ({ namespace }) => namespace);
  return new Map([...namespaces, ...found.keys()].map(namespace => [namespace, found.get(namespace) ?? []]));
}
