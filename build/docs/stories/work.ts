// Work that runs: the real Job controller makes its Pods, a played kubelet starts and ends them.
import type { Admin, Fields, KubeObject } from '../../../test/cluster/admin.ts';
import { podSpec } from '../../../test/cluster/state/draft.ts';
import { createJob, jobPath } from '../../../test/cluster/state/jobs.ts';
import { type Play, played } from '../../../test/cluster/state/played-kubelet.ts';
import { podPath } from '../../../test/cluster/state/pods.ts';
import { until } from '../../../test/cluster/until.ts';

interface Wanted {
  readonly name: string;
  readonly namespace: string;
  readonly owner?: KubeObject;
  readonly play?: Play;
}

/** Answers once one Pod runs and those that failed before it have been counted: their names, the running one first. */
export async function startWork(admin: Admin, { play = {}, ...wanted }: Wanted): Promise<readonly string[]> {
  const template: Fields = { metadata: { annotations: played(play) }, spec: podSpec() };
  await createJob(admin, { ...wanted, spec: { template } });
  return until(`${wanted.name} to run`, 60_000, async () => {
    const { status = {} } = await admin.get(jobPath(wanted.namespace, wanted.name));
    if (status['active'] !== 1 || (status['failed'] ?? 0) !== (play.failsFirst ?? 0)) return undefined;
    const pods = await admin.list(`${podPath(wanted.namespace)}?labelSelector=job-name%3D${wanted.name}`);
    const isRunning = (pod: KubeObject) => pod.status?.['phase'] === 'Running';
    const running = pods.filter(isRunning);
    const others = pods.filter(pod => !isRunning(pod));
    return running.length === 1 ? [...running, ...others].map(({ metadata }) => metadata.name) : undefined;
  });
}
