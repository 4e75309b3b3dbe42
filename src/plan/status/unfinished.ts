// Jobs that are not finished and do nothing: those that never started a Pod, those whose Pods are gone (P04, P06), and those told to wait.
import { given } from '../../model/given.ts';
import type { JobPod } from '../../model/job-pod.ts';
import { isCronJobKind, type Kind, kindName } from '../../model/kind.ts';
import { isTerminating, type OwnerReference } from '../../model/object.ts';
import type { PruneJobsOptions } from '../../model/options.ts';
import { isEnded } from '../../model/pod.ts';
import type { NextCommand, StatusFinding } from '../../model/status.ts';
import type { WorkingJob } from '../../model/working-job.ts';
import { type About, firstOwnerOf, isKept, isKeptFromStop, placeOf, presenceOf } from './about.ts';
import { pruneAlone, prunedBy } from './history.ts';
import { jobctl, kubectl, typed } from './next.ts';
import { isRemembered } from './stopped-jobs.ts';

/** The Job controller needs seconds for the first Pod. */
const isLateMs = 120_000;
/** Between two tries it waits ten minutes at most (pkg/controller/job, MaxJobPodFailureBackOff), and then needs a moment. */
const isIdleMs = 900_000;

/** A controller of its own may count Pods elsewhere; what a stop has left half-way is told as that. */
const isOurs = (job: WorkingJob): boolean =>
  !isTerminating(job) &&
  !isRemembered(job) &&
  !job.managers.some(({ tool }) => tool === 'managed-by' || tool === 'kueue');

const isToldToWait = ({ limits }: WorkingJob): boolean => limits.parallelism === 0;

/** `never-started` or `idle`, and nobody has asked for that. */
const unfinished = (about: About, is: 'never-started' | 'idle'): WorkingJob[] =>
  about.snapshot.jobs.filter(job => job.state.is === is && isOurs(job) && !isToldToWait(job));

/** Somebody wants it so: told, and not counted as something to be done. */
export function noParallelismFindings({ snapshot }: About): StatusFinding[] {
  return snapshot.jobs
    .filter(job => ['never-started', 'idle'].includes(job.state.is) && isOurs(job) && isToldToWait(job))
    .map(job => ({
      code: 'no-parallelism',
      namespace: placeOf(job),
      needs: false,
      targets: [job.ref],
      facts: {},
      next: [kubectl(placeOf(job), 'describe', typed(job.ref))],
    }));
}

/** All of one owner are one finding: they have one cause. */
export function neverStartedFindings(about: About): StatusFinding[] {
  const late = unfinished(about, 'never-started').filter(job => about.since(job.createdAt) > isLateMs);
  return [...Map.groupBy(late, ownerKey).values()].flatMap(jobs => {
    const oldest = jobs.reduce((first, job) => (job.createdAt < first.createdAt ? job : first));
    const owner = firstOwnerOf(oldest);
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
      next: [
        kubectl(placeOf(oldest), 'describe', typed(oldest.ref)),
        ...noMoreOf(oldest, owner, about),
        ...away(jobs, owner, about),
      ],
    };
  });
}

const ownerKey = (job: WorkingJob): string => `${placeOf(job)} ${firstOwnerOf(job)?.uid ?? ''}`;

/** What is gone, or suspended, makes no more of them. */
function noMoreOf(job: WorkingJob, owner: OwnerReference | undefined, about: About): NextCommand[] {
  if (owner === undefined || !isCronJobKind(owner)) return [];
  const source = about.snapshot.sources.find(({ ref }) => ref.uid === owner.uid);
  const makesMore =
    source === undefined
      ? presenceOf(owner, job, about) === 'unknown'
      : presenceOf(owner, job, about) === 'there' && !source.suspended && !isTerminating(source);
  if (!makesMore || (source !== undefined && isKeptFromStop(source))) return [];
  return [jobctl(placeOf(job), 'stop', `cronjob/${owner.name}`, '--suspend-only')];
}

/** The prune that takes them; left out where it would take none. */
function away(jobs: readonly WorkingJob[], owner: OwnerReference | undefined, about: About): NextCommand[] {
  const [one] = jobs;
  const source = about.snapshot.sources.find(({ ref }) => ref.uid === owner?.uid);
  const which: Partial<PruneJobsOptions> =
    owner === undefined ? { standalone: true } : { owner: { type: kindName(owner), name: owner.name } };
  const taken = prunedBy(
    { ...pruneAlone, ...which, neverStartedOlderThanMs: isLateMs },
    {
      jobs,
      sources: source === undefined ? [] : [source],
      pods: jobs.flatMap(({ ref }) => about.podsOf.get(ref.uid) ?? []),
      ...given({ ownerKind: owner && kindOf(owner) }),
    },
    about,
  );
  if (one === undefined || taken.length === 0) return [];
  const words = owner === undefined ? ['--standalone'] : ['--owner', `${kindName(owner)}/${owner.name}`];
  return [jobctl(placeOf(one), 'prune', 'jobs', '--never-started-older-than', '2m', ...words)];
}

/** As far as a reference tells. */
const kindOf = ({ group, version, kind }: OwnerReference): Kind => ({
  group,
  version,
  kind,
  resource: '',
  singular: kind.toLowerCase(),
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: [],
});

/** Only where the Pods were read: the last of them may have ended a moment ago. */
export function idleFindings(about: About): StatusFinding[] {
  if (!about.arePodsRead) return [];
  return unfinished(about, 'idle').flatMap(job => {
    const pods = about.podsOf.get(job.ref.uid) ?? [];
    const sinceMs = about.since(lastSignOf(job, pods));
    // one that is still ending keeps the next one waiting (podReplacementPolicy)
    if (sinceMs <= isIdleMs || !pods.every(isEnded)) return [];
    const namespace = placeOf(job);
    const next = [
      kubectl(namespace, 'describe', typed(job.ref)),
      ...(isKept(job) ? [] : [jobctl(namespace, 'delete', typed(job.ref))]),
    ];
    return { code: 'idle' as const, namespace, needs: true, targets: [job.ref], facts: { sinceMs }, next };
  });
}

/** The end of its newest Pod, or what else is known of one; where they are gone, its start. */
function lastSignOf(job: WorkingJob, pods: readonly JobPod[]): Date {
  const signs = pods.map(({ endedAt, createdAt }) => (endedAt ?? createdAt).getTime());
  return new Date(Math.max((job.startedAt ?? job.createdAt).getTime(), ...signs));
}
