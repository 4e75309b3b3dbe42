// What goes with a CronJob; a Job that goes; and one that does not.
import { createCronJob } from '../../../test/cluster/state/cronjobs.ts';
import { ownerReference } from '../../../test/cluster/state/draft.ts';
import { createConfigMap, releaseObject } from '../../../test/cluster/state/finalizers.ts';
import { createJob, createRunningJob, jobPath } from '../../../test/cluster/state/jobs.ts';
import { createNode } from '../../../test/cluster/state/nodes.ts';
import { createPodOf } from '../../../test/cluster/state/pods.ts';
import type { Session } from '../session.ts';
import type { Stage } from '../stage.ts';
import { finishedJob, finishedJobWithPod } from './finished.ts';

const namespace = 'reports';

async function enter(stage: Stage): Promise<Session> {
  return stage.session({ role: 'delete', namespace });
}

export async function deleteTree({ admin, ...stage }: Stage): Promise<string> {
  await stage.namespace(namespace);
  await createNode(admin, { name: 'worker-1' });
  const owner = await createCronJob(admin, { name: 'weekly', namespace });
  await finishedJobWithPod(admin, { name: 'weekly-29366', namespace, owner, ended: '9d' });
  const running = await createRunningJob(admin, { name: 'weekly-29367', namespace, owner }, '14m');
  await createPodOf(admin, running, {
    name: 'weekly-29367-p4k9q',
    phase: 'Running',
    started: '14m',
    node: 'worker-1',
    graceSeconds: 300,
    preStop: ['sh', '-c', 'rm -rf /scratch/*'],
  });
  const other = await finishedJob(admin, { name: 'import', namespace, ended: '2d' });
  const ownerReferences = [ownerReference(running), ownerReference(other, { controller: false })];
  await createConfigMap(admin, { name: 'lookup', namespace, ownerReferences });
  const session = await enter({ admin, ...stage });
  await session.kubectl('jobctl delete cronjob/weekly --dry-run');
  return session.text();
}

export async function deleteJob({ admin, ...stage }: Stage): Promise<string> {
  await finishedJobWithPod(admin, { name: 'report', namespace, ended: '9h' });
  const session = await enter({ admin, ...stage });
  await session.kubectl('jobctl delete report -y');
  await session.kubectl('get job report --ignore-not-found');
  await session.kubectl('get pods -l job-name=report');
  return session.text();
}

export async function deleteHeld({ admin, ...stage }: Stage): Promise<string> {
  await createJob(admin, {
    name: 'etl',
    namespace,
    spec: { suspend: true },
    finalizers: ['example.com/audit'],
  });
  const session = await enter({ admin, ...stage });
  await session.kubectl('jobctl delete job/etl -y --timeout 3s');
  session.exitCode();
  await releaseObject(admin, jobPath(namespace, 'etl'));
  return session.text();
}
