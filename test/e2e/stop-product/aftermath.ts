// The time after a stop, in which the controllers may do harm: the CronJob controller trims its history whenever it looks at a CronJob
// and starts what is due, the TTL controller deletes what has ended, the Job controller replaces what has failed after 10 s and more.
import { type Admin, inParallel, type KubeObject } from '../../cluster/admin.ts';
import { cronJobPath } from '../../cluster/state/cronjobs.ts';
import { jobPath } from '../../cluster/state/jobs.ts';
import { podPath } from '../../cluster/state/pods.ts';
import type { Work } from './work.ts';

export interface Aftermath {
  readonly cronJobs: readonly KubeObject[];
  readonly jobs: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
  /** Everything that was there at any time after the command had ended, by uid. */
  readonly ever: ReadonlyMap<string, KubeObject>;
  readonly watchedSeconds: number;
}

/** Twice the 10 s after which a failed Pod is replaced, and some. */
const atLeastMs = 25_000;
const afterNextRunMs = 8000;
const pauseMs = 1000;

/** Looks again and again, until the controllers have had their time and the next run of each CronJob has passed. */
export async function watchAftermath(admin: Admin, namespace: string, work: Work): Promise<Aftermath> {
  const startedMs = Date.now();
  const endMs = Math.max(startedMs + atLeastMs, work.nextRun.getTime() + afterNextRunMs);
  const ever = new Map<string, KubeObject>();
  const look = async () => {
    const [cronJobs, jobs, pods] = await Promise.all([
      admin.list(cronJobPath(namespace)),
      admin.list(jobPath(namespace)),
      admin.list(podPath(namespace)),
    ]);
    for (const one of [...jobs, ...pods]) if (!ever.has(one.metadata.uid)) ever.set(one.metadata.uid, one);
    return { cronJobs, jobs, pods };
  };
  await touch(admin, namespace, work, 'first');
  let isTouchedAgain = false;
  for (;;) {
    const seen = await look();
    const nowMs = Date.now();
    if (!isTouchedAgain && nowMs > work.nextRun.getTime()) {
      isTouchedAgain = true;
      await touch(admin, namespace, work, 'again');
    }
    if (nowMs >= endMs) return { ...seen, ever, watchedSeconds: (nowMs - startedMs) / 1000 };
    await new Promise(done => setTimeout(done, pauseMs));
  }
}

/** Any write makes the CronJob controller look at it. */
const touch = (admin: Admin, namespace: string, { cases }: Work, value: string): Promise<unknown> =>
  inParallel(cases, ({ cronJob }) =>
    admin.patch(cronJobPath(namespace, cronJob.metadata.name), {
      metadata: { annotations: { 'test.example/touched': value } },
    }),
  );
