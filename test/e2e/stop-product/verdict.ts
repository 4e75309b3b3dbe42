// Whether one combination held: everything that was there before the stop is there after it, and nothing runs that was not told of.
import type { KubeObject } from '../../cluster/admin.ts';
import type { Aftermath } from './aftermath.ts';
import type { Told } from './told.ts';
import { type Case, ownerOf } from './work.ts';

export interface Verdict {
  readonly tried: Case;
  /** What did not hold; empty: it held. */
  readonly broken: readonly string[];
  /** Pods that were made while it was stopped, and of which the command told. */
  readonly appeared: number;
  /** Of those, the ones that are gone again: they never started. */
  readonly appearedAndGone: number;
}

export function judge(tried: Case, told: Told, aftermath: Aftermath): Verdict {
  const before = new Set([tried.job, ...tried.pods].map(({ metadata }) => metadata.uid));
  const after = new Set([...aftermath.jobs, ...aftermath.pods].map(({ metadata }) => metadata.uid));
  const ofCase = [...aftermath.ever.values()].filter(one => isOfCase(one, tried));
  const fresh = ofCase.filter(({ metadata }) => !before.has(metadata.uid));
  const lost = [tried.job, ...tried.pods].filter(({ metadata }) => !after.has(metadata.uid));
  const untold = fresh.filter(({ metadata }) => !told.appeared.has(metadata.uid));
  const made = fresh.length - untold.length;
  return {
    tried,
    broken: [
      ...lost.map(one => `${one === tried.job ? 'Job' : 'Pod'} ${one.metadata.name} is gone`),
      ...untold.map(({ metadata }) => `${metadata.name} was made and not told of`),
      ...told.lost
        .filter(isNameOf(tried))
        .map(({ kind, name }) => `${kind} ${name} was lost, says the command`),
      ...told.failed.filter(isNameOf(tried)).map(({ kind, name }) => `${kind} ${name} could not be written`),
      ...atEnd(tried, aftermath),
    ],
    appeared: made,
    appearedAndGone: fresh.filter(({ metadata }) => !after.has(metadata.uid)).length,
  };
}

const isOfCase = (one: KubeObject, { cronJob, job }: Case): boolean =>
  [cronJob.metadata.uid, job.metadata.uid].includes(ownerOf(one));

/** Its CronJob, its Job, or a Pod of that: `c-7`, `c-7-29937024`, `c-7-29937024-x2x4x`. */
const isNameOf =
  ({ cronJob }: Case) =>
  ({ name = '' }: { readonly name?: string }): boolean =>
    `${name}-`.startsWith(`${cronJob.metadata.name}-`);

interface Ended {
  readonly phase?: string;
  readonly reason?: string;
  readonly containerStatuses?: readonly { readonly state: { readonly terminated?: unknown } }[];
}

/** What has to be so when all is over. */
function atEnd({ cronJob, job, pods }: Case, aftermath: Aftermath): string[] {
  const byUid = new Map(
    [...aftermath.cronJobs, ...aftermath.jobs, ...aftermath.pods].map(one => [one.metadata.uid, one]),
  );
  const broken: string[] = [];
  if (byUid.get(cronJob.metadata.uid)?.spec?.['suspend'] !== true)
    broken.push('the CronJob is not suspended');
  const conditions = (byUid.get(job.metadata.uid)?.status?.['conditions'] ?? []) as readonly {
    readonly type: string;
    readonly status: string;
  }[];
  if (!conditions.some(({ type, status }) => type === 'Failed' && status === 'True'))
    broken.push(`the Job has not failed: ${JSON.stringify(conditions)}`);
  for (const pod of pods) {
    const { phase, containerStatuses = [] } = (byUid.get(pod.metadata.uid)?.status ?? {}) as Ended;
    const isOver =
      phase === 'Failed' && containerStatuses.every(({ state }) => state.terminated !== undefined);
    if (byUid.has(pod.metadata.uid) && !isOver) broken.push(`${pod.metadata.name} has not ended: ${phase}`);
  }
  const running = aftermath.pods.filter(
    pod =>
      ownerOf(pod) === job.metadata.uid && !['Failed', 'Succeeded'].includes(String(pod.status?.['phase'])),
  );
  if (running.length > 0)
    broken.push(`still there: ${running.map(({ metadata }) => metadata.name).join(', ')}`);
  return broken;
}
