// `prune jobs`, one Job at a time: why it goes or stays. The first rule that keeps it is the reason that is shown.
import { isFinished, type Job } from '../model/job.ts';
import { controllerOf, type ObjectMeta } from '../model/object.ts';
import type { PruneJobsOptions } from '../model/options.ts';
import type { Finding, Group } from '../model/plan.ts';
import type { PruneSnapshot } from '../model/snapshot.ts';
import type { Why } from '../model/why.ts';
import { groupJobs, groupKeyOf, isNamedOwner } from './groups.ts';
import { keepMarkOf, protectedBy } from './guards.ts';
import { retention } from './retention.ts';
import { isInShard } from './shard.ts';

export type PodsByOwner = ReadonlyMap<string, readonly ObjectMeta[]>;

/** A finding for every Job that was read; of a shard, for every Job of its groups, so that together the shards tell of each one once. */
export function judgeAll(
  snapshot: PruneSnapshot,
  options: PruneJobsOptions,
  pods: PodsByOwner,
  chosen: ReadonlySet<string> | undefined,
): Finding[] {
  const { shard } = options;
  const isOurs = (groupKey: string): boolean => shard === undefined || isInShard(groupKey, shard);
  const ours = groupJobs(snapshot, options).filter(({ key }) => isOurs(key));
  const judged = ours.flatMap(grouped => {
    const byCount = retention(grouped.jobs, grouped.rules, snapshot.takenAt);
    return grouped.jobs.map(job => {
      const own = pods.get(job.ref.uid) ?? [];
      const stays =
        stateKeeps(job, options, snapshot) ??
        grouped.closed ??
        narrowed(job, snapshot, options) ??
        guarded(job, own, options) ??
        (chosen === undefined || chosen.has(job.ref.uid) ? undefined : ({ code: 'not-chosen' } as const));
      const seen = { group: grouped.group, ...(snapshot.pods === undefined ? {} : { pods: own.length }) };
      return finding(job, stays, byCount.get(job.ref.uid) ?? neverStarted(options), seen);
    });
  });
  const skipped = snapshot.jobs.filter(
    job => options.skipManual && job.manual && isOurs(groupKeyOf(job, snapshot, options)),
  );
  return [...judged, ...skipped.map(job => finding(job, { code: 'manual-run' }, undefined, {}))];
}

function finding(
  job: Job,
  stays: Why | undefined,
  judged: (Why & { goes: boolean }) | undefined,
  more: { group?: Group; pods?: number },
): Finding {
  const seen = { as: 'job', state: job.state, manual: job.manual, ...more } as const;
  if (stays?.code === 'terminating')
    return { target: job.ref, verdict: 'already-terminating', why: stays, seen };
  // the count or the age comes first as a reason: "one of the newest 3" says more than "not selected"
  if (judged !== undefined && !judged.goes && !(judged.code === 'no-rule' && stays !== undefined))
    return { target: job.ref, verdict: 'stays', why: toWhy(judged), seen };
  if (stays !== undefined) return { target: job.ref, verdict: 'stays', why: stays, seen };
  if (judged === undefined) return { target: job.ref, verdict: 'stays', why: { code: 'no-rule' }, seen };
  return { target: job.ref, verdict: 'delete', why: toWhy(judged), seen };
}

const toWhy = ({ code, facts }: Why): Why => (facts === undefined ? { code } : { code, facts });

/** Only a condition makes a Job finished; everything else stays, whatever its counters say. */
function stateKeeps(job: Job, options: PruneJobsOptions, snapshot: PruneSnapshot): Why | undefined {
  if (job.deletingSince !== undefined) {
    return {
      code: 'terminating',
      facts: {
        sinceMs: snapshot.takenAt.getTime() - job.deletingSince.getTime(),
        finalizers: job.finalizers.join(', '),
      },
    };
  }
  const state = job.state;
  if (isFinished(state)) return undefined;
  if (state.is === 'running') return { code: 'running', facts: { active: state.active } };
  const ageMs = snapshot.takenAt.getTime() - job.createdAt.getTime();
  const tooLong = options.neverStartedOlderThanMs !== undefined && ageMs > options.neverStartedOlderThanMs;
  // a controller of its own may count Pods elsewhere
  const isOurs = !job.managers.some(({ tool }) => tool === 'managed-by' || tool === 'kueue');
  return state.is === 'never-started' && tooLong && isOurs ? undefined : { code: state.is };
}

/** Asked only of a Job that is neither finished nor kept for its state: one that never started, for too long. */
const neverStarted = (options: PruneJobsOptions): (Why & { goes: boolean }) | undefined =>
  options.neverStartedOlderThanMs === undefined
    ? undefined
    : { goes: true, code: 'never-started-too-long', facts: { ageMs: options.neverStartedOlderThanMs } };

/** --owner, --standalone, --reason and selectors narrow what may go, never what is counted. */
function narrowed(job: Job, snapshot: PruneSnapshot, options: PruneJobsOptions): Why | undefined {
  if (snapshot.selected !== undefined && !snapshot.selected.has(job.ref.uid)) return { code: 'not-selected' };
  const owner = controllerOf(job) ?? job.owners[0];
  if (options.standalone && owner !== undefined) return { code: 'not-standalone' };
  if (options.owner !== undefined && (owner === undefined || !isNamedOwner(owner, snapshot, options))) {
    return { code: 'not-of-owner' };
  }
  if (
    options.reasons.length > 0 &&
    !(job.state.is === 'failed' && options.reasons.includes(job.state.reason))
  ) {
    return { code: 'other-reason' };
  }
  return undefined;
}

function guarded(job: Job, pods: readonly ObjectMeta[], options: PruneJobsOptions): Why | undefined {
  const includeHooks = options.includeHooks || options.includeProtected;
  const why = protectedBy(job, {
    includeProtected: options.includeProtected,
    includeHooks,
    allNamespaces: options.allNamespaces,
  });
  if (why !== undefined) return why;
  const kept = options.includeProtected ? undefined : pods.find(pod => keepMarkOf(pod) !== undefined);
  if (kept !== undefined)
    return { code: 'kept-dependent', facts: { name: `pod/${kept.ref.name}`, mark: keepMarkOf(kept) ?? '' } };
  // somebody wants its Pods orphaned; Background would override that (measured on 1.36.3)
  return job.finalizers.includes('orphan') ? { code: 'orphan-finalizer' } : undefined;
}
