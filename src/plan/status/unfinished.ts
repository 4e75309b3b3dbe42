// Jobs that are not finished and do nothing: those that never started a Pod, and those whose Pods are gone (P04, P06).
import { given } from '../../model/given.ts';
import { isCronJobKind, kindName } from '../../model/kind.ts';
import { controllerOf, isTerminating } from '../../model/object.ts';
import type { NextCommand, StatusFinding } from '../../model/status.ts';
import type { WorkingJob } from '../../model/working-job.ts';
import { type About, placeOf } from './about.ts';
import { jobctl, kubectl, typed } from './next.ts';

/** The Job controller needs seconds for the first Pod. */
const isLateMs = 120_000;
/** Between two tries it waits ten minutes at most (pkg/controller/job, MaxJobPodFailureBackOff), and then needs a moment. */
const isIdleMs = 900_000;

/** All of one owner are one finding: they have one cause. */
export function neverStartedFindings(about: About): StatusFinding[] {
  const late = about.snapshot.jobs.filter(
    job => job.state.is === 'never-started' && isOurs(job) && about.since(job.createdAt) > isLateMs,
  );
  return [...Map.groupBy(late, ownerKey).values()].flatMap(jobs => {
    const oldest = jobs.reduce((first, job) => (job.createdAt < first.createdAt ? job : first));
    const owner = controllerOf(oldest);
    return {
      code: 'never-started',
      namespace: placeOf(oldest),
      needs: true,
      targets: jobs.map(({ ref }) => ref),
      facts: {
        count: jobs.length,
        job: typed(oldest.ref),
        sinceMs: about.since(oldest.createdAt),
        ...given({ owner: owner && `${kindName(owner)}/${owner.name}` }),
      },
      next: [kubectl(placeOf(oldest), 'describe', typed(oldest.ref)), ...endsOf(oldest)],
    };
  });
}

/** A controller of its own may count Pods elsewhere. */
const isOurs = (job: WorkingJob): boolean =>
  !isTerminating(job) && !job.managers.some(({ tool }) => tool === 'managed-by' || tool === 'kueue');

const ownerKey = (job: WorkingJob): string => `${placeOf(job)} ${controllerOf(job)?.uid ?? ''}`;

/** No more of them, and those that are there away. */
function endsOf(job: WorkingJob): NextCommand[] {
  const namespace = placeOf(job);
  const owner = controllerOf(job);
  const prune = ['prune', 'jobs', '--never-started-older-than', '1h'];
  if (owner === undefined) return [jobctl(namespace, ...prune, '--standalone')];
  const stop = isCronJobKind(owner)
    ? [jobctl(namespace, 'stop', `cronjob/${owner.name}`, '--suspend-only')]
    : [];
  return [...stop, jobctl(namespace, ...prune, '--owner', `${kindName(owner)}/${owner.name}`)];
}

export function idleFindings(about: About): StatusFinding[] {
  return about.snapshot.jobs
    .filter(job => job.state.is === 'idle' && isOurs(job))
    .flatMap(job => {
      const sinceMs = about.since(lastSignOf(job, about));
      if (sinceMs <= isIdleMs) return [];
      const namespace = placeOf(job);
      const next = [
        kubectl(namespace, 'describe', typed(job.ref)),
        jobctl(namespace, 'delete', typed(job.ref)),
      ];
      return { code: 'idle', namespace, needs: true, targets: [job.ref], facts: { sinceMs }, next };
    });
}

/** The end of its newest Pod; where they are gone, its start. */
function lastSignOf(job: WorkingJob, { podsOf }: About): Date {
  const ends = (podsOf.get(job.ref.uid) ?? []).flatMap(({ endedAt }) => endedAt?.getTime() ?? []);
  return new Date(Math.max((job.startedAt ?? job.createdAt).getTime(), ...ends));
}
