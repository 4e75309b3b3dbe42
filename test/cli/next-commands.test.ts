// The commands that are shown go to the cluster that was meant, as the user that was meant: pasted without --context they would act on
// another one. And they are taken by the parser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommandLine } from '../../src/program.ts';
import { unauthorized } from '../support/fake/faults.ts';
import { aKind } from '../support/fake/kinds.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { type Ran, runCli } from '../support/run-cli.ts';
import { aCronJob, aJob, aNode, anObject, aPod, aScaledJob } from '../support/world.ts';
import { aFake as plainFake } from './fake.ts';
import { onPatch, playControllers, aFake as runningFake } from './stop-fake.ts';

const flags = '--context=fake --request-timeout=20s';
const aFake = (t: Parameters<typeof plainFake>[0]): Promise<FakeApi> => plainFake(t, { clock: 'real' });

const shownCommand =
  /\bkubectl (?:jobctl )?(?:delete|prune|unstick|stop|resume|status|patch|logs|wait)\b[^\n]*/g;
const commandsOf = ({ stdout, stderr }: Ran): string[] => (stdout + stderr).match(shownCommand) ?? [];

/** Up to the end of the command: a sentence may go on behind it. */
async function assertMeant(ran: Ran, expected: readonly string[]): Promise<void> {
  const shown = commandsOf(ran);
  assert.equal(shown.length, expected.length, ran.stdout + ran.stderr);
  for (const [at, command] of expected.entries()) {
    const line = shown[at] ?? '';
    assert.ok(line.startsWith(`${command} --context=fake`), `${line}\nis not\n${command}`);
    const [, ofOurs] = /^kubectl jobctl (.*)$/.exec(`${command} --context=fake`) ?? [];
    if (ofOurs === undefined) continue;
    const asked = await readCommandLine(ofOurs.split(' '), '0', 100);
    assert.ok(asked.do === 'run', ofOurs);
    asked.command.options(asked.words, asked.texts);
  }
}

test('delete that orphans Pods: the prune that takes them later', async t => {
  const api = await aFake(t);
  const job = aJob('j').running();
  api.add(job, aPod('p').of(job).running());
  const ran = await runCli(`delete job/j --cascade=orphan --dry-run ${flags}`, { api });
  const uid = api.get('jobs', 'batch', 'j')?.metadata.uid ?? '';
  await assertMeant(ran, [`kubectl jobctl prune pods -n batch -l batch.kubernetes.io/controller-uid=${uid}`]);
});

test('delete whose time runs out: why, and how to wait on', async t => {
  const api = await aFake(t);
  api.add(aJob('j').complete('1h ago').finalizers(['example.com/hold']));
  const ran = await runCli(`delete job/j --yes --timeout 1s ${flags}`, { api });
  assert.equal(ran.code, 4, ran.stderr);
  await assertMeant(ran, [
    'kubectl jobctl unstick job.batch/j -n batch',
    'kubectl wait --for=delete job.batch/j -n batch --timeout=10m',
  ]);
});

test('unstick that looks around: the command for each finalizer', async t => {
  const api = await aFake(t);
  api.addKind(aKind('example.com/v1', 'Widget', 'widgets'));
  api.add(anObject('example.com/v1', 'Widget', 'w').deletingSince('1h ago').finalizers(['example.com/a']));
  const ran = await runCli(`unstick ${flags}`, { api });
  await assertMeant(ran, ['kubectl jobctl unstick widget.example.com/w -n batch --finalizer example.com/a']);
});

test('unstick of a Pod on a silent node: what could be done by force', async t => {
  const api = await aFake(t);
  api.add(aNode('lost', 'Unknown'), aPod('p').running({ node: 'lost' }).deletingSince('1h ago', 30));
  const ran = await runCli(`unstick pod/p ${flags}`, { api });
  await assertMeant(ran, ['kubectl jobctl delete pod/p -n batch --force --grace-period=0']);
});

test('stop: where the logs are, and how it goes on later', async t => {
  const api = await runningFake(t);
  playControllers(api);
  const ran = await runCli(`stop cronjob/c --no-save --yes ${flags}`, { api });
  assert.equal(ran.code, 0, ran.stderr);
  await assertMeant(ran, ['kubectl logs -n batch p-0', 'kubectl jobctl resume cronjob.batch/c -n batch']);
});

test('stop of several CronJobs in several namespaces: all of them are in the commands, a line for each namespace', async t => {
  const api = await aFake(t);
  for (const namespace of ['batch', 'other'])
    api.add(...['a', 'b'].map(name => aCronJob(name).in(namespace).limits(3, 1)));
  api.rights.deny('create', 'events');
  const ran = await runCli(`stop cronjobs --all -A --no-save --yes ${flags}`, { api });
  assert.equal(ran.code, 0, ran.stderr);
  await assertMeant(ran, [
    'kubectl jobctl resume cronjob.batch/a cronjob.batch/b -n batch',
    'kubectl jobctl resume cronjob.batch/a cronjob.batch/b -n other',
  ]);
});

test('stop of more than a line can name: resume lists them', async t => {
  const api = await aFake(t);
  for (let at = 0; at < 21; at += 1) api.add(aCronJob(`c-${at}`).limits(3, 1));
  api.rights.deny('create', 'events');
  const ran = await runCli(`stop cronjobs --all --no-save --yes ${flags}`, { api });
  assert.equal(ran.code, 0, ran.stderr);
  await assertMeant(ran, ['kubectl jobctl resume -n batch']);
});

test('stop that ends half-way: how to go on, and how to undo', async t => {
  const api = await runningFake(t);
  api.faults.on(onPatch('pods'), unauthorized());
  const ran = await runCli(`stop cronjob/c --no-save --yes ${flags}`, { api });
  assert.equal(ran.code, 2, ran.stderr);
  await assertMeant(ran, [
    'kubectl jobctl stop cronjob.batch/c -n batch',
    'kubectl jobctl resume cronjob.batch/c -n batch',
  ]);
});

test('stop of a Job whose ScaledJob makes more: the command that pauses that', async t => {
  const api = await aFake(t);
  const queue = aScaledJob('queue');
  const job = aJob('j').ownedBy(queue).running();
  api.add(queue, job, aPod('p').of(job).running());
  const ran = await runCli(`stop job/j --no-save --dry-run ${flags}`, { api });
  await assertMeant(ran, ['kubectl jobctl stop scaledjob.keda.sh/queue -n batch']);
});

test('prune that sees Jobs that never start: how to stop new ones', async t => {
  const api = await aFake(t);
  const nightly = aCronJob('nightly');
  api.add(nightly, aJob('n').ownedBy(nightly).neverStarted().created('3h ago'));
  const ran = await runCli(`prune --dry-run ${flags}`, { api });
  const patch = `kubectl patch cronjob.batch/nightly -n batch -p '{"spec":{"suspend":true}}'`;
  await assertMeant(ran, [patch]);
});

test('resume alone: how to resume one of what is listed', async t => {
  const api = await aFake(t);
  api.add(aCronJob('c').limits(3, 1));
  api.rights.deny('create', 'events');
  await runCli('stop cronjob/c --no-save --yes', { api });
  await assertMeant(await runCli(`resume ${flags}`, { api }), ['kubectl jobctl resume TYPE/NAME']);
});
