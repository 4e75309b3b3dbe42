// Running work on a real node, one CronJob and Job for each combination of the factors of stop-product, side by side; and what its
// containers leave behind.
import { type Fields, inParallel, type KubeObject } from '../cluster/admin.ts';
import type { ControlPlaneWithNode } from '../cluster/control-plane.ts';
import { createCronJob, cronJobPath } from '../cluster/state/cronjobs.ts';
import { apiTime } from '../cluster/state/draft.ts';
import { jobPath } from '../cluster/state/jobs.ts';
import { podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import {
  containerOf,
  exitCodesOf,
  logOf,
  podSpecOf,
  type Shared,
  savedLog,
  sharedFolder,
  statusOf,
  workScript,
} from './node-work.ts';
import type { Combination } from './stop-product/combinations.ts';
import { type Case, ownerOf } from './stop-product/work.ts';

const aMinute = 60_000;
const enough = 20;
const takesToEnd = { equal: [1], different: [0, 6, 14] } as const;

/** Some containers catch TERM and end well. Not where a policy ignores how a TERM ends. */
const exitCodeOf = ({ policy, concurrency }: Combination): number =>
  policy !== 'ignore' && concurrency === 'Forbid' ? 0 : 143;

function policyOf({ policy, earlier }: Combination): Fields {
  if (policy === 'per-index') return { backoffLimitPerIndex: earlier };
  if (policy === 'none') return { backoffLimit: enough };
  const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [143] } }];
  return { backoffLimit: enough, podFailurePolicy: { rules } };
}

function jobSpecOf(plane: ControlPlaneWithNode, combination: Combination, shared: Shared): Fields {
  const { restartPolicy, earlier, parallelism, indexed, grace, ttl } = combination;
  const container = containerOf(plane, {
    script: workScript({
      fails: { times: earlier, each: restartPolicy === 'Never' ? 'job' : 'pod' },
      takes: takesToEnd[grace],
      exitCode: exitCodeOf(combination),
    }),
    preStop: 'echo >/shared/hook-$POD',
  });
  return {
    parallelism,
    // one more to come, once one of these has ended for good
    completions: parallelism + 1,
    ...(indexed ? { completionMode: 'Indexed' } : {}),
    ...(ttl === 'unset' ? {} : { ttlSecondsAfterFinished: ttl }),
    ...policyOf(combination),
    template: { spec: podSpecOf(shared, [container], { restartPolicy }) },
  };
}

export interface NodeCase extends Case {
  readonly shared: Shared;
  readonly running: readonly KubeObject[];
}

/** Its Pods run and can be told to end, and what failed before has been counted. */
function isAsWanted({ combination, job, pods, running, shared }: NodeCase): boolean {
  const { parallelism, restartPolicy, earlier } = combination;
  const [failures, restarts] = restartPolicy === 'Never' ? [earlier, 0] : [0, earlier];
  return (
    job.status?.['active'] === parallelism &&
    job.status['ready'] === parallelism &&
    (job.status['failed'] ?? 0) === failures &&
    pods.length === parallelism + failures &&
    running.length === parallelism &&
    running.every(({ metadata }) => shared.has(`began-${metadata.name}`)) &&
    running.every(pod => statusOf(pod).containerStatuses?.[0]?.restartCount === restarts)
  );
}

/** The CronJob controller makes each Job at once, because it finds that it has missed a run. The next one comes at `nextRun`. */
export async function startCases(
  plane: ControlPlaneWithNode,
  namespace: string,
  combinations: readonly Combination[],
  leadMs: number,
): Promise<{ readonly cases: readonly NodeCase[]; readonly nextRun: Date }> {
  const { admin } = plane;
  const now = Date.now();
  const nextRun = new Date(Math.ceil((now + leadMs) / aMinute) * aMinute);
  const minutes = [new Date(now).getMinutes(), nextRun.getMinutes()];
  const made = await inParallel(combinations, async (combination, at) => {
    const name = `c-${at}`;
    const shared = sharedFolder(plane, `${namespace}-${name}`);
    const { failedLimit, concurrency } = combination;
    const cronJob = await createCronJob(admin, {
      name,
      namespace,
      labels: { tried: namespace },
      spec: {
        schedule: `${minutes.join()} * * * *`,
        suspend: false,
        concurrencyPolicy: concurrency,
        ...(failedLimit === 'unset' ? {} : { failedJobsHistoryLimit: failedLimit }),
        jobTemplate: { spec: jobSpecOf(plane, combination, shared) },
      },
    });
    const lastScheduleTime = apiTime(new Date(now - 30 * aMinute));
    await admin.patch(`${cronJobPath(namespace, name)}/status`, { status: { lastScheduleTime } });
    return { combination, cronJob, shared };
  });
  const cases = await until(`${combinations.length} Jobs to run as wanted`, leadMs, async () => {
    const jobs = Map.groupBy(await admin.list(jobPath(namespace)), ownerOf);
    const pods = Map.groupBy(await admin.list(podPath(namespace)), ownerOf);
    const found = made.flatMap((one): NodeCase[] => {
      const [job] = jobs.get(one.cronJob.metadata.uid) ?? [];
      const own = pods.get(job?.metadata.uid ?? '') ?? [];
      const running = own.filter(pod => statusOf(pod).phase === 'Running');
      const tried = job && { ...one, job, pods: own, running };
      return tried !== undefined && isAsWanted(tried) ? [tried] : [];
    });
    return found.length === made.length && found;
  });
  return { cases, nextRun };
}

/** What is not as the containers should have left it; `saved`: the folder of --save. */
export async function brokenInContainers(
  plane: ControlPlaneWithNode,
  { combination, running, shared }: NodeCase,
  saved: string,
): Promise<string[]> {
  const { restartPolicy, earlier } = combination;
  const broken = await inParallel(running, async ({ metadata }) => {
    const { name } = metadata;
    const pod = await plane.admin.get(podPath(String(metadata.namespace), name));
    const log = await logOf(plane, pod);
    // the node keeps one run of each container that has ended
    const before = restartPolicy === 'OnFailure' && earlier > 0;
    const previous = before ? savedLog(saved, name, 'main', true) : '';
    return [
      ...(log === `first line of ${name}\nlast line of ${name}\n` ? [] : [`the log of ${name} is ${log}`]),
      ...(previous === (before ? `failure ${earlier}\n` : '')
        ? []
        : [`the log of ${name} before is ${previous}`]),
      ...(exitCodesOf(pod).join() === String(exitCodeOf(combination))
        ? []
        : [`${name} ended with ${exitCodesOf(pod)}`]),
      ...(shared.has(`hook-${name}`) ? [] : [`the preStop hook of ${name} did not run`]),
    ];
  });
  return broken.flat();
}
