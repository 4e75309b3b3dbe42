// A CronJob is stopped while its work runs, and goes on later.
import { createCronJob, cronJobPath } from '../../../test/cluster/state/cronjobs.ts';
import { apiTime } from '../../../test/cluster/state/draft.ts';
import { playKubelet } from '../../../test/cluster/state/played-kubelet.ts';
import type { Stage } from '../stage.ts';
import { startWork } from './work.ts';

const namespace = 'billing';
const job = 'sync-29367510';
const generated = [job];

export async function stop(stage: Stage): Promise<string> {
  const { admin } = stage;
  await stage.namespace(namespace);
  const kubelet = playKubelet(admin, namespace);
  try {
    const owner = await createCronJob(admin, {
      name: 'sync',
      namespace,
      spec: { suspend: false, timeZone: 'Asia/Tokyo', schedule: '15 * * * *' },
    });
    const pods = await startWork(admin, { name: job, namespace, owner, play: { failsFirst: 1 } });
    const session = await stage.session({ role: 'stop', namespace, generated });
    await session.kubectl('jobctl stop cronjob/sync --dry-run');
    await session.kubectl('jobctl stop cronjob/sync --reason "INC-1234 double billing" -y');
    const columns = 'custom-columns=NAME:.metadata.name,PHASE:.status.phase';
    await session.kubectl(`get pods ${pods.join(' ')} -o ${columns}`);
    return session.text();
  } finally {
    await kubelet.stop();
  }
}

/** Some time after the stop: three runs were missed. */
export async function resume(stage: Stage): Promise<string> {
  const { admin } = stage;
  const lastScheduleTime = apiTime(quarterPast(3));
  await admin.patch(`${cronJobPath(namespace, 'sync')}/status`, { status: { lastScheduleTime } });
  const session = await stage.session({ role: 'stop', namespace, generated });
  await session.kubectl('jobctl resume');
  await session.kubectl('jobctl resume cronjob/sync --skip-missed --dry-run');
  await session.kubectl('jobctl resume cronjob/sync -y');
  return session.text();
}

/** The newest moment of the schedule, and this many hours before it. */
function quarterPast(hoursBefore: number): Date {
  const hourMs = 3_600_000;
  const offsetMs = hourMs / 4;
  const newest = Math.floor((Date.now() - offsetMs) / hourMs) * hourMs + offsetMs;
  return new Date(newest - hoursBefore * hourMs);
}
