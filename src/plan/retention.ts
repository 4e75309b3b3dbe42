// Which finished Jobs of one group are beyond retention. A rule always sees the whole group before anything is removed from it.
import { type FinishedState, isFinished, type Job } from '../model/job.ts';
import type { Why } from '../model/why.ts';
import { newestFirst } from './order.ts';

/** Two dimensions: a Job goes only if neither the count nor the age keeps it. Absent: this dimension says nothing. */
interface Rule {
  readonly keep?: number;
  readonly olderThanMs?: number;
}

export interface Rules {
  readonly complete: Rule;
  readonly failed: Rule;
}

/** By uid: whether a finished Job goes, and why. Jobs that are unfinished or already terminating are not in the result, and not counted. */
export function retention(
  group: readonly Job[],
  rules: Rules,
  now: Date,
): ReadonlyMap<string, Why & { goes: boolean }> {
  const result = new Map<string, Why & { goes: boolean }>();
  for (const outcome of ['complete', 'failed'] as const) {
    const ended = group.filter(job => job.deletingSince === undefined && job.state.is === outcome);
    const dated = ended.flatMap(job => (isFinished(job.state) ? [toDated(job, job.state)] : []));
    dated.sort(newestFirst).forEach((job, rank) => {
      result.set(job.uid, judge(rank, now.getTime() - job.endedAt.getTime(), rules[outcome]));
    });
  }
  return result;
}

const toDated = (job: Job, state: FinishedState) => ({
  endedAt: state.endedAt,
  startedAt: job.startedAt,
  name: job.ref.name,
  uid: job.ref.uid,
});

function judge(rank: number, ageMs: number, rule: Rule): Why & { goes: boolean } {
  if (rule.keep !== undefined && rank < rule.keep)
    return { goes: false, code: 'one-of-newest', facts: { limit: rule.keep } };
  if (rule.olderThanMs !== undefined && ageMs <= rule.olderThanMs) {
    return { goes: false, code: 'younger-than', facts: { ageMs: rule.olderThanMs } };
  }
  if (rule.keep !== undefined && rule.olderThanMs !== undefined) {
    return { goes: true, code: 'beyond-count-and-age', facts: { limit: rule.keep, ageMs: rule.olderThanMs } };
  }
  if (rule.keep !== undefined) return { goes: true, code: 'beyond-count', facts: { limit: rule.keep } };
  if (rule.olderThanMs !== undefined)
    return { goes: true, code: 'beyond-age', facts: { ageMs: rule.olderThanMs } };
  return { goes: false, code: 'no-rule' };
}
