import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { auditTrail } from './audit.ts';
import { assertOwnKubeconfig } from './kubeconfig.ts';
import { aNamespace, sharedControlPlane } from './shared.ts';
import { createFinishedJob, jobPath } from './state/jobs.ts';
import { allowEverywhere, allowIn, clusterRolePaths } from './state/roles.ts';
import { until } from './until.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

function kubectl(kubeconfig: string, ...args: readonly string[]) {
  assertOwnKubeconfig(kubeconfig);
  const env = { HOME: plane.dir, PATH: process.env['PATH'] ?? '' };
  return promisify(execFile)(plane.kubectl, ['--kubeconfig', kubeconfig, ...args], { env });
}

test('server and kubectl call themselves by the version that was asked for', async () => {
  const { stdout } = await kubectl(plane.adminKubeconfig, 'version');
  assert.match(stdout, new RegExp(`Client Version: v${plane.version}`));
  assert.match(stdout, new RegExp(`Server Version: v${plane.version}`));
});

test('an ordinary user may do nothing until a test allows it', async t => {
  const namespace = await aNamespace(t, plane);
  const user = `jane-${namespace}`;
  const kubeconfig = plane.kubeconfigFor({ user, groups: ['team'], namespace });
  const { stdout } = await kubectl(kubeconfig, 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.groups}');
  assert.equal(stdout, '["team","system:authenticated"]');
  await assert.rejects(kubectl(kubeconfig, 'get', 'jobs'), /jobs.batch is forbidden/);
  await allowIn(admin, namespace, {
    user,
    rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['list'] }],
  });
  await until('the role to count', 10_000, () => kubectl(kubeconfig, 'get', 'jobs'));
  await assert.rejects(kubectl(kubeconfig, 'get', 'jobs', '--all-namespaces'), /forbidden/);
  await allowEverywhere(admin, {
    user,
    rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['list'] }],
  });
  t.after(() => Promise.all(clusterRolePaths(user).map(path => admin.delete(path))));
  await until('the role to count', 10_000, () => kubectl(kubeconfig, 'get', 'jobs', '--all-namespaces'));
});

test('the audit log has the DeleteOptions that arrived', async t => {
  const namespace = await aNamespace(t, plane);
  const kept = await createFinishedJob(admin, { namespace, name: 'old', ended: '2h' });
  const trail = await auditTrail(plane);
  await kubectl(
    plane.adminKubeconfig,
    'delete',
    'job',
    'old',
    '-n',
    namespace,
    '--cascade=foreground',
    '--wait=false',
  );
  await admin.delete(jobPath(namespace, 'old'), {
    propagationPolicy: 'Background',
    preconditions: { uid: kept.metadata.uid },
    dryRun: ['All'],
  });
  const events = await trail.atLeast(2, { namespace, verbs: ['delete'], resource: 'jobs', user: 'admin' });
  assert.equal(events[0]?.requestObject?.['propagationPolicy'], 'Foreground');
  assert.equal(events[0]?.objectRef?.name, 'old');
  assert.equal(events[0]?.dryRun, false);
  assert.deepEqual(events[1]?.requestObject?.['preconditions'], { uid: kept.metadata.uid });
  assert.equal(events[1]?.dryRun, true);
});

test('the garbage collector works', async t => {
  const namespace = await aNamespace(t, plane);
  const owner = await createFinishedJob(admin, { namespace, name: 'owner', ended: '2h' });
  await createFinishedJob(admin, { namespace, name: 'owned', ended: '2h', owner });
  await admin.delete(jobPath(namespace, 'owner'), { propagationPolicy: 'Background' });
  await until(
    'the owned Job to be collected',
    60_000,
    async () => !(await admin.find(jobPath(namespace, 'owned'))),
  );
});

test('a kubeconfig that the tests did not write is refused', () => {
  assert.doesNotThrow(() => assertOwnKubeconfig(plane.adminKubeconfig));
  const foreign = join(plane.dir, `foreign-${process.pid}.kubeconfig`);
  writeFileSync(
    foreign,
    'current-context: prod\nclusters: [{name: prod, cluster: {server: "https://prod.example"}}]\n',
  );
  assert.throws(() => assertOwnKubeconfig(foreign), /was not written by these tests/);
});
