// Jobs that failed, and why; and those that a stop has ended and keeps.
import { given } from '../../model/given.ts';
import { type FinishedState, isFinished, type JobState } from '../../model/job.ts';
import { isTerminating } from '../../model/object.ts';
import type { StatusFinding } from '../../model/status.ts';
import type { WorkingJob } from '../../model/working-job.ts';
import { newestFirst } from '../order.ts';
import { type About, placeOf } from './about.ts';
import { jobctl, kubectl, typed } from './next.ts';

interface Ended extends WorkingJob {
  readonly state: FinishedState;
}

type FailedJob = WorkingJob & { readonly state: Extract<JobState, { is: 'failed' }> };

export function failedFindings(about: About): StatusFinding[] {
  const newest = newestOutcomes(about);
  return about.snapshot.jobs
    .filter(job => !isTerminating(job) && !isStopped(job))
    .filter((job): job is FailedJob => job.state.is === 'failed')
    .map(job => {
      // what stands alone has no later run that could have made it good
      const isLast = newest.get(job.ref.uid) !== 'superseded';
      const { reason, endedAt } = job.state;
      const hasPods = (about.podsOf.get(job.ref.uid) ?? []).length > 0;
      const word = hasPods ? 'logs' : 'describe';
      const owner = about.byUid.get(job.owners[0]?.uid ?? '')?.ref;
      return {
        code: isLast ? 'failed-last' : 'failed-before',
        namespace: placeOf(job),
        needs: isLast,
        targets: [job.ref],
        facts: { reason, sinceMs: about.since(endedAt), ...given({ owner: owner && typed(owner) }) },
        next: [kubectl(placeOf(job), word, typed(job.ref))],
      };
    });
}

/** Of the Jobs of one owner, all but the newest that ended. */
function newestOutcomes({ jobsOf }: About): ReadonlyMap<string, 'superseded'> {
  const found = new Map<string, 'superseded'>();
  for (const jobs of jobsOf.values()) {
    const ended = jobs.filter((job): job is Ended => isFinished(job.state));
    const dated = ended.map(({ ref, startedAt, state }) => ({
      endedAt: state.endedAt,
      startedAt,
      name: ref.name,
      uid: ref.uid,
    }));
    const [, ...older] = dated.sort(newestFirst);
    for (const { uid } of older) found.set(uid, 'superseded');
  }
  return found;
}

const isStopped = ({ remembered }: WorkingJob): boolean => remembered.state === 'remembered';

/** They stay as they are until somebody says that their evidence is not wanted any more. */
export function stoppedJobFindings({ snapshot }: About): StatusFinding[] {
  const stopped = snapshot.jobs.filter(job => isStopped(job) && !isTerminating(job));
  return [...Map.groupBy(stopped, placeOf)].map(([namespace, jobs]) => {
    const [one, more] = jobs;
    const next =
      one !== undefined && more === undefined
        ? jobctl(namespace, 'resume', typed(one.ref), '--release-evidence')
        : jobctl(namespace, 'resume');
    return {
      code: 'stopped-jobs',
      namespace,
      needs: false,
      targets: jobs.map(({ ref }) => ref),
      facts: { count: jobs.length, job: one === undefined ? '' : typed(one.ref) },
      next: [next],
    };
  });
}
