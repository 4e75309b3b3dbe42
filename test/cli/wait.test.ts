// The wait after the deletes: only what was seen to be gone counts, and a wait that ends says what is left and why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/run-cli.ts';
import { aCronJob, aJob, aNode, aPod, aScaledJob } from '../support/world.ts';
import { aFake } from './fake.ts';

test('D18: a Pod whose node does not answer is told as such, and exit 4 says that time ran out', async t => {
  const api = await aFake(t);
  api.add(aNode('lost', 'Unknown'), aPod('p').running({ node: 'lost' }).deletingSince('10m ago', 30));
  const { code, stderr } = await runCli('delete pod/p --yes --timeout 1s', { api });
  assert.equal(code, 4);
  assert.match(stderr, /^error: timed out after 1s: pod\/p is still there$/m);
  assert.match(stderr, /pod\/p: its node lost does not answer, nothing to unstick/);
  assert.match(stderr, /^Wait on: kubectl wait --for=delete pod\/p -n batch/m);
  assert.deepEqual(api.log.writes(), [], 'it is terminating already');
});

test('D03: a Job that a finalizer holds is accepted, not deleted, and the finalizer is named', async t => {
  const api = await aFake(t);
  api.add(aJob('held').complete('2d ago').finalizers(['example.com/hold']));
  const { code, stdout, stderr } = await runCli('delete job/held --yes --timeout 1s', { api });
  assert.equal(code, 4);
  assert.match(stdout, /^job\.batch\/held deletion accepted, waiting on: example\.com\/hold$/m);
  assert.match(stderr, /^0 deleted, 1 accepted but not gone, 0 failed/m);
  assert.match(stderr, /held by example\.com\/hold/);
});

test('a Pod that ends within its grace period is waited for', async t => {
  const api = await aFake(t, { podsEndAfterMs: 300 });
  const job = aJob('etl').running();
  api.add(job, aPod('etl-x').of(job).running());
  const { code, stderr } = await runCli('delete job/etl --yes --timeout 20s', { api });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^1 Job deleted, 1 Pod gone/m);
  assert.deepEqual(api.names('pods'), []);
});

test('without a garbage collector the dependents of the plan go by our own deletes', async t => {
  const api = await aFake(t, { collector: 'off' });
  const nightly = aCronJob('nightly');
  const job = aJob('nightly-1').ownedBy(nightly).complete('1d ago');
  api.add(nightly, job, aPod('nightly-1-x').of(job).succeeded());
  const { code, stderr } = await runCli('delete cronjob/nightly --yes', { api });
  assert.equal(code, 0, stderr);
  assert.deepEqual(api.log.lines(), [
    'DELETE cronjobs batch/nightly',
    'DELETE jobs batch/nightly-1',
    'DELETE pods batch/nightly-1-x',
  ]);
});

test("prune keeps what a ScaledJob's own limits keep", async t => {
  const api = await aFake(t);
  const queue = aScaledJob('queue').limits(1, 1);
  const jobs = ['1h', '2h', '3h'].map(age => aJob(`ok-${age}`).ownedBy(queue).complete(`${age} ago`));
  const bad = ['4h', '5h'].map(age => aJob(`bad-${age}`).ownedBy(queue).failed(`${age} ago`));
  api.add(queue, ...jobs, ...bad);
  const { code } = await runCli('prune --yes', { api });
  assert.equal(code, 0);
  assert.deepEqual(api.names('jobs'), ['bad-4h', 'ok-1h']);
});
