// `status` on a real control plane: what controllers really leave behind, seen by an ordinary user who may only list; and that it writes nothing.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { aNamespace, sharedControlPlane } from '../cluster/shared.ts';
import { createFinishedJob, createJob, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { playKubelet } from '../cluster/state/played-kubelet.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { allowIn, type Rule } from '../cluster/state/roles.ts';
import { until } from '../cluster/until.ts';
import { documentedRules } from '../support/documented-role.ts';
import { session } from './kubectl-jobctl.ts';
import { aPlace } from './operator.ts';
import { deleteTheOldWay } from './prune-pods-place.ts';
import { aCronJob, startWork, stopRules } from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

/** What the documents say that `status` needs. */
const statusRules = documentedRules('status');
const aPlaceToLook = (t: TestContext, more: readonly Rule[] = []) =>
  aPlace(t, plane, { rules: [...statusRules, ...more] });

test('a CronJob that was stopped is told with who and why, and resume, which status names, makes it go away', async t => {
  const { namespace, user, run } = await aPlaceToLook(t, stopRules);
  const kubelet = playKubelet(admin, namespace);
  t.after(() => kubelet.stop());
  const cronJob = await aCronJob(admin, namespace, 'sync', { timeZone: 'Asia/Tokyo' });
  await startWork(admin, { name: 'sync-1', namespace, owner: cronJob });
  const before = await run('status');
  assert.equal(before.code, 0, before.stderr);
  assert.match(
    before.stdout,
    /^ {2}cronjob\.batch\/sync +0 0 1 1 \* +active +in \d+[dh]\S* \(20\d\d-01-01 00:00 Asia\/Tokyo\) +1 +0$/m,
  );
  const stopped = await run(['stop', 'cronjob/sync', '--no-save', '--yes', '--reason', 'INC-1234']);
  assert.equal(stopped.code, 0, stopped.stderr);
  const { stdout } = await run('status');
  assert.match(
    stdout,
    new RegExp(
      `^ {2}cronjob\\.batch/sync stopped by ${user} \\d+s ago \\(INC-1234\\); its history limits are lifted$`,
      'm',
    ),
  );
  assert.match(stdout, /^ {2}job\/sync-1 is kept as a stop has left it$/m);
  const [, next = ''] = /^ {4}kubectl jobctl (resume cronjob.*)$/m.exec(stdout) ?? [];
  const resumed = await run(`${next} --yes`);
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.match((await run('status')).stdout, /^ {2}cronjob\.batch\/sync .* active /m);
});

test('Pods of Jobs that were deleted without a policy are leaked, those of living Jobs are not; the command it names finds the same', async t => {
  const { namespace, user, run } = await aPlaceToLook(t);
  const lives = await createRunningJob(admin, { name: 'lives', namespace });
  await createPodOf(admin, lives, { name: 'lives-a', phase: 'Running' });
  const dies = await createFinishedJob(admin, { name: 'dies', namespace, ended: '1h' });
  await createPodOf(admin, dies, { name: 'dies-a', phase: 'Succeeded', ended: '1h' });
  await createPodOf(admin, dies, { name: 'dies-b', phase: 'Running' });
  await deleteTheOldWay(admin, dies);
  const trail = await auditTrail(plane);
  const { code, stdout } = await run('status -o json');
  assert.equal(code, 0);
  const [place] = JSON.parse(stdout).byNamespace;
  assert.deepEqual(place.leakedPods, { finished: 1, running: 1, kept: 0 });
  const next = place.findings.flatMap((finding: { next: string[] }) => finding.next);
  assert.deepEqual(next, [
    `kubectl jobctl prune pods --include-running -n ${namespace}`,
    `kubectl jobctl prune pods -n ${namespace}`,
  ]);
  const pruned = await run('prune pods --dry-run -o name');
  assert.equal(pruned.stdout, 'pod/dies-a\n');
  const asked = await trail.events({ user });
  assert.deepEqual(
    [...new Set(asked.map(({ verb }) => verb))].filter(verb => !['get', 'list', 'create'].includes(verb)),
    [],
  );
});

test('it sends nothing but lists: no write, no review of rights', async t => {
  const { user, run } = await aPlaceToLook(t);
  const trail = await auditTrail(plane);
  assert.equal((await run('status')).code, 0);
  const asked = await trail.atLeast(3, { verbs: ['list'], user });
  assert.deepEqual(asked.map(({ objectRef }) => objectRef?.resource).sort(), ['cronjobs', 'jobs', 'pods']);
  const all = await trail.events({ user });
  assert.deepEqual(
    all.filter(({ verb }) => verb !== 'list' && verb !== 'get'),
    [],
  );
});

test('W08: a user who may list Pods and not Jobs sees that, and no leaked Pods', async t => {
  const namespace = await aNamespace(t, plane);
  const user = `half-${namespace}`;
  await allowIn(admin, namespace, {
    user,
    rules: statusRules.filter(({ apiGroups }) => apiGroups[0] === ''),
  });
  const job = await createFinishedJob(admin, { name: 'lives', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'lives-a', phase: 'Succeeded', ended: '1h' });
  const { run } = session(plane, plane.kubeconfigFor({ user, namespace }));
  const { code, stdout } = await run('status');
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^CronJobs: not readable$[\s\S]*^Jobs: not readable$[\s\S]*^Leaked Pods: not readable$/m,
  );
  assert.match(stdout, /^Not readable: jobs\.batch .*Forbidden.*cannot list resource "jobs"/m);
  const everywhere = await run('status -A');
  assert.equal(everywhere.code, 1);
  assert.match(everywhere.stderr, /^Error from server \(Forbidden\): pods is forbidden[^\n]*\n[^\n]*-n\.\n$/);
});

test('a Job whose Pods an admission rule refuses never started one: it is counted, and told once it has had its time', async t => {
  const { namespace, run } = await aPlaceToLook(t);
  await admin.create(`/api/v1/namespaces/${namespace}/resourcequotas`, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'none' },
    spec: { hard: { pods: '0' } },
  });
  await until('the quota to be known', 30_000, async () => {
    const quota = await admin.get(`/api/v1/namespaces/${namespace}/resourcequotas/none`);
    return quota.status?.['hard'] !== undefined;
  });
  await createJob(admin, { name: 'refused', namespace });
  await until('the Job controller to have tried', 30_000, async () => {
    const { status } = await admin.get(`${jobPath(namespace)}/refused`);
    return status?.['startTime'] !== undefined;
  });
  assert.deepEqual(await admin.list(podPath(namespace)), []);
  const { stdout } = await run('status');
  assert.match(stdout, /^Jobs: 1, 1 never started a Pod$/m);
  assert.doesNotMatch(stdout, /prune jobs/, 'it was made seconds ago');
});
