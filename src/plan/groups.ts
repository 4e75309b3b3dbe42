// Which group a Job is counted in: its owner's uid, the value of a label, or none. Never a name prefix.
import { given } from '../model/given.ts';
import type { Job } from '../model/job.ts';
import { isCronJobKind, isSameKind, isScaledJobKind, kindName } from '../model/kind.ts';
import { controllerOf, type OwnerReference } from '../model/object.ts';
import type { PruneJobsOptions } from '../model/options.ts';
import type { Group } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import { groupKind, type PruneSnapshot } from '../model/snapshot.ts';
import type { Why } from '../model/why.ts';
import { isWithinReach } from './owner-place.ts';
import type { Rules } from './retention.ts';

export interface Grouped {
  readonly key: string;
  readonly group: Group;
  /** Why no Job of this group may go, whatever its rank. */
  readonly closed?: Why;
  readonly rules: Rules;
  readonly jobs: readonly Job[];
}

/** All Jobs, group by group. Jobs that --skip-manual leaves out are in no group. */
export function groupJobs(snapshot: PruneSnapshot, options: PruneJobsOptions): Grouped[] {
  const groups = new Map<string, { group: Group; closed?: Why; counted: boolean; jobs: Job[] }>();
  for (const job of snapshot.jobs) {
    if (options.skipManual && job.manual) continue;
    const place = placeOf(job, snapshot, options);
    const known = groups.get(place.key);
    if (known === undefined) groups.set(place.key, { ...place, jobs: [job] });
    else known.jobs.push(job);
  }
  return [...groups].map(([key, { group: found, closed, counted, jobs }]) => {
    const group = counted ? withLimits(found, options) : found;
    // why a reference is invalid is what has to be told, before any count or age
    const rules = closed?.code === 'owner-in-other-namespace' ? noRules : rulesOf(group, options);
    return { key, group, jobs, rules, ...given({ closed }) };
  });
}

/** The group that it is counted in, or would be. */
export const groupKeyOf = (job: Job, snapshot: PruneSnapshot, options: PruneJobsOptions): string =>
  placeOf(job, snapshot, options).key;

/** What is shown as KEEPS is what counts: the flag, else the owner's own limit. */
function withLimits(group: Group, options: PruneJobsOptions): Group {
  const keepSucceeded = options.keepSucceeded ?? group.keepSucceeded;
  const keepFailed = options.keepFailed ?? group.keepFailed;
  return { ...group, ...given({ keepSucceeded, keepFailed }) };
}

function rulesOf(group: Group, options: PruneJobsOptions): Rules {
  return {
    complete: given({ keep: group.keepSucceeded, olderThanMs: options.succeededOlderThanMs }),
    failed: given({ keep: group.keepFailed, olderThanMs: options.failedOlderThanMs }),
  };
}

const noRules: Rules = { complete: {}, failed: {} };

interface Place {
  readonly key: string;
  readonly group: Group;
  /** Whether counts have a meaning here: for stand-alone Jobs only with --group-by. */
  readonly counted: boolean;
  readonly closed?: Why;
}

function placeOf(job: Job, snapshot: PruneSnapshot, options: PruneJobsOptions): Place {
  const owner = controllerOf(job) ?? job.owners[0];
  if (owner !== undefined) return placeOfOwned(job, owner, snapshot, options);
  if (options.groupBy !== undefined && job.group !== undefined) {
    const label = `${options.groupBy}=${job.group}`;
    return { key: `label ${job.ref.namespace} ${label}`, group: { label, kind: 'label' }, counted: true };
  }
  return {
    key: `standalone ${job.ref.namespace}`,
    group: { label: '-', kind: 'standalone' },
    counted: false,
  };
}

function placeOfOwned(
  job: Job,
  owner: OwnerReference,
  snapshot: PruneSnapshot,
  options: PruneJobsOptions,
): Place {
  const label = `${kindName(owner)}/${owner.name}`;
  const key = `owner ${owner.uid}`;
  const known = snapshot.owners.get(owner.uid);
  if (known !== undefined) {
    const { keepSucceeded, keepFailed } = known;
    const group: Group = { label, kind: 'owner', keepSucceeded, keepFailed };
    const closed = closedByPlace(job.ref, known.ref);
    // a group of its own: what names a far owner neither counts among that owner's Jobs nor keeps them from going
    return closed === undefined
      ? { key, group, counted: true }
      : { key: `${key} from ${job.ref.namespace}`, group: { label, kind: 'owner' }, counted: false, closed };
  }
  const named = options.owner !== undefined && isNamedOwner(owner, snapshot, options);
  if (!limitsHistory(owner)) {
    const group: Group = { label, kind: 'owner' };
    return named
      ? { key, group, counted: true }
      : { key, group, counted: true, closed: { code: 'owned-by-other-kind', facts: { owner: label } } };
  }
  const gone: Group = { label, kind: 'owner-gone' };
  return snapshot.ownerKindsRead.has(groupKind(owner))
    ? { key, group: gone, counted: true }
    : {
        key,
        group: { label, kind: 'owner' },
        counted: true,
        closed: { code: 'owner-unreadable', facts: { owner: label } },
      };
}

/** A namespaced owner must live in the Job's own namespace; the garbage collector may delete the Job because of such a reference. */
function closedByPlace(job: Ref, owner: Ref): Why | undefined {
  if (isWithinReach(owner, job)) return undefined;
  return { code: 'owner-in-other-namespace', facts: { owner: owner.name, namespace: owner.namespace ?? '' } };
}

/** The kinds whose own history limits we follow. */
const limitsHistory = (owner: OwnerReference): boolean => isCronJobKind(owner) || isScaledJobKind(owner);

export function isNamedOwner(
  owner: OwnerReference,
  snapshot: PruneSnapshot,
  options: PruneJobsOptions,
): boolean {
  const kind = snapshot.ownerKind;
  // group and kind, not version: an owner reference may name a version that is no longer served
  return kind !== undefined && isSameKind(owner, kind) && owner.name === options.owner?.name;
}
