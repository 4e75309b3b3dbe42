// The demo's story of a history that nobody has tidied up, or somebody in the wrong way: finished Jobs beyond their limits, and Pods of
// Jobs that are long gone.
import type { ControlPlane } from '../cluster/control-plane.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createFinishedJob, jobPath } from '../cluster/state/jobs.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import type { Stage } from './stage.ts';

const first = 29_386;
const runs = Array.from({ length: 16 }, (_, at) => {
  const days = 16 - at;
  return { name: `nightly-${first + at}`, ended: `${days}d`, failed: days % 3 === 0 };
});
/** The oldest ones, which a script has deleted. */
const deleted = runs.slice(0, 3);
const podOf = ({ name }: (typeof runs)[number]): string => `${name}-pod`;

export async function showHistory(plane: ControlPlane, stage: Stage, namespace: string): Promise<void> {
  const { admin } = plane;
  const namesIn = async (path: string) =>
    (await admin.list(path)).map(({ metadata }) => metadata.name).sort();
  const jobs = () => namesIn(jobPath(namespace));
  const pods = () => namesIn(podPath(namespace));
  const owner = await createCronJob(admin, {
    name: 'nightly',
    namespace,
    spec: { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
  });
  for (const { name, ended, failed } of runs) {
    const outcome = failed ? 'failed' : 'complete';
    const job = await createFinishedJob(admin, { name, namespace, owner, ended, outcome });
    await createPodOf(admin, job, { name: `${name}-pod`, phase: failed ? 'Failed' : 'Succeeded', ended });
  }
  for (const { name } of deleted)
    await stage.kubectl(`delete --raw ${jobPath(namespace, name)}`, { quiet: true });
  await until('the Jobs to be gone', 60_000, async () => (await jobs()).length === 13);

  await stage.kubectl('get jobs,pods --no-headers');
  await stage.kubectl('jobctl prune --dry-run');
  stage.check('the dry run changed nothing', (await jobs()).length === 13 && (await pods()).length === 16);
  const pruned = await stage.kubectl('jobctl prune --yes');
  await stage.kubectl('get jobs,pods --no-headers');
  const kept = ['nightly-29398', 'nightly-29399', 'nightly-29400', 'nightly-29401'];
  stage.check(
    'the newest 3 succeeded and the newest failed run stay, nothing else',
    pruned === 0 && (await jobs()).join() === kept.join(),
  );
  const [left, ours] = [await pods(), kept.map(name => `${name}-pod`)];
  stage.check(
    'every Pod of a pruned Job is gone when the command returns',
    left.join() === [...deleted.map(podOf), ...ours].sort().join(),
  );
  stage.tell('But those of the Jobs that the script has deleted are still there, and nothing owns them:');
  const looked = await stage.kubectl('jobctl prune pods --dry-run');
  const swept = await stage.kubectl('jobctl prune pods --yes');
  await stage.kubectl('get pods --no-headers');
  stage.check(
    'the Pods that were left behind are gone, and no other',
    looked === 0 && swept === 0 && (await pods()).join() === ours.join(),
  );
}
