// What `delete` shows, asks, refuses and never touches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditTrail } from '../cluster/audit.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createCustomResource, createDefinition } from '../cluster/state/custom-resources.ts';
import { configMapPath, createConfigMap, releaseObject } from '../cluster/state/finalizers.ts';
import { createFinishedJob, createFinishedJobs, createRunningJob, jobPath } from '../cluster/state/jobs.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { aPlace, operatorRules } from './operator.ts';

const plane = await sharedControlPlane();
const { admin } = plane;
const writes = { verbs: ['delete', 'patch', 'update', 'create', 'deletecollection'] } as const;

test('a dry run prints the tree and a digest, and sends nothing but access reviews', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  const cron = await createCronJob(admin, { name: 'nightly', namespace });
  const job = await createRunningJob(admin, { name: 'nightly-1', namespace, owner: cron });
  await createPodOf(admin, job, {
    name: 'nightly-1-x',
    phase: 'Running',
    graceSeconds: 300,
    preStop: ['true'],
  });
  const trail = await auditTrail(plane);
  const done = await run('delete cronjob/nightly --dry-run');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, new RegExp(`namespace ${namespace} \\(dry run\\)`));
  assert.match(
    done.stdout,
    /cronjob.batch\/nightly\n└─ job.batch\/nightly-1 +running\n {3}└─ pod\/nightly-1-x +Running: up to 300s grace, 1 preStop hook runs first/,
  );
  assert.match(done.stdout, /1 CronJob with 2 objects would be deleted \(Background\)/);
  assert.match(done.stdout, /plan [0-9a-f]{8} \(go on with exactly this: --confirm [0-9a-f]{8}\)/);
  const sent = await trail.events({ ...writes, user });
  assert.deepEqual(
    sent.filter(event => event.objectRef?.resource !== 'selfsubjectaccessreviews'),
    [],
  );
  assert.ok(await admin.find(jobPath(namespace, 'nightly-1')));
});

test('--confirm goes on with exactly the plan of the dry run, and refuses once anything has changed', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJobs(
    admin,
    ['a', 'b'].map(name => ({ name, namespace, ended: '1h', labels: { app: 'x' } })),
  );
  const [, digest] = /plan ([0-9a-f]{8})/.exec((await run('delete jobs -l app=x --dry-run')).stdout) ?? [];
  await createFinishedJob(admin, { name: 'c', namespace, ended: '1h', labels: { app: 'x' } });
  const stale = await run(`delete jobs -l app=x --confirm ${digest}`);
  assert.equal(stale.code, 3);
  assert.match(stale.stderr, /the plan is [0-9a-f]{8} now, not [0-9a-f]{8}; nothing was deleted/);
  await admin.delete(jobPath(namespace, 'c'), { propagationPolicy: 'Background' });
  const done = await run(`delete jobs -l app=x --confirm ${digest} -o name`);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(done.stdout.trim().split('\n').sort(), ['job.batch/a', 'job.batch/b']);
});

test('C16: without a terminal nothing is assumed: refused with the flags that would do; exit 3', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  const trail = await auditTrail(plane);
  const done = await run('delete job/j', 'y\n');
  assert.equal(done.code, 3);
  assert.match(done.stderr, new RegExp(`${plane.server}\\), namespace ${namespace}`));
  assert.match(
    done.stderr,
    /no terminal to ask on; nothing was deleted\nPass --yes to go ahead, or --confirm [0-9a-f]{8}/,
  );
  assert.deepEqual(await trail.events({ verbs: ['delete'], user }), []);
});

test('--max refuses a plan that is larger, dependents counted', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded' });
  const done = await run('delete job/j --yes --max 1');
  assert.equal(done.code, 3);
  assert.match(done.stderr, /the plan deletes 2 objects, --max allows 1/);
  assert.ok(await admin.find(jobPath(namespace, 'j')));
});

test('C15: -n with --all of a cluster-scoped kind is refused before any write', async t => {
  const { namespace, run, user } = await aPlace(t, plane, { everywhere: true });
  const trail = await auditTrail(plane);
  const done = await run(`delete namespaces --all -n ${namespace} --yes`);
  assert.equal(done.code, 3);
  assert.match(done.stderr, /namespaces are cluster-scoped: -n does not narrow them/);
  assert.deepEqual(await trail.events({ ...writes, user }), []);
  assert.equal((await admin.get(`/api/v1/namespaces/${namespace}`)).metadata.deletionTimestamp, undefined);
});

test('C14: rights in one namespace are enough there; under -A the 403 is explained with the way out', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  assert.equal((await run('delete jobs --all --dry-run')).code, 0);
  const everywhere = await run('delete jobs --all -A --dry-run');
  assert.equal(everywhere.code, 1);
  assert.match(
    everywhere.stderr,
    /^Error from server \(Forbidden\): jobs.batch is forbidden: User "[^"]+" cannot list resource "jobs" in API group "batch" at the cluster scope\nYou may not read this in all namespaces; name one with -n\.\n$/,
  );
});

test('without the right to delete the target nothing is begun; exit 3', async t => {
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }];
  const { namespace, run } = await aPlace(t, plane, { rules });
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  const done = await run('delete job/j --yes');
  assert.equal(done.code, 3);
  assert.match(done.stderr, new RegExp(`you may not delete jobs.batch in ${namespace}; nothing was deleted`));
});

test('a role that allows one name only is enough for that one, as for kubectl', async t => {
  const rules = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] },
    { apiGroups: ['batch'], resources: ['jobs'], resourceNames: ['etl'], verbs: ['delete'] },
  ];
  const { namespace, run } = await aPlace(t, plane, { rules });
  await createFinishedJobs(
    admin,
    ['etl', 'other'].map(name => ({ name, namespace, ended: '1h' })),
  );
  const done = await run('delete job/etl --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.equal((await run('delete job/other --yes')).code, 3);
  assert.deepEqual(
    (await admin.list(jobPath(namespace))).map(job => job.metadata.name),
    ['other'],
  );
});

test('a category such as all is every kind of it, and a TYPE given twice is one', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h', labels: { app: 'x' } });
  await createCronJob(admin, { name: 'c', namespace, labels: { app: 'x' } });
  const all = await run('delete all -l app=x --dry-run -o name');
  assert.deepEqual(all.stdout.trim().split('\n').sort(), ['cronjob.batch/c', 'job.batch/j']);
  assert.equal((await run('delete jobs,job -l app=x --dry-run -o name')).stdout, 'job.batch/j\n');
});

test('without the right to delete Pods they are left to the garbage collector, and that is said', async t => {
  const rules = [
    ...operatorRules.map(rule => ({ ...rule, verbs: ['get', 'list'] })),
    { apiGroups: ['batch'], resources: ['jobs'], verbs: ['delete'] },
  ];
  const { namespace, user, run } = await aPlace(t, plane, { rules });
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded' });
  const trail = await auditTrail(plane);
  const done = await run('delete job/j --yes');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /1 dependent left to the garbage collector/);
  assert.match(done.stderr, /1 Pod gone \(by the garbage collector\)/);
  assert.equal(await admin.find(podPath(namespace, 'p')), undefined);
  assert.deepEqual(await trail.events({ verbs: ['delete'], resource: 'pods', user }), []);
});

test('a keep mark on the Job or on its Pod refuses a named delete; --include-protected takes it', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJob(admin, { name: 'kept', namespace, ended: '1h', labels: { 'jobctl/keep': '' } });
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded', labels: { 'kor/used': 'true' } });
  const kept = await run('delete job/kept --yes');
  assert.equal(kept.code, 3);
  assert.match(kept.stderr, /refused: protected: jobctl\/keep \(--include-protected takes it\)/);
  assert.match((await run('delete job/j --yes')).stderr, /refused: pod\/p of it is protected/);
  const selected = await run('delete jobs --all --yes');
  assert.equal(selected.code, 0, selected.stderr);
  assert.equal((await admin.list(jobPath(namespace))).length, 2, 'a selection leaves what is protected');
  assert.equal((await run('delete jobs --all --yes --include-protected')).code, 0);
  assert.deepEqual(await admin.list(jobPath(namespace)), []);
});

test('a protected Job keeps the CronJob that owns it, when both are selected: the cascade would take it', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const owner = await createCronJob(admin, { name: 'nightly', namespace });
  await createFinishedJob(admin, {
    name: 'kept',
    namespace,
    owner,
    ended: '1h',
    labels: { 'jobctl/keep': '' },
  });
  await createFinishedJob(admin, { name: 'plain', namespace, ended: '1h' });
  const done = await run('delete cronjobs,jobs --all --yes -o json');
  assert.equal(done.code, 0, done.stderr);
  const verdicts = JSON.parse(done.stdout).findings.map(
    ({ name, verdict }: { name: string; verdict: string }) => `${name} ${verdict}`,
  );
  assert.deepEqual(verdicts.sort(), ['kept stays', 'nightly stays', 'plain delete']);
  assert.ok(await admin.find(jobPath(namespace, 'kept')));
});

test('a Namespace is not called deleted while something in it holds it; exit 4', async t => {
  const { namespace, kubeconfig, run } = await aPlace(t, plane, { everywhere: true });
  assert.ok(kubeconfig);
  await createConfigMap(admin, { name: 'held', namespace, finalizers: ['example.com/hold'] });
  t.after(() => releaseObject(admin, configMapPath(namespace, 'held')));
  const done = await run(`delete namespace/${namespace} --yes --timeout 5s`);
  assert.equal(done.code, 4, done.stderr);
  assert.ok(!done.stdout.includes(`"${namespace}" deleted`), done.stdout);
  assert.match(done.stderr, /takes \d+ configmaps with it/);
  assert.match(done.stderr, /terminating: what belongs to it goes first/);
});

test('D05: Jobs that only look like a CronJob’s own are listed as staying, and stay', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createCronJob(admin, { name: 'c', namespace });
  await createFinishedJobs(
    admin,
    ['c-100', 'c-101'].map(name => ({ name, namespace, ended: '1h' })),
  );
  const done = await run('delete cj/c --dry-run');
  assert.match(
    done.stdout,
    /├─ job.batch\/c-100 +stays: looks alike by name, is not owned\n└─ job.batch\/c-101/,
  );
  assert.equal((await run('delete cj/c --yes')).code, 0);
  assert.equal((await admin.list(jobPath(namespace))).length, 2);
});

test('D06, D15: a Job whose owner is gone, or is named in a version that is not served, is deleted as usual', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const cron = await createCronJob(admin, { name: 'c', namespace });
  const owner = { kind: 'CronJob', name: 'c', controller: true };
  await createRunningJob(admin, {
    name: 'old-version',
    namespace,
    ownerReferences: [{ ...owner, apiVersion: 'batch/v1beta1', uid: cron.metadata.uid }],
  });
  const preview = await run('delete job/old-version --dry-run');
  assert.match(preview.stdout, /job.batch\/old-version belongs to cronjob\/c, which may create another/);
  assert.equal((await run('delete job/old-version --yes')).code, 0);
  assert.equal(await admin.find(jobPath(namespace, 'old-version')), undefined);
});

test('D13: deleting a ScaledJob says how many of its Jobs are running, and offers orphaning with its consequence', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const group = `d13-${namespace}.test`;
  const definition = await createDefinition(admin, { group, kind: 'ScaledJob', plural: 'scaledjobs' });
  t.after(() => admin.delete(definition.path));
  const scaled = await createCustomResource(admin, definition, { name: 'queue', namespace });
  for (const name of ['a', 'b', 'c'])
    await createFinishedJob(admin, { name, namespace, ended: '1h', owner: scaled });
  for (const name of ['d', 'e']) await createRunningJob(admin, { name, namespace, owner: scaled });
  const done = await run(`delete scaledjobs.${group}/queue --dry-run`);
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stdout,
    /2 of 5 Jobs are running and will be ended. --cascade=orphan leaves them running/,
  );
});

test('an object that is not there: kubectl’s NotFound and exit 1; with --ignore-not-found exit 0', async t => {
  const { run } = await aPlace(t, plane);
  const done = await run('delete job/none --yes');
  assert.deepEqual(done, {
    stdout: '',
    stderr: 'Error from server (NotFound): jobs.batch "none" not found\n',
    code: 1,
  });
  const ignored = await run('delete job/none --yes --ignore-not-found');
  assert.equal(ignored.code, 0, ignored.stderr);
});

test('TYPE is taken in every spelling that kubectl takes; a kind that is not served is kubectl’s sentence', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  for (const type of ['job', 'jobs', 'Job', 'jobs.batch', 'job.batch', 'jobs.v1.batch']) {
    const done = await run(`delete ${type} j --dry-run -o name`);
    assert.deepEqual([type, done.stdout, done.code], [type, 'job.batch/j\n', 0]);
  }
  const wrong = await run('delete jbo j --dry-run');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /^error: the server doesn't have a resource type "jbo"/);
  assert.match((await run('delete jobs --dry-run')).stderr, /no name was specified/);
});

test('-f deletes what a manifest names, from standard input too', async t => {
  const { namespace, run } = await aPlace(t, plane);
  await createFinishedJobs(
    admin,
    ['a', 'b', 'c'].map(name => ({ name, namespace, ended: '1h' })),
  );
  const manifest = ['a', 'b']
    .map(name => `apiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}`)
    .join('\n---\n');
  const done = await run('delete -f - --yes', manifest);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(
    (await admin.list(jobPath(namespace))).map(job => job.metadata.name),
    ['c'],
  );
});

test('--dry-run=server asks the server about each delete, marked as a dry run, and changes nothing', async t => {
  const { namespace, user, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded' });
  const trail = await auditTrail(plane);
  const done = await run('delete job/j --dry-run=server');
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /job.batch "j" deleted from [^ ]+ namespace \(server dry run\)/);
  const deletes = await trail.atLeast(1, { verbs: ['delete'], user });
  assert.ok(deletes.every(event => event.dryRun));
  assert.equal((await admin.get(jobPath(namespace, 'j'))).metadata.uid, job.metadata.uid);
});

test('-o json is one document with every finding, action and the exit code', async t => {
  const { namespace, run } = await aPlace(t, plane);
  const job = await createFinishedJob(admin, { name: 'j', namespace, ended: '1h' });
  await createPodOf(admin, job, { name: 'p', phase: 'Succeeded' });
  const done = await run('delete job/j --yes -o json');
  const result = JSON.parse(done.stdout);
  assert.equal(result.apiVersion, 'jobctl/v1');
  assert.equal(result.exitCode, 0);
  assert.deepEqual(
    result.findings.map((finding: { name: string; verdict: string }) => [finding.name, finding.verdict]),
    [
      ['j', 'delete'],
      ['p', 'goes-with-owner'],
    ],
  );
  assert.equal(result.summary.deleted, 1);
  assert.equal(result.summary.dependentsGone, 1);
  assert.equal(result.actions[0].propagationPolicy, 'Background');
});
