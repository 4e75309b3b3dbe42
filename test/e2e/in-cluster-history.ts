// Finished Jobs in many namespaces, some that the pruner of deploy/ has to take and some that it has to leave: each name says which.
import { type Admin, collection, inParallel, type KubeObject } from '../cluster/admin.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createFinishedJobs, type WantedFinishedJob } from '../cluster/state/jobs.ts';
import { createNamespace, namespacePath } from '../cluster/state/namespaces.ts';
import { createPodOf } from '../cluster/state/pods.ts';

export interface HistoryWish {
  readonly prefix: string;
  readonly namespaces: number;
  /** In each namespace. */
  readonly cronJobs: number;
  /** Of each CronJob, beyond the newest three: they go. */
  readonly runs: number;
  /** In each namespace, ended long ago: they go. */
  readonly standalone: number;
  /** Of each Job that goes, if wanted: an ended Pod. */
  readonly pods?: boolean;
}

export interface History {
  /** Uids of the Jobs that have to go. */
  readonly goes: ReadonlySet<string>;
  /** Uids of those that have to stay. */
  readonly stays: ReadonlySet<string>;
  readonly namespaces: readonly string[];
}

const kept = 3;

// The CronJob controller must not be faster than the pruner.
const ownLimits = { successfulJobsHistoryLimit: 10_000, failedJobsHistoryLimit: 10_000 };

async function inNamespace(admin: Admin, namespace: string, wish: HistoryWish): Promise<WantedFinishedJob[]> {
  await createNamespace(admin, { name: namespace });
  const of = async (at: number): Promise<WantedFinishedJob[]> => {
    const owner = await createCronJob(admin, { name: `c${at}`, namespace, spec: ownLimits });
    return Array.from({ length: wish.runs + kept }, (_, run) => ({
      name: `${run < kept ? 'stays' : 'goes'}-c${at}-${run}`,
      namespace,
      owner,
      ended: `${10 + run}d`,
    }));
  };
  const owned = (await inParallel([...Array(wish.cronJobs).keys()], of, 4)).flat();
  const alone = Array.from({ length: wish.standalone }, (_, at) => ({
    name: `goes-alone-${at}`,
    namespace,
    ended: '8d',
  }));
  const young = { name: 'stays-young', namespace, ended: '6d' };
  const marked = {
    name: 'stays-marked',
    namespace,
    ended: '40d',
    annotations: { 'jobctl/keep': 'true' },
  };
  return [...owned, ...alone, young, marked];
}

const uidsWhere = (jobs: readonly KubeObject[], word: string): ReadonlySet<string> =>
  new Set(jobs.filter(({ metadata }) => metadata.name.startsWith(word)).map(({ metadata }) => metadata.uid));

export async function makeHistory(admin: Admin, wish: HistoryWish): Promise<History> {
  const namespaces = Array.from({ length: wish.namespaces }, (_, at) => `${wish.prefix}-${at}`);
  const wanted = (await inParallel(namespaces, one => inNamespace(admin, one, wish), 8)).flat();
  const jobs = await createFinishedJobs(admin, wanted);
  const goes = uidsWhere(jobs, 'goes');
  if (wish.pods) {
    await inParallel(
      jobs.filter(({ metadata }) => goes.has(metadata.uid)),
      job => createPodOf(admin, job, { name: `${job.metadata.name}-p`, phase: 'Succeeded' }),
    );
  }
  return { goes, stays: uidsWhere(jobs, 'stays'), namespaces };
}

/** The uids of all Jobs that there are now in its namespaces. */
export async function jobsLeft(admin: Admin, { namespaces }: History): Promise<ReadonlySet<string>> {
  const all = await admin.list(collection('batch/v1', 'jobs'));
  const ours = new Set(namespaces);
  return new Set(
    all.filter(({ metadata }) => ours.has(metadata.namespace ?? '')).map(({ metadata }) => metadata.uid),
  );
}

/** So that the runs of later tests see nothing of it. */
export const forgetHistory = async (admin: Admin, { namespaces }: History): Promise<void> => {
  await inParallel(namespaces, one => admin.delete(namespacePath(one)));
};
