// `stop`, one object at a time: whether it is stopped, and what stands against that.
import { isFinished } from '../model/job.ts';
import type { JobSource } from '../model/job-source.ts';
import { controllerOf } from '../model/object.ts';
import type { StopOptions } from '../model/options.ts';
import type { Finding, Verdict } from '../model/plan.ts';
import type { StopSnapshot } from '../model/stop-snapshot.ts';
import type { Why } from '../model/why.ts';
import type { FailureRule, WorkingJob } from '../model/working-job.ts';
import { isActive, type WorkingPod } from '../model/working-pod.ts';
import { leftAlone } from './guards.ts';
import { bringsUpNext, holdChanges, indexesLeft } from './lifted-limits.ts';
import { predictedRoute } from './stopping.ts';

/** What the decision on one Job needs besides it. */
export interface About {
  readonly snapshot: StopSnapshot;
  readonly options: StopOptions;
  /** By the uid of their Job, in order. */
  readonly podsOf: (job: WorkingJob) => readonly WorkingPod[];
  /** Uids that were picked from a list; absent: all. */
  readonly chosen: ReadonlySet<string> | undefined;
}

export function jobFinding(job: WorkingJob, pods: readonly WorkingPod[], about: About): Finding {
  const asked = about.snapshot.asked.get(job.ref.uid);
  const work = { job, pods, silentNodes: about.snapshot.silentNodes };
  const seen: Finding['seen'] = {
    as: 'work',
    state: job.state,
    failed: job.counts.failed,
    route: predictedRoute(work),
    changes: holdChanges(work, about.snapshot.takenAt),
  };
  const as = (verdict: Verdict, why: Why): Finding => ({ target: job.ref, verdict, why, seen });
  const blocked = blockedBy(job, pods, about);
  // what only a selector matched is left alone; what was named, or belongs to it, is done together or not at all
  if (blocked !== undefined) return as(asked === 'selected' ? 'stays' : 'refused', blocked);
  const stays = staysBecause(job, about);
  if (stays !== undefined) return as('stays', stays);
  if (job.deletingSince !== undefined) {
    const sinceMs = about.snapshot.takenAt.getTime() - job.deletingSince.getTime();
    return as('already-terminating', {
      code: 'terminating',
      facts: { sinceMs, finalizers: job.finalizers.join(', ') },
    });
  }
  return as('stop', { code: asked === 'named' ? 'named' : asked === 'selected' ? 'selected' : 'owner-goes' });
}

function staysBecause(job: WorkingJob, { options, chosen }: About): Why | undefined {
  if (isFinished(job.state))
    return job.remembered.state === 'remembered'
      ? { code: 'stopped-before', facts: { by: job.remembered.memory.by } }
      : { code: 'finished' };
  if (options.suspendOnly) return { code: 'only-suspended' };
  if (job.state.is === 'suspended') return { code: 'job-suspended' };
  if (chosen !== undefined && !chosen.has(job.ref.uid)) return { code: 'not-chosen' };
  return undefined;
}

/** What would make a stop lose what it is to keep, or do nothing at all. */
function blockedBy(job: WorkingJob, pods: readonly WorkingPod[], about: About): Why | undefined {
  if (isFinished(job.state) || about.options.suspendOnly) return undefined;
  const kept = leftAlone(job, about.options);
  if (kept !== undefined) return kept;
  const owner = about.snapshot.unreadableOwners.get(job.ref.uid);
  if (owner !== undefined)
    return { code: 'owner-unreadable', facts: { owner: owner.kind.kind, problem: owner.problem.text } };
  const elsewhere = job.managers.find(({ tool }) => tool === 'managed-by');
  if (elsewhere !== undefined) return { code: 'driven-elsewhere', facts: { name: elsewhere.name } };
  const active = pods.filter(isActive).length;
  const queue = job.managers.find(({ tool }) => tool === 'kueue');
  // it evicts what loses a Pod and starts all of it again (source: Kueue's job reconciler)
  if (queue !== undefined && active > 1)
    return { code: 'queue-would-requeue', facts: { queue: queue.name, active } };
  const left = indexesLeft(job, active);
  if (active > 0 && bringsUpNext(job, active) && left > fewIndexes)
    return { code: 'indexes-would-run', facts: { count: left } };
  if (active > 1 && job.failureRules.some(failsJobOnKill))
    return { code: 'fails-the-job', facts: { active } };
  return undefined;
}

/** So many may come up while the others end: each is ended at once, and each is told. */
const fewIndexes = 10;

/** 143: TERM was not handled. 137: KILL at the end of the grace period. */
const codesOfKill = [143, 137];

/** The first Pod that ends so would end the Job, and the Job controller would delete the others. */
function failsJobOnKill({ action, exitCodes }: FailureRule): boolean {
  if (action !== 'FailJob' || exitCodes === undefined) return false;
  const { operator, values } = exitCodes;
  return codesOfKill.some(code => (operator === 'NotIn' ? !values.includes(code) : values.includes(code)));
}

export function podFinding(pod: WorkingPod, job: Finding, { snapshot }: About): Finding {
  const { phase, graceSeconds, preStopHooks } = pod;
  const isActiveNow = isActive(pod);
  const seen: Finding['seen'] = { as: 'pod', phase, graceSeconds, preStopHooks, ended: !isActiveNow };
  const as = (verdict: Verdict, why: Why): Finding => ({
    target: pod.ref,
    under: job.target.uid,
    verdict,
    why,
    seen,
  });
  if (job.verdict !== 'stop') return as('stays', job.why);
  if (pod.deletingSince !== undefined) {
    const sinceMs = snapshot.takenAt.getTime() - pod.deletingSince.getTime();
    return as('already-terminating', { code: 'pod-terminating', facts: { sinceMs } });
  }
  if (!isActiveNow) return as('stays', { code: 'pod-ended', facts: { phase } });
  if (pod.startedAt === undefined) return as('stop', { code: 'pod-never-started' });
  if (pod.deadlineSeconds !== undefined && pod.deadlineSeconds <= 1)
    return as('already-stopped', { code: 'pod-ending' });
  return as('stop', { code: 'owner-goes' });
}

export function sourceFinding(
  source: JobSource,
  changes: number,
  about: About,
): Pick<Finding, 'verdict' | 'why'> {
  const { uid } = source.ref;
  const { snapshot, options, chosen } = about;
  const kept = leftAlone(source, options);
  if (kept !== undefined)
    return {
      verdict: kept.code !== 'kube-namespace' && isMeant(uid, snapshot) ? 'refused' : 'stays',
      why: kept,
    };
  if (source.deletingSince !== undefined) {
    const sinceMs = snapshot.takenAt.getTime() - source.deletingSince.getTime();
    const finalizers = source.finalizers.join(', ');
    return { verdict: 'already-terminating', why: { code: 'terminating', facts: { sinceMs, finalizers } } };
  }
  if (chosen !== undefined && !chosen.has(uid)) return { verdict: 'stays', why: { code: 'not-chosen' } };
  if (changes === 0)
    return { verdict: 'already-stopped', why: { code: 'stopped-before', facts: byOf(source) } };
  const asked = snapshot.asked.get(uid);
  const code = asked === 'owner' ? 'makes-these-jobs' : asked === 'selected' ? 'selected' : 'named';
  return { verdict: 'stop', why: { code } };
}

/** Named, or in the plan because of one of its Jobs that was: then nothing is done without it. */
function isMeant(uid: string, { asked, jobs }: StopSnapshot): boolean {
  if (asked.get(uid) !== 'owner') return asked.get(uid) === 'named';
  return jobs.some(job => controllerOf(job)?.uid === uid && asked.get(job.ref.uid) === 'named');
}

const byOf = ({ remembered }: JobSource) => ({
  by: remembered.state === 'remembered' ? remembered.memory.by : '',
});
