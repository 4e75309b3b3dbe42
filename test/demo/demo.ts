// `npm run demo`: the product on a real control plane of its own, in four stories. Ends with 0 only if every claim was checked
// and held. In the first three, Pods are written as a kubelet would have left them; the last needs a real node.

import { collection } from '../cluster/admin.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import {
  createCustomResource,
  createDefinition,
  customResourcePath,
} from '../cluster/state/custom-resources.ts';
import { createFinishedJob, jobPath } from '../cluster/state/jobs.ts';
import { untilServiceAccount } from '../cluster/state/namespaces.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { obstacleToNode } from '../run/node.ts';
import { showEmergencyStop } from './emergency-stop.ts';
import { showHistory } from './history.ts';
import { openStage } from './stage.ts';

const namespace = 'batch';

process.stdout.write(
  'starting etcd, kube-apiserver and kube-controller-manager (the first time they are built, which takes a while) …\n',
);
// without its own CronJob controller, because that would tidy up the history before you could see it
const options = { controllerManagerFlags: ['--controllers=*,-cronjob-controller'] };
const obstacle = await obstacleToNode();
const withNode = obstacle === undefined ? await startControlPlane({ ...options, node: true }) : undefined;
const plane = withNode ?? (await startControlPlane(options));
process.on('SIGINT', () => process.exit(130));
try {
  process.stdout.write(`Kubernetes ${plane.version} at ${plane.server}\n`);
  const { admin } = plane;
  await admin.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  await untilServiceAccount(admin, namespace);
  const stage = openStage(
    plane,
    plane.kubeconfigFor({ user: 'admin', groups: ['system:masters'], namespace }),
  );
  const pods = async () => (await admin.list(podPath(namespace))).map(pod => pod.metadata.name).sort();

  stage.tell(
    '1. A CronJob with too much history: 9 runs succeeded, 4 failed, the limits are 3 and 1. Each left a Pod. Three older ones were deleted by a script, through the API.',
  );
  await showHistory(plane, stage, namespace);

  stage.tell(
    '2. A Job deleted the wrong way: an API call without a propagation policy. The Job goes, its Pod stays, and nobody owns it.',
  );
  for (const name of ['report', 'invoice']) {
    const job = await createFinishedJob(admin, { name, namespace, ended: '1h' });
    await createPodOf(admin, job, { name: `${name}-pod`, phase: 'Succeeded' });
  }
  await stage.kubectl(`delete --raw ${jobPath(namespace, 'report')}`, { quiet: true });
  await stage.kubectl('get pod report-pod --no-headers');
  stage.check('the Pod was leaked', (await pods()).includes('report-pod'));
  stage.tell('The same with kubectl jobctl:');
  const deleted = await stage.kubectl('jobctl delete job/invoice --yes');
  await stage.kubectl('get pod invoice-pod --ignore-not-found');
  stage.check(
    'Job and Pod are both gone when the command returns',
    deleted === 0 && !(await pods()).includes('invoice-pod'),
  );

  stage.tell('3. A custom resource held by the finalizer of an operator that is no longer there.');
  const definition = await createDefinition(admin, {
    group: 'example.test',
    kind: 'Widget',
    plural: 'widgets',
  });
  await createCustomResource(admin, definition, {
    name: 'db',
    namespace,
    finalizers: ['example.test/cleanup'],
  });
  const find = (name: string) => admin.find(customResourcePath(definition, namespace, name));
  const held = await stage.kubectl('jobctl delete widget/db --yes --timeout 3s');
  stage.check('it is not called deleted, the finalizer is named, and the exit code is 4', held === 4);
  stage.tell('What holds it, and who should end that?');
  const asked = await stage.kubectl('jobctl unstick --stuck-for 1s');
  stage.check('asked without a name, it only looks', asked === 0 && (await find('db')) !== undefined);
  stage.tell('Nobody works on that finalizer any more, so we name it; it is removed, and looked at again:');
  const freed = await stage.kubectl(
    'jobctl unstick widget/db --finalizer example.test/cleanup --stuck-for 1s --yes',
  );
  await stage.kubectl('get widgets');
  stage.check(
    'the custom resource is gone when the command returns',
    freed === 0 && (await find('db')) === undefined,
  );
  stage.check(
    'nothing else was touched',
    (await admin.list(collection('batch/v1', 'cronjobs', namespace))).length === 1,
  );

  stage.tell(
    '4. Stop the CronJob now, but keep the evidence. Its run failed once, the second try is at work.',
  );
  if (withNode === undefined)
    process.stdout.write(`Left out, because it needs a real node: ${obstacle?.why}\n`);
  else await showEmergencyStop(withNode, stage, namespace);

  process.stdout.write(
    stage.broken.length === 0
      ? '\nEvery claim above was checked and held.\n'
      : `\n${stage.broken.length} claims did not hold.\n`,
  );
  process.exitCode = stage.broken.length === 0 ? 0 : 1;
} finally {
  await plane.stop();
}
