// A namespace in which four objects stay Terminating, each for another reason.
import {
  createCustomResource,
  createDefinition,
  customResourcePath,
} from '../../../test/cluster/state/custom-resources.ts';
import { createFinishedJob, createRunningJob, jobPath } from '../../../test/cluster/state/jobs.ts';
import { createLease } from '../../../test/cluster/state/leases.ts';
import { createNode } from '../../../test/cluster/state/nodes.ts';
import { createPodOf, podPath } from '../../../test/cluster/state/pods.ts';
import { deleteAndHold } from '../../../test/cluster/state/terminating.ts';
import { claimPath, createClaim, usesClaim } from '../../../test/cluster/state/volumes.ts';
import type { Stage } from '../stage.ts';
import { finishedJob } from './finished.ts';

const namespace = 'legacy';
/** What has been stuck for longest stands first, and a server counts in seconds. */
const nextSecondMs = 1100;
const pause = (ms: number) => new Promise(done => setTimeout(done, ms));

export async function unstick({ admin, ...stage }: Stage): Promise<string> {
  await stage.namespace(namespace);
  await stage.namespace('keda');
  await createLease(admin, {
    name: 'operator.keda.sh',
    namespace: 'keda',
    holder: 'keda-operator-0',
    renewed: '31d',
  });
  const definition = await createDefinition(admin, {
    group: 'keda.sh',
    kind: 'ScaledJob',
    plural: 'scaledjobs',
    shortNames: ['sj'],
  });
  const owner = await createCustomResource(admin, definition, {
    name: 'queue',
    namespace,
    finalizers: ['finalizer.keda.sh'],
  });
  for (const name of ['queue-a', 'queue-b']) await createRunningJob(admin, { name, namespace, owner });
  await deleteAndHold(admin, customResourcePath(definition, namespace, 'queue'));
  await pause(nextSecondMs);

  await createNode(admin, { name: 'worker-2' });
  await createClaim(admin, { name: 'cache', namespace });
  const report = await finishedJob(admin, { name: 'report', namespace, ended: '2d' });
  await createPodOf(admin, report, {
    name: 'report-1',
    phase: 'Succeeded',
    ended: '2d',
    node: 'worker-2',
    spec: usesClaim('cache'),
  });
  await deleteAndHold(admin, claimPath(namespace, 'cache'));
  await pause(nextSecondMs);

  const etl = await createFinishedJob(admin, { name: 'etl', namespace, ended: '3h' });
  await createPodOf(admin, etl, {
    name: 'etl-9x2',
    phase: 'Succeeded',
    finalizers: ['batch.kubernetes.io/job-tracking'],
  });
  await deleteAndHold(admin, podPath(namespace, 'etl-9x2'));
  await pause(nextSecondMs);
  await deleteAndHold(admin, jobPath(namespace, 'etl'), { propagationPolicy: 'Foreground' });
  await pause(2 * nextSecondMs);
  const session = await stage.session({ role: 'unstick', namespace });
  await session.kubectl('jobctl unstick --stuck-for 1s');
  await session.kubectl('jobctl unstick job/etl --stuck-for 1s -y');
  await session.kubectl('jobctl unstick scaledjob/queue --finalizer finalizer.keda.sh --stuck-for 1s -y');
  return session.text();
}
