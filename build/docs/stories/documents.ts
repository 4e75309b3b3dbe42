// One document of each kind and verb, as -o yaml prints it: from these the reference has its table of fields.
import { parse } from 'yaml';
import { createCronJob } from '../../../test/cluster/state/cronjobs.ts';
import { releaseObject } from '../../../test/cluster/state/finalizers.ts';
import { createJob, jobPath } from '../../../test/cluster/state/jobs.ts';
import { playKubelet } from '../../../test/cluster/state/played-kubelet.ts';
import { createLeakedPod } from '../../../test/cluster/state/pods.ts';
import { deleteAndHold } from '../../../test/cluster/state/terminating.ts';
import type { Stage } from '../stage.ts';
import { finishedJobWithPod } from './finished.ts';
import { startWork } from './work.ts';

const namespace = 'documents';

/** By the name of the file in docs/transcripts/documents/. */
export async function documents(stage: Stage): Promise<ReadonlyMap<string, unknown>> {
  const { admin } = stage;
  await stage.namespace(namespace);
  const told = new Map<string, unknown>();
  const ask = async (name: string, role: string, line: string, more: { mayNotDelete?: string } = {}) => {
    const session = await stage.session({ role, namespace, ...more });
    told.set(name, parse(await session.kubectl(`jobctl ${line} -o yaml 2> /dev/null`)));
  };
  const held = { namespace, finalizers: ['example.com/audit'], spec: { suspend: true } };

  await finishedJobWithPod(admin, { name: 'report', namespace, ended: '2d' });
  await ask('delete', 'delete', 'delete job/report -y');
  await finishedJobWithPod(admin, { name: 'other', namespace, ended: '2d' });
  await ask('delete-by-collector', 'delete', 'delete job/other -y', { mayNotDelete: 'pods' });
  await createJob(admin, { ...held, name: 'held' });
  await ask('delete-timed-out', 'delete', 'delete job/held -y --timeout 2s');
  await ask('unstick', 'unstick', 'unstick job/held --finalizer example.com/audit --stuck-for 1s -y');
  await finishedJobWithPod(admin, { name: 'old', namespace, ended: '9d' });
  await finishedJobWithPod(admin, {
    name: 'kept',
    namespace,
    ended: '9d',
    labels: { 'jobctl/keep': 'true' },
  });
  await ask('prune-jobs-refused', 'prune-jobs', 'prune --standalone --older-than 1d');
  await ask('prune-jobs', 'prune-jobs', 'prune --standalone --older-than 1d -y');
  await createLeakedPod(admin, { name: 'left', namespace, phase: 'Succeeded', ended: '9d' });
  await ask('prune-pods', 'prune-pods', 'prune pods -y');

  const kubelet = playKubelet(admin, namespace);
  try {
    const owner = await createCronJob(admin, { name: 'sync', namespace, spec: { suspend: false } });
    await startWork(admin, { name: 'sync-1', namespace, owner });
    await ask('stop', 'stop', 'stop cronjob/sync --reason INC-1234 --save evidence -y');
    await createJob(admin, { ...held, name: 'stuck' });
    await deleteAndHold(admin, jobPath(namespace, 'stuck'));
    await ask('status', 'status', 'status');
    await ask('resume', 'stop', 'resume cronjob/sync -y');
  } finally {
    await kubelet.stop();
    await releaseObject(admin, jobPath(namespace, 'stuck'));
  }
  return told;
}
