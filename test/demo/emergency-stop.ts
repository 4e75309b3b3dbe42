// The demo's story on a real node: a CronJob is stopped while its work runs, its Pods and logs stay, and it goes on as before.
import type { KubeObject } from '../cluster/admin.ts';
import type { ControlPlaneWithNode } from '../cluster/control-plane.ts';
import { createCronJob, cronJobPath } from '../cluster/state/cronjobs.ts';
import { apiTime } from '../cluster/state/draft.ts';
import { jobPath } from '../cluster/state/jobs.ts';
import { podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import {
  containerOf,
  logOf,
  podSpecOf,
  sharedFolder,
  statusOf,
  untilBegun,
  workScript,
} from '../e2e/node-work.ts';
import type { Stage } from './stage.ts';

const name = 'sync';

export async function showEmergencyStop(
  plane: ControlPlaneWithNode,
  stage: Stage,
  namespace: string,
): Promise<void> {
  const { admin } = plane;
  // this time with the controller that would start the next run
  await plane.stopControllerManager();
  await plane.startControllerManager({ flags: [] });
  const { pod, failed } = await startRun(plane, namespace);
  const { spec } = await admin.get(cronJobPath(namespace, name));
  const ours = `-l job-name=${pod.metadata.labels?.['job-name']}`;
  await stage.kubectl(`get pods ${ours} --no-headers`);
  const stopped = await stage.kubectl(
    `jobctl stop cronjob/${name} --reason INC-7 --save ${plane.dir}/evidence --yes`,
  );
  await stage.kubectl(`get pods ${ours} --no-headers`);
  await stage.kubectl(`logs ${pod.metadata.name}`);
  const [one, other] = await Promise.all([logOf(plane, pod), logOf(plane, failed)]);
  stage.check(
    'both Pods and their logs are there, to the line that the work printed on TERM',
    stopped === 0 && one.endsWith(`last line of ${pod.metadata.name}\n`) && other === 'failure 1\n',
  );
  const held = await admin.get(cronJobPath(namespace, name));
  stage.check('the CronJob is suspended', held.spec?.['suspend'] === true);
  stage.tell('Later, everything goes on as before:');
  const resumed = await stage.kubectl(`jobctl resume cronjob/${name} --yes`);
  const now = await admin.get(cronJobPath(namespace, name));
  stage.check(
    'the CronJob is what it was before the stop, field by field',
    resumed === 0 && JSON.stringify(now.spec) === JSON.stringify(spec),
  );
  stage.check(
    'the evidence is still there',
    (await admin.find(podPath(namespace, pod.metadata.name))) !== undefined,
  );
}

/** A run that has failed once: the Job controller makes the second Pod ten seconds later. */
async function startRun(
  plane: ControlPlaneWithNode,
  namespace: string,
): Promise<{ readonly pod: KubeObject; readonly failed: KubeObject }> {
  const { admin } = plane;
  const shared = sharedFolder(plane, name);
  const container = containerOf(plane, {
    script: workScript({ fails: { times: 1, each: 'job' }, takes: [2] }),
  });
  await createCronJob(admin, {
    name,
    namespace,
    spec: {
      schedule: '*/30 * * * *',
      suspend: false,
      jobTemplate: { spec: { template: { spec: podSpecOf(shared, [container]) } } },
    },
  });
  // a run that was missed is started at once
  const lastScheduleTime = apiTime(new Date(Date.now() - 60 * 60_000));
  await admin.patch(`${cronJobPath(namespace, name)}/status`, { status: { lastScheduleTime } });
  const job = await until('the run of the CronJob', 60_000, async () =>
    (await admin.list(jobPath(namespace))).find(({ metadata }) => metadata.name.startsWith(`${name}-`)),
  );
  await until('the first Pod to have failed', 60_000, async () => shared.has('failed-1'));
  const pods = (await untilBegun(admin, namespace, shared, 1)).filter(
    ({ metadata }) => metadata.labels?.['job-name'] === job.metadata.name,
  );
  const [pod] = pods.filter(one => statusOf(one).phase === 'Running');
  const [failed] = pods.filter(one => statusOf(one).phase === 'Failed');
  if (pod === undefined || failed === undefined) throw new Error('the run has not failed once');
  return { pod, failed };
}
