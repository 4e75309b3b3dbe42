// A CronJob with too much history, and Pods that a script has left behind.
import type { Admin } from '../../../test/cluster/admin.ts';
import { createCronJob } from '../../../test/cluster/state/cronjobs.ts';
import { createRunningJob, jobPath } from '../../../test/cluster/state/jobs.ts';
import type { Rule } from '../../../test/cluster/state/roles.ts';
import { until } from '../../../test/cluster/until.ts';
import type { Stage } from '../stage.ts';
import { finishedJobWithPod } from './finished.ts';

const namespace = 'batch';

export async function makeHistory(admin: Admin): Promise<void> {
  const owner = await createCronJob(admin, {
    name: 'nightly',
    namespace,
    spec: { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
  });
  for (const [at, ended, failed] of [
    [1, '10d', true],
    [2, '9d', false],
    [3, '8d', false],
    [4, '5d', true],
    [5, '4d', false],
    [6, '3d', false],
    [7, '2d', false],
  ] as const)
    await finishedJobWithPod(admin, { name: `nightly-2939${at}`, namespace, owner, ended, failed });
  await createRunningJob(admin, { name: 'nightly-29398', namespace, owner });
}

export async function prune(stage: Stage): Promise<string> {
  const session = await stage.session({ role: 'prune-jobs', namespace });
  const shown = await session.kubectl('jobctl prune --dry-run');
  const [, digest] = /--confirm ([0-9a-f]{8})/.exec(shown) ?? [];
  await session.kubectl(`jobctl prune --confirm ${digest}`);
  return session.text();
}

const alsoDeletesJobs: readonly Rule[] = [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['delete'] }];

export async function prunePods(stage: Stage): Promise<string> {
  const { admin } = stage;
  await finishedJobWithPod(admin, { name: 'report', namespace, ended: '2d' });
  await finishedJobWithPod(admin, { name: 'invoice', namespace, ended: '9h' });
  const session = await stage.session({ role: 'prune-pods', namespace, also: alsoDeletesJobs });
  await session.kubectl(`delete --raw ${jobPath(namespace, 'report')} > /dev/null`);
  await until('the Job to be gone', 30_000, async () => !(await admin.find(jobPath(namespace, 'report'))));
  await session.kubectl('get pods -l job-name=report -o name');
  await session.kubectl('jobctl prune pods --dry-run');
  await session.kubectl('jobctl prune pods -y');
  return session.text();
}
