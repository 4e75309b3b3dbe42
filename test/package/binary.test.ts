// The binary on its own: it needs no Node, no home and no file beside it, and says what the sources say.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../build/places.ts';
import { aFake } from '../cli/fake.ts';
import { tokenOf } from '../support/fake/request.ts';
import { runCli } from '../support/run-cli.ts';
import { aJob } from '../support/world.ts';
import { aRoom } from './room.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('it runs with no Node on PATH, and says its version', async t => {
  const { code, stdout, stderr } = await (await aRoom(t)).run('version');
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `kubectl-jobctl v${version}\n`, stderr: '' });
});

test('its help and its complaints are those of the sources', async t => {
  const room = await aRoom(t);
  for (const words of [
    '--help',
    'delete --help',
    'status --help',
    'delete --no-such-flag',
    'delete -n',
    'delete job a --cascade=perhaps',
    'no-such-verb',
    'prune --older-than soon',
  ]) {
    const [{ ms: _, peakMb: __, ...made }, { ms: ___, peakMb: ____, ...sources }] = [
      await room.run(words),
      await runCli(words),
    ];
    assert.deepEqual(made, sources, words);
  }
});

test('help, version, usage errors and verbs to complete load no client, no corridor, no yargs and no inquirer', async t => {
  const room = await aRoom(t);
  const api = await aFake(t);
  api.add(aJob('etl').complete('2d ago'));
  const late = ['connect', 'run', 'yargs'];
  const lateIn = (chunks: ReadonlyMap<string, number>) =>
    late.filter(name => [...chunks.keys()].some(chunk => chunk.startsWith(`./${name}-`)));
  const lengthOf = (chunks: ReadonlyMap<string, number>) => [...chunks.values()].reduce((a, b) => a + b, 0);
  const verb = await room.chunksOf('delete etl --dry-run', { api });
  assert.deepEqual(lateIn(verb), late);
  assert.ok(lengthOf(verb) > 1_000_000);
  for (const words of [
    '--help',
    'delete --help',
    'version',
    'delete --no-such-flag',
    'no-such-verb',
    '__complete de',
  ]) {
    const chunks = await room.chunksOf(words);
    assert.ok(chunks.has('./main.js'), words);
    assert.deepEqual(lateIn(chunks), [], words);
    // whatever the names: all of the client, undici, yaml and inquirer are longer, each alone
    assert.ok(lengthOf(chunks) < 250_000, `${words}: ${[...chunks].join(' ')}`);
  }
});

test('a dry run and a delete do on a server what they do from the sources', async t => {
  const room = await aRoom(t);
  const outcomes = [];
  for (const run of [room.run, runCli] as const) {
    const api = await aFake(t);
    api.add(aJob('etl').complete('2d ago'), aJob('other').complete('2d ago'));
    const dry = await run('delete etl --dry-run', { api });
    assert.equal(dry.code, 0, dry.stderr);
    assert.deepEqual(api.names('jobs'), ['etl', 'other']);
    const real = await run('delete etl --yes', { api });
    assert.equal(real.code, 0, real.stderr);
    assert.deepEqual(api.names('jobs'), ['other']);
    // each server has its address and its uids, and so each plan its digest
    const same = (text: string) =>
      text.replaceAll(api.url, 'the server').replaceAll(/\b[0-9a-f]{8}\b/g, 'digest');
    outcomes.push([dry.stdout, real.stdout].map(same));
  }
  assert.deepEqual(outcomes[0], outcomes[1]);
});

test('a login that the client library brings loads it, and is taken', async t => {
  const room = await aRoom(t);
  const api = await aFake(t);
  api.add(aJob('etl').complete('2d ago'));
  const config = { 'access-token': tokenOf('tester'), expiry: '2999-01-01T00:00:00Z' };
  const kubeconfig = api.kubeconfig({ login: { 'auth-provider': { name: 'gcp', config } } });
  const library = (chunks: ReadonlyMap<string, number>) =>
    [...chunks.keys()].filter(name => name.startsWith('./config-'));
  assert.deepEqual(library(await room.chunksOf('delete etl --dry-run', { api })), []);
  assert.equal(library(await room.chunksOf('delete etl --yes', { kubeconfig })).length, 1);
  assert.deepEqual(api.names('jobs'), []);
});
