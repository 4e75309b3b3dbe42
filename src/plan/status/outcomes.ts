// Jobs that failed, and why: the newest outcome of what made them, or one that a later run may have made good.
import { given } from '../../model/given.ts';
import { type FinishedState, isFinished, type JobState } from '../../model/job.ts';
import { isCronJobKind, isScaledJobKind } from '../../model/kind.ts';
import { controllerOf, isTerminating, type OwnerReference } from '../../model/object.ts';
import type { StatusFinding } from '../../model/status.ts';
import type { WorkingJob } from '../../model/working-job.ts';
import { newestFirst } from '../order.ts';
import { type About, placeOf, presenceOf } from './about.ts';
import { kubectl, typed } from './next.ts';
import { isRemembered } from './stopped-jobs.ts';

type FailedJob = WorkingJob & { readonly state: Extract<JobState, { is: 'failed' }> };

export function failedFindings(about: About): StatusFinding[] {
  const superseded = supersededIn(about);
  return about.snapshot.jobs
    .filter(job => !isTerminating(job) && !isRemembered(job))
    .filter((job): job is FailedJob => job.state.is === 'failed')
    .map(job => {
      // what is no run of anything has no later one that could have made it good
      const isLast = !superseded.has(job.ref.uid);
      const { reason, endedAt } = job.state;
      const hasPods = (about.podsOf.get(job.ref.uid) ?? []).length > 0;
      const word = hasPods ? 'logs' : 'describe';
      const maker = makerOf(job, about);
      return {
        code: isLast ? 'failed-last' : 'failed-before',
        namespace: placeOf(job),
        needs: isLast,
        targets: [job.ref],
        facts: { reason, sinceMs: about.since(endedAt), ...given({ owner: maker && nameOf(maker) }) },
        next: [kubectl(placeOf(job), word, typed(job.ref))],
      };
    });
}

/**
 * What makes one Job after the other, so that each is a run of it: by the reference, also where the CronJobs could not be read. The Jobs
 * of any other owner (a JobSet, a workflow) stand side by side.
 */
function makerOf(job: WorkingJob, about: About): OwnerReference | undefined {
  const owner = controllerOf(job);
  if (owner === undefined || !(isCronJobKind(owner) || isScaledJobKind(owner))) return undefined;
  return presenceOf(owner, job, about) === 'elsewhere' ? undefined : owner;
}

const nameOf = ({ group, kind, name }: OwnerReference): string => typed({ kind: { group, kind }, name });

/** Of the runs of one owner, all but the newest that ended. */
function supersededIn(about: About): ReadonlySet<string> {
  const ended = about.snapshot.jobs.flatMap(job => {
    const maker = makerOf(job, about);
    return maker !== undefined && isFinished(job.state) ? [dated(job, job.state, maker)] : [];
  });
  const runs = Map.groupBy(ended, ({ of }) => of);
  return new Set([...runs.values()].flatMap(all => all.sort(newestFirst).slice(1)).map(({ uid }) => uid));
}

const dated = (job: WorkingJob, { endedAt }: FinishedState, maker: OwnerReference) => ({
  of: `${placeOf(job)} ${maker.uid}`,
  endedAt,
  startedAt: job.startedAt,
  name: job.ref.name,
  uid: job.ref.uid,
});
