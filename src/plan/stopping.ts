// `stop`, the rule of the waiting part: what one Job and its Pods need next, from what is seen now and nothing else. So a stop that
// died at any point is taken up by the next one.
//
// The Job controller deletes active Pods, logs and all, when it finds the Job finished, suspended or with more Pods than its
// parallelism (pkg/controller/job syncJob, manageJob). So: lift every limit first, let the Pods end by deadlines of their own, lower
// parallelism to what is still active each time one has ended, and end the Job when nothing is active any more.
import { given } from '../model/given.ts';
import { isFinished } from '../model/job.ts';
import { addToMemory, type Change } from '../model/memory.ts';
import type { ClosingRoute, StopAction, StopEffect, StopTerms } from '../model/stop-plan.ts';
import type { JobProgress, PodProgress, Stopping, StopStep, Work } from '../model/stopping.ts';
import type { WorkingJob } from '../model/working-job.ts';
import { isActive, type WorkingPod } from '../model/working-pod.ts';
import { holdChanges, limits, shieldOf, to } from './lifted-limits.ts';
import { progressOf } from './pod-progress.ts';
import { stopSource } from './stop-sources.ts';

type Planned = {
  readonly terms: Pick<StopTerms, 'by' | 'reason'>;
};

export function stopStep(work: Work, plan: Planned, now: Date): StopStep {
  const { job, pods } = work;
  const seen = pods.map(pod => progressOf(pod, work.silentNodes, now));
  const as = (is: JobProgress['is'], writes: readonly StopAction[] = []): StopStep => ({
    progress: { target: job.ref, state: job.state, is, pods: seen },
    writes,
  });
  const write = (does: StopEffect, changes: readonly Change[]): StopAction =>
    toAction(job, does, changes, plan, now);
  const active = pods.filter(isActive);
  if (job.deletingSince !== undefined) return as('deleted');
  // also where it came to its end by itself meanwhile
  const shield = shieldOf(job);
  if (isFinished(job.state)) return as('closed', shield.length === 0 ? [] : [write('hold', shield)]);
  if (job.state.is === 'ending') return as(active.length > 0 ? 'ending' : 'closing');
  if (job.suspended && active.length === 0) return as('suspended');
  if (active.length === 0 && job.counts.active === 0) return atRest(work, { as, write, now });
  const ends = active.filter(isNotTold).map(pod => endPod(pod, job, plan, now));
  return whileActive(work, active, ends, { as, write, now });
}

interface Saying {
  readonly now: Date;
  readonly as: (is: JobProgress['is'], writes?: readonly StopAction[]) => StopStep;
  readonly write: (does: StopEffect, changes: readonly Change[]) => StopAction;
}

function whileActive(
  work: Work,
  active: readonly WorkingPod[],
  ends: readonly StopAction[],
  { as, write, now }: Saying,
): StopStep {
  const { parallelism } = work.job.limits;
  const hold = holdChanges(work, now);
  if (hold.some(({ path }) => path !== limits.parallelism)) return as('holding', [write('hold', hold)]);
  if (ends.length === 0 && isNeverStarted(active) && parallelism > 0)
    return as('ending', [write('empty', [to(limits.parallelism, parallelism, 0)])]);
  const follow = hold.length === 0 ? [] : [write('follow', hold)];
  return as(active.length === 0 ? 'uncounted' : 'ending', [...follow, ...ends]);
}

const isNotTold = (pod: WorkingPod): boolean => (pod.deadlineSeconds ?? Infinity) > 1;

/** Only Pods that never started are left: they have no logs to lose, and no deadline ends them. */
const isNeverStarted = (active: readonly WorkingPod[]): boolean =>
  active.length > 0 && active.every(pod => pod.startedAt === undefined);

/** Nothing is active: no more Pods first, and then the end of the Job. */
function atRest({ job }: Work, { as, write }: Saying): StopStep {
  const { parallelism, backoffLimit, activeDeadlineSeconds } = job.limits;
  const shield = shieldOf(job);
  if (parallelism > 0 || shield.length > 0)
    return as('closing', [
      write('empty', [...(parallelism > 0 ? [to(limits.parallelism, parallelism, 0)] : []), ...shield]),
    ]);
  const isSent = (backoffLimit === 0 && job.counts.failed > 0) || activeDeadlineSeconds === 1;
  if (isSent) return as('closing');
  return as('closing', [
    write('close', [
      routeOf(job) === 'by-count'
        ? to(limits.backoffLimit, backoffLimit, 0)
        : to(limits.deadline, activeDeadlineSeconds, 1),
    ]),
  ]);
}

/** `failed > backoffLimit` ends a Job, per-index or not, whatever its restart policy. A failure that a policy ignores is not counted. */
const routeOf = (job: WorkingJob): ClosingRoute => (job.counts.failed > 0 ? 'by-count' : 'by-deadline');

function endPod(pod: WorkingPod, job: WorkingJob, plan: Planned, now: Date): StopAction {
  const change = to(limits.deadline, pod.deadlineSeconds, 1);
  return { ...toAction(pod, 'end-pod', [change], plan, now), under: job.ref.uid };
}

function toAction(
  object: WorkingJob | WorkingPod,
  does: StopEffect,
  changes: readonly Change[],
  plan: Planned,
  at: Date,
): StopAction {
  const { by, reason } = plan.terms;
  const { ref, remembered } = object;
  const memory = addToMemory(remembered, { uid: ref.uid, at, by, changes, ...given({ reason }) });
  const under = object.owners.find(owner => owner.controller)?.uid;
  return { target: ref, does, changes, memory, ...given({ under }) };
}

/**
 * Nothing is left to wait for: the Job has its end, and no container of it runs. A Job that will fail as soon as a Pod is gone whose
 * node does not answer counts as ended: nobody can make it so.
 */
export function isStopOver({ is, state, pods }: JobProgress): boolean {
  if (is === 'suspended' || is === 'deleted') return true;
  if (is === 'closed') return pods.every(pod => pod.is === 'ended');
  const isOutOfReach = (pod: PodProgress): boolean => pod.is === 'terminating' && pod.nodeSilent;
  const isDoomed = is === 'closing' && state.is === 'ending' && pods.some(isOutOfReach);
  return isDoomed && pods.every(pod => pod.is === 'ended' || isOutOfReach(pod));
}

/** Which way it will be, said before: an ignored exit code may leave nothing to be counted. */
export function predictedRoute({ job, pods }: Work): ClosingRoute {
  const mayIgnore = job.failureRules.some(({ action }) => action === 'Ignore');
  const willFail = pods.some(pod => isActive(pod) && pod.startedAt !== undefined) && !mayIgnore;
  return willFail ? 'by-count' : routeOf(job);
}

/** What the plan shows of the writes on one Job and its Pods: those that come first, and the end of each Pod. */
export function firstStep(work: Work, plan: Planned, now: Date): readonly StopAction[] {
  const { writes } = stopStep(work, plan, now);
  const ends = work.pods.filter(pod => isActive(pod) && isNotTold(pod));
  const shown = writes.filter(({ does }) => does !== 'end-pod');
  // nothing to write now, and still to be followed to its end
  const first = shown.length > 0 ? shown : [toAction(work.job, 'follow', [], plan, now)];
  return [...first, ...ends.map(pod => endPod(pod, work.job, plan, now))];
}

/** The rules of a stop, for `execute`. */
export const stopping: Stopping = {
  ofSource: stopSource,
  step: stopStep,
  firstWrites: firstStep,
  isOver: isStopOver,
};
