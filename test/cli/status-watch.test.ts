// `status --watch`, as a person at a terminal sees it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInTerminal } from '../support/terminal.ts';
import { aCronJob, aJob } from '../support/world.ts';
import { aFake } from './fake.ts';

const ctrlC = '\x03';
const times = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

test('the picture is drawn anew in its place; Ctrl-C leaves the last one standing, exit 0', async t => {
  const api = await aFake(t);
  api.add(aCronJob('nightly'), aJob('one').running());
  const terminal = runInTerminal('status --watch', { api, columns: 140 });
  await terminal.waitFor(/every 2s, Ctrl-C ends[\s\S]*^Jobs: 1, 1 running$/m);
  api.add(aJob('two').running());
  await terminal.waitFor(/^Jobs: 2, 2 running$/m);
  assert.equal(times(terminal.screen(), /^Jobs: /gm), 1, 'the picture before it is gone');
  terminal.type(ctrlC);
  assert.equal(await terminal.ended, 0);
  const screen = terminal.screen();
  assert.match(screen, /namespace batch\n\nCronJobs: 1\n[\s\S]*^Jobs: 2, 2 running\n[\s\S]*^Stuck: none$/m);
  assert.equal(times(screen, /^Jobs: /gm), 1, 'the last picture stands once');
  assert.doesNotMatch(screen, /every 2s|interrupted/);
  assert.deepEqual(
    api.log.all().filter(({ method }) => method !== 'GET'),
    [],
  );
});

test('a look that fails leaves the picture standing and says why; the next one that works takes its place', async t => {
  const api = await aFake(t);
  api.add(aJob('one').running());
  const terminal = runInTerminal('status -w', { api, columns: 160 });
  await terminal.waitFor(/^Jobs: 1, 1 running$/m);
  api.rights.deny('list', '*');
  await terminal.waitFor(
    /not read since: Error from server \(Forbidden\): pods is forbidden[\s\S]*^Jobs: 1, 1 running$/m,
  );
  api.rights.allow('list', '*');
  api.add(aJob('two').running());
  await terminal.waitFor(/every 2s, Ctrl-C ends\n[\s\S]*^Jobs: 2, 2 running$/m);
  terminal.type(ctrlC);
  assert.equal(await terminal.ended, 0);
});

test('a picture that is taller than the terminal says so, and is printed whole at the end', async t => {
  const api = await aFake(t);
  api.add(...Array.from({ length: 30 }, (_, at) => aCronJob(`c-${String(at).padStart(2, '0')}`)));
  const terminal = runInTerminal('status -w', { api, columns: 140, rows: 20 });
  await terminal.waitFor(/… 20 more lines \(Ctrl-C prints all of it\)$/);
  terminal.type(ctrlC);
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.screen(), /c-00[\s\S]*c-29[\s\S]*Stuck: none$/);
});

test('it is asked once in two seconds, not as fast as it answers', async t => {
  const api = await aFake(t);
  const terminal = runInTerminal('status -w', { api });
  await api.log.until(({ resource }) => resource === 'pods', 3);
  terminal.type(ctrlC);
  assert.equal(await terminal.ended, 0);
  const [first, second, third] = api.log.all().filter(({ resource }) => resource === 'pods');
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  assert.ok(second.atMs - first.atMs >= 1900, `${second.atMs - first.atMs} ms`);
  assert.ok(third.atMs - second.atMs >= 1900, `${third.atMs - second.atMs} ms`);
});

test('the kinds are asked for once, whatever the number of looks', async t => {
  const api = await aFake(t);
  const terminal = runInTerminal('status -w', { api });
  await api.log.until(({ resource }) => resource === 'cronjobs', 2);
  terminal.type(ctrlC);
  assert.equal(await terminal.ended, 0);
  assert.equal(api.log.all().filter(({ path }) => path === '/apis').length, 1);
});

test('Ctrl-C before the first picture is an interrupt: there is none to leave', async t => {
  const api = await aFake(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  t.after(() => resolve());
  api.faults.on({ method: 'GET', resource: 'jobs' }, async (_, pass) => {
    await promise;
    return pass();
  });
  const terminal = runInTerminal('status -w', { api });
  await api.log.until(({ resource }) => resource === 'jobs');
  terminal.type(ctrlC);
  assert.equal(await terminal.ended, 130);
});
