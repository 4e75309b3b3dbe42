// The questions, as a person at a terminal meets them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInTerminal } from '../support/terminal.ts';
import { aCronJob, aJob, aPod } from '../support/world.ts';
import { aFake } from './fake.ts';
import { finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d';
const [enter, ctrlC, down, space] = ['\r', '\x03', '\x1b[B', ' '];

test('C16: the question names counts, namespace and context; y goes ahead', async t => {
  const api = await aFake(t);
  const job = aJob('etl').complete('2d ago');
  api.add(job, aPod('etl-a').of(job).succeeded(), aPod('etl-b').of(job).succeeded());
  const terminal = runInTerminal('delete etl', { api, kubeconfig: api.kubeconfig({ context: 'prod' }) });
  await terminal.waitFor(/Delete 1 Job with 2 Pods in namespace batch of prod\?/);
  assert.match(terminal.screen(), new RegExp(`^prod \\(${api.url}\\), namespace batch$`, 'm'));
  assert.deepEqual(api.log.writes(), [], 'nothing before the answer');
  terminal.type(`y${enter}`);
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.screen(), /1 Job deleted, 2 Pods gone/);
  assert.deepEqual([...api.names('jobs'), ...api.names('pods')], []);
});

for (const [how, typed] of [
  ['Enter alone', enter],
  ['n', `n${enter}`],
  ['Ctrl-C', ctrlC],
] as const) {
  test(`${how} at the question is a no: exit 5, nothing was changed`, async t => {
    const api = await aFake(t);
    api.add(...finishedJobs(3));
    const terminal = runInTerminal(prune, { api });
    await terminal.waitFor(/Delete 3 Jobs in namespace batch of fake\? .*\(y\/N\)/);
    terminal.type(typed);
    assert.equal(await terminal.ended, 5);
    assert.match(terminal.screen(), /nothing was changed$/);
    assert.deepEqual(api.log.writes(), []);
  });
}

test('running work goes only when the namespace is typed', async t => {
  const api = await aFake(t);
  const nightly = aCronJob('nightly');
  const job = aJob('nightly-1').ownedBy(nightly).running();
  api.add(nightly, job, aPod('nightly-1-x').of(job).running({ node: null }));
  for (const [typed, code] of [
    ['y', 5],
    ['', 5],
    ['Batch', 5],
    ['batch', 0],
  ] as const) {
    const terminal = runInTerminal('delete cronjob/nightly', { api, columns: 160 });
    await terminal.waitFor(/running work among them ends[\s\S]*Type batch:/);
    terminal.type(typed + enter);
    assert.equal(await terminal.ended, code, typed);
    assert.equal(api.log.writes().length > 0, code === 0, typed);
  }
  assert.deepEqual([...api.names('jobs'), ...api.names('pods'), ...api.names('cronjobs')], []);
});

test('-i: everything is ticked at first; what is taken out stays', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const terminal = runInTerminal(`${prune} -i`, { api });
  await terminal.waitFor(/Which of these\?[\s\S]*done-0002/);
  terminal.type(down);
  terminal.type(space);
  terminal.type(enter);
  await terminal.waitFor(/Delete 2 Jobs in namespace batch of fake\?/);
  assert.match(terminal.screen(), /1 stays: 1 not chosen/);
  terminal.type(`y${enter}`);
  assert.equal(await terminal.ended, 0);
  assert.equal(api.names('jobs').length, 1);
  assert.deepEqual(api.names('jobs'), ['done-0001']);
});

test('-i: Ctrl-C at the list is a no', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const terminal = runInTerminal(`${prune} -i`, { api });
  await terminal.waitFor(/Which of these\?/);
  terminal.type(ctrlC);
  assert.equal(await terminal.ended, 5);
  assert.deepEqual(api.log.writes(), []);
});

test('-i: nothing ticked is nothing to do', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(1));
  const terminal = runInTerminal(`${prune} -i`, { api });
  await terminal.waitFor(/Which of these\?[\s\S]*done-0000/);
  terminal.type(space);
  terminal.type(enter);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(api.log.writes(), []);
});

test('with --yes nothing is asked, on a terminal too', async t => {
  const api = await aFake(t);
  api.add(...finishedJobs(3));
  const terminal = runInTerminal(`${prune} --yes`, { api });
  assert.equal(await terminal.ended, 0);
  assert.doesNotMatch(terminal.screen(), /\?/);
  assert.deepEqual(api.names('jobs'), []);
});
