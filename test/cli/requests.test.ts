// What goes over the wire, and what is said about it: -v, warnings of the server, dry runs, refused words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warning } from '../support/fake/faults.ts';
import { runCli } from '../support/run-cli.ts';
import { aCronJob, aJob, aPod } from '../support/world.ts';
import { aFake } from './fake.ts';
import { finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

test('-v shows method, path, status and milliseconds of every request, and no secret', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(2));
  const kubeconfig = api.kubeconfig({ token: 'very-secret-token' });
  const { code, stdout, stderr } = await runCli(`${prune} -v`, { kubeconfig });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^GET \/apis 200 \d+ms$/m);
  assert.match(stderr, /^GET \/apis\/batch\/v1\/namespaces\/batch\/jobs\?limit=500 200 \d+ms$/m);
  assert.match(stderr, /^DELETE \/apis\/batch\/v1\/namespaces\/batch\/jobs\/done-0001 200 \d+ms$/m);
  assert.equal(stderr.match(/^[A-Z]+ \/\S+ \d{3} \d+ms$/gm)?.length, api.log.all().length);
  assert.doesNotMatch(stdout + stderr, /secret|Bearer/i);
  assert.doesNotMatch(stdout, /ms$/m);
});

test('a warning of the server is said once, on standard error', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(5));
  api.faults.on({ method: 'DELETE' }, warning('this policy "x" is deprecated', 'two, with a comma'));
  const { code, stdout, stderr } = await runCli(prune, { api });
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, /Warning/);
  assert.deepEqual(stderr.match(/^Warning: .*$/gm), [
    'Warning: this policy "x" is deprecated',
    'Warning: two, with a comma',
  ]);
  api.add(...finishedJobs(1));
  assert.equal((await runCli(`${prune} --warnings-as-errors`, { api })).code, 1);
});

test('a dry run sends nothing that changes anything', async t => {
  const api = await aFake(t);
  const nightly = aCronJob('nightly');
  const job = aJob('nightly-1').ownedBy(nightly).running();
  api.add(nightly, job, aPod('nightly-1-x').of(job).running(), ...finishedJobs(3));
  for (const words of [
    'prune --standalone --older-than 1d',
    'prune --standalone --older-than 1d --yes',
    'delete cronjob/nightly',
    'delete cronjob/nightly --cascade=orphan --yes -o json',
    'delete jobs --all -i',
    'delete pod/nightly-1-x --force --grace-period=0 --yes',
  ]) {
    const { code, stderr } = await runCli(`${words} --dry-run`, { api });
    assert.equal(code, 0, `${words}\n${stderr}`);
  }
  assert.deepEqual(api.log.writes(), []);
});

test('a server dry run marks every request as one, and changes nothing', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const before = api.list('jobs');
  const { code, stdout } = await runCli('prune --standalone --older-than 1d --dry-run=server', { api });
  assert.equal(code, 0);
  assert.equal(
    stdout.match(/^job\.batch "done-\d+" deleted from batch namespace \(server dry run\)$/gm)?.length,
    3,
  );
  assert.equal(api.log.writes().length, 3);
  for (const { body } of api.log.writes()) assert.deepEqual((body as { dryRun: unknown }).dryRun, ['All']);
  assert.deepEqual(api.list('jobs'), before);
});

test('D02: a policy that does not exist is refused before any request, and the three are named', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1));
  const { code, stderr } = await runCli('delete job/done-0000 --cascade=Backgroud --yes', { api });
  assert.equal(code, 1);
  assert.match(stderr, /^error: --cascade: "Backgroud" is not one of background, foreground, orphan\n/);
  assert.deepEqual(api.log.all(), []);
});

for (const [typed, sent] of [
  ['background', 'Background'],
  ['Foreground', 'Foreground'],
  ['ORPHAN', 'Orphan'],
] as const) {
  test(`D02: --cascade=${typed} is sent as ${sent}`, async t => {
    const api = await aFake(t);
    api.add(...finishedJobs(1));
    const { code, stderr } = await runCli(`delete job/done-0000 --cascade=${typed} --yes`, { api });
    assert.equal(code, 0, stderr);
    const policies = api.log
      .writes()
      .map(({ body }) => (body as { propagationPolicy: unknown }).propagationPolicy);
    assert.deepEqual(policies, [sent]);
  });
}
