// `status` from the outside: what it shows where not everything may be read, in each form; and that it never writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internalError } from '../support/fake/faults.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { runCli } from '../support/run-cli.ts';
import { aCronJob, aJob, aPod, aScaledJob } from '../support/world.ts';
import { aFake as anyFake } from './fake.ts';

/** Whatever it is asked, it only reads: not even an access review is sent. */
async function aFake(t: Parameters<typeof anyFake>[0]): Promise<FakeApi> {
  const api = await anyFake(t);
  t.after(() => {
    const others = api.log.all().filter(({ method }) => method !== 'GET');
    assert.deepEqual(
      others.map(({ method, path }) => `${method} ${path}`),
      [],
    );
  });
  return api;
}

/** A CronJob with five finished Jobs, two of them too many; a failed Job, and two Pods of a Job that is gone. */
function furnish(api: FakeApi, namespace = 'batch'): void {
  const nightly = aCronJob('nightly').in(namespace).limits(3, 1);
  const jobs = [1, 2, 3, 4, 5].map(day =>
    aJob(`nightly-${day}`).in(namespace).ownedBy(nightly).complete(`${day}d ago`),
  );
  const gone = aJob('gone').in(namespace);
  api.add(nightly, ...jobs, aJob('import').in(namespace).failed('2h ago'));
  api.add(aPod('gone-1').leakedBy(gone).succeeded(), aPod('gone-2').leakedBy(gone).running());
}

const lists = (api: FakeApi): string[] =>
  api.log
    .all()
    .filter(({ resource }) => resource !== undefined)
    .map(({ path }) => path.split('?')[0] ?? '');

test('a namespace: counts, and each finding with the command that deals with it; exit 0 also with findings', async t => {
  const api = await aFake(t);
  furnish(api);
  const { code, stdout, stderr } = await runCli('status', { api });
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  assert.match(
    stdout,
    /^CronJobs: 1\n {2}NAME .*\n {2}cronjob\.batch\/nightly +0 2 \* \* \* +active +in 14h/m,
  );
  assert.match(stdout, /^Jobs: 6, 2 too many, 5 complete, 1 failed$/m);
  assert.match(stdout, /^ {2}2 finished Jobs beyond retention.*\n {4}kubectl jobctl prune jobs -n batch$/m);
  assert.match(stdout, /^Leaked Pods: 2, 1 runs$/m);
  assert.match(stdout, /^ {4}kubectl jobctl prune pods -n batch$/m);
  assert.match(stdout, /^Stuck: none$/m);
});

test('one list of each kind: Pods before Jobs, Jobs before what makes them', async t => {
  const api = await aFake(t);
  furnish(api);
  await runCli('status', { api });
  const [first, second, ...rest] = lists(api);
  assert.deepEqual(
    [first, second],
    ['/api/v1/namespaces/batch/pods', '/apis/batch/v1/namespaces/batch/jobs'],
  );
  assert.deepEqual(rest.sort(), [
    '/apis/batch/v1/namespaces/batch/cronjobs',
    '/apis/keda.sh/v1alpha1/namespaces/batch/scaledjobs',
  ]);
});

test('-A: one list of each kind for the whole cluster, a row for each namespace that needs something', async t => {
  const api = await aFake(t);
  furnish(api);
  furnish(api, 'reports');
  api.add(aCronJob('fine').in('clean'));
  const { code, stdout } = await runCli('status -A', { api });
  assert.equal(code, 0);
  assert.equal(lists(api).length, 4);
  assert.match(stdout, /^NAMESPACE +CRONJOBS +JOBS +LEAKED PODS +STUCK +NEXT/m);
  assert.match(stdout, /^batch +1 +6: 2 too many, 1 failed +2, 1 runs +- +prune pods -n batch · /m);
  assert.match(stdout, /^reports +1/m);
  assert.doesNotMatch(stdout, /^clean/m);
  assert.match(stdout, /^2 of 3 namespaces need something; 1 is clean\.$/m);
});

test('an empty namespace is said to be empty', async t => {
  const api = await aFake(t);
  const { code, stdout } = await runCli('status -n nothing', { api });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /, namespace nothing\n\nCronJobs: none\nJobs: none\nLeaked Pods: none\nStuck: none\n$/,
  );
});

test('W08: Jobs that may not be listed are not absent: no Pod is called leaked, the rest is shown', async t => {
  const api = await aFake(t);
  furnish(api);
  api.rights.deny('list', 'jobs');
  const { code, stdout } = await runCli('status', { api });
  assert.equal(code, 0);
  assert.match(stdout, /^Jobs: not readable$/m);
  assert.match(stdout, /^Leaked Pods: not readable$/m);
  assert.doesNotMatch(stdout, /prune/);
  assert.match(stdout, /^ {2}cronjob\.batch\/nightly .* \? +\?$/m);
  assert.match(stdout, /^Not readable: jobs\.batch in namespace batch \(Error from server \(Forbidden\): /m);
});

test('W08: -A without the right to list Jobs of the cluster says so and how to go on; CronJobs are still shown', async t => {
  const api = await aFake(t);
  furnish(api);
  api.add(aCronJob('c').suspended().annotated(stopNote).withUid('c-uid'));
  api.rights.deny('*', 'jobs').allow('*', 'jobs', 'batch');
  const { code, stdout } = await runCli('status -A', { api });
  assert.equal(code, 0);
  assert.match(stdout, /^batch +2, 1 stopped +\? +\? +\? +resume cronjob\/c -n batch$/m);
  assert.match(stdout, /^Not readable: jobs\.batch in all namespaces \(forbidden\)$/m);
  assert.match(stdout, /^Where you may read only some namespaces, name one with -n\.$/m);
  assert.doesNotMatch(stdout, /clean/);
});

const stopNote = {
  'jobctl/stopped': JSON.stringify({
    v: 1,
    uid: 'c-uid',
    at: '2026-03-01T09:00:00Z',
    by: 'anna',
    reason: 'INC-1234\u001b[2J',
    changes: [{ path: '/spec/suspend', was: false, set: true }],
  }),
};

for (const [resource, missing] of [
  ['cronjobs', /^CronJobs: not readable$/m],
  ['pods', /^Leaked Pods: not readable$/m],
  ['jobs', /^Jobs: not readable$/m],
] as const) {
  test(`a list of ${resource} that fails with 500 is told as not readable, never as none`, async t => {
    const api = await aFake(t);
    furnish(api);
    api.faults.on({ method: 'GET', resource }, internalError());
    const { code, stdout } = await runCli('status', { api });
    assert.equal(code, 0);
    assert.match(stdout, missing);
    assert.match(stdout, new RegExp(`^Not readable: ${resource}.*etcdserver: no leader`, 'm'));
  });
}

test('an API group that does not answer may have ScaledJobs', async t => {
  const api = await aFake(t);
  furnish(api);
  api.silence('keda.sh', 'v1alpha1');
  const { stdout } = await runCli('status', { api });
  assert.match(stdout, /^CronJobs: 1, \? ScaledJobs$/m);
  assert.match(stdout, /^Not readable: scaledjobs\.keda\.sh/m);
});

test('where nothing at all may be read there is nothing to show: exit 1, in the words of the server', async t => {
  const api = await aFake(t);
  api.rights.deny('list', '*');
  const { code, stdout, stderr } = await runCli('status -A', { api });
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^Error from server \(Forbidden\): pods is forbidden: .*\n.*-n\.\n$/);
});

test('text from the cluster does not reach the terminal as it is', async t => {
  const api = await aFake(t);
  api.add(aCronJob('c').suspended().annotated(stopNote).withUid('c-uid'));
  const { stdout } = await runCli('status', { api });
  assert.match(stdout, /stopped by anna 3h ago \(INC-1234 \[2J\)/);
  assert.ok(!stdout.includes('\u001b'));
});

test('-o json and -o yaml are one document; -o name the objects that need somebody; -o wide everything', async t => {
  const api = await aFake(t);
  furnish(api);
  const json = JSON.parse((await runCli('status -o json', { api })).stdout);
  assert.deepEqual([json.apiVersion, json.kind], ['jobctl/v1', 'Status']);
  const [place] = json.byNamespace;
  assert.deepEqual(place.leakedPods, { finished: 1, running: 1, kept: 0 });
  assert.equal(place.jobs.tooMany, 2);
  assert.ok(
    place.findings.every(
      ({ text, next }: { text: string; next: string[] }) => text !== '' && next.length > 0,
    ),
  );
  assert.match((await runCli('status -o yaml', { api })).stdout, /^apiVersion: jobctl\/v1\nkind: Status\n/);
  const { stdout } = await runCli('status -o name', { api });
  assert.deepEqual(stdout.trim().split('\n'), [
    'pod/gone-2',
    'pod/gone-1',
    'job.batch/import',
    'job.batch/nightly-4',
    'job.batch/nightly-5',
  ]);
});

test('-o name of a namespace that needs nothing prints nothing', async t => {
  const api = await aFake(t);
  api.add(aCronJob('fine'));
  assert.equal((await runCli('status -o name', { api })).stdout, '');
});

test('a ScaledJob that is served is read, and its history counts', async t => {
  const api = await aFake(t);
  const queue = aScaledJob('queue').limits(1, 1);
  api.add(queue, ...[1, 2, 3].map(day => aJob(`q-${day}`).ownedBy(queue).complete(`${day}d ago`)));
  const { stdout } = await runCli('status', { api });
  assert.match(stdout, /^ {2}scaledjob\.keda\.sh\/queue +- +active +- +0 +2$/m);
});

for (const [line, complaint] of [
  ['status nightly', /status: "nightly" is one word too many; it shows a namespace: status -n NAMESPACE/],
  ['status -A -n batch', /--all-namespaces and --namespace exclude each other/],
  ['status -o table', /--output: "table" is not one of/],
  ['status --watch -o json', /--watch draws for people, -o json is for scripts/],
  ['status -w -o name', /--watch draws for people, -o name is for scripts/],
  ['status --yes', /unknown flag: --yes/],
  ['status --dry-run', /unknown flag: --dry-run/],
  ['status --watch', /--watch redraws a terminal, and standard error is none/],
] as const) {
  test(`“${line}” without a terminal is a usage error, before any request`, async t => {
    const api = await aFake(t);
    const { code, stdout, stderr } = await runCli(line, { api });
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, complaint);
    assert.deepEqual(api.log.all(), []);
  });
}
