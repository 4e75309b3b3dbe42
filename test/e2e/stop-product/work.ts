// Running work, one CronJob and Job for each combination, side by side in one namespace. The Jobs are made by the real CronJob controller,
// at once: a run that it has missed is one that it catches up on.
import { type Admin, type Fields, inParallel, type KubeObject } from '../../cluster/admin.ts';
import { createCronJob, cronJobPath } from '../../cluster/state/cronjobs.ts';
import { apiTime } from '../../cluster/state/draft.ts';
import { jobPath } from '../../cluster/state/jobs.ts';
import { played } from '../../cluster/state/played-kubelet.ts';
import { podPath } from '../../cluster/state/pods.ts';
import { until } from '../../cluster/until.ts';
import type { Combination } from './combinations.ts';

/** Seconds from being told to the end, Pod by Pod. Ten seconds after a failure the Job controller makes a new Pod. */
const takesToEnd = { equal: 1, different: [0, 6, 14] } as const;

const enough = 20;

function policyOf({ policy, earlier }: Combination): Fields {
  // the exit code of what was told to end: the failures before it count
  if (policy === 'ignore')
    return {
      backoffLimit: enough,
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [143] } }],
      },
    };
  // no more than has failed already, so that for one Pod the end is the failure of its index
  return policy === 'per-index' ? { backoffLimitPerIndex: earlier } : { backoffLimit: enough };
}

export function jobSpecOf(combination: Combination): Fields {
  const { restartPolicy, earlier, parallelism, indexed, grace, ttl } = combination;
  const play = restartPolicy === 'Never' ? { failsFirst: earlier } : { restarts: earlier };
  return {
    parallelism,
    // one more to come, once one of these has ended for good
    completions: parallelism + 1,
    ...(indexed ? { completionMode: 'Indexed' } : {}),
    ...(ttl === 'unset' ? {} : { ttlSecondsAfterFinished: ttl }),
    ...policyOf(combination),
    template: {
      metadata: { annotations: played({ ...play, takesToEnd: takesToEnd[grace] }) },
      spec: { restartPolicy, containers: [{ name: 'main', image: 'registry.example/none:1' }] },
    },
  };
}

function cronJobSpecOf(combination: Combination, schedule: string): Fields {
  const { failedLimit, concurrency } = combination;
  return {
    schedule,
    suspend: false,
    concurrencyPolicy: concurrency,
    ...(failedLimit === 'unset' ? {} : { failedJobsHistoryLimit: failedLimit }),
    jobTemplate: { spec: jobSpecOf(combination) },
  };
}

/** One combination, and what was there before it was stopped. */
export interface Case {
  readonly combination: Combination;
  readonly cronJob: KubeObject;
  readonly job: KubeObject;
  readonly pods: readonly KubeObject[];
}

export interface Work {
  readonly cases: readonly Case[];
  /** When each CronJob would run next. */
  readonly nextRun: Date;
}

export const label = 'tried';
const aMinute = 60_000;

/** `leadMs`: what passes at least until the next run, in which all of it has to be stopped. */
export async function startWork(
  admin: Admin,
  namespace: string,
  combinations: readonly Combination[],
  leadMs: number,
): Promise<Work> {
  const now = Date.now();
  const nextRun = new Date(Math.ceil((now + leadMs) / aMinute) * aMinute);
  const missed = new Date(Math.floor(now / aMinute) * aMinute);
  // the controller-manager's own time zone
  const schedule = `${missed.getMinutes()},${nextRun.getMinutes()} * * * *`;
  const lastScheduleTime = apiTime(new Date(now - 30 * aMinute));
  const cronJobs = await inParallel(combinations, async (combination, at) => {
    const name = `c-${at}`;
    const wanted = { name, namespace, labels: { [label]: namespace } };
    const cronJob = await createCronJob(admin, { ...wanted, spec: cronJobSpecOf(combination, schedule) });
    await admin.patch(`${cronJobPath(namespace, name)}/status`, { status: { lastScheduleTime } });
    return { combination, cronJob };
  });
  const cases = await until(`${combinations.length} Jobs to run as wanted`, leadMs, async () => {
    const jobs = Map.groupBy(await admin.list(jobPath(namespace)), ownerOf);
    const pods = Map.groupBy(await admin.list(podPath(namespace)), ownerOf);
    const found = cronJobs.map(({ combination, cronJob }): Case | undefined => {
      const [job] = jobs.get(cronJob.metadata.uid) ?? [];
      if (job === undefined) return undefined;
      const one = { combination, cronJob, job, pods: pods.get(job.metadata.uid) ?? [] };
      return isAsWanted(one) ? one : undefined;
    });
    const cases = found.filter(one => one !== undefined);
    return cases.length === combinations.length && cases;
  });
  return { cases, nextRun };
}

export const ownerOf = ({ metadata }: KubeObject): string =>
  String(metadata.ownerReferences?.find(owner => owner['controller'] === true)?.['uid']);

interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly failed?: number;
  readonly uncountedTerminatedPods?: { readonly failed?: readonly string[] };
}

/** Its Pods run, and what failed before has been counted. */
function isAsWanted({ combination, job, pods }: Case): boolean {
  const { parallelism, restartPolicy, earlier } = combination;
  const { active = 0, ready = 0, failed = 0, uncountedTerminatedPods } = (job.status ?? {}) as JobStatus;
  const failures = restartPolicy === 'Never' ? earlier : 0;
  const isCounted = failed === failures && (uncountedTerminatedPods?.failed ?? []).length === 0;
  const running = pods.filter(pod => pod.status?.['phase'] === 'Running').length;
  return (
    active === parallelism &&
    ready === parallelism &&
    running === parallelism &&
    pods.length === parallelism + failures &&
    isCounted
  );
}
