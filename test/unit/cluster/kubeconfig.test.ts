// Which entries of which files are chosen: kubectl's merge rules.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stringify } from 'yaml';
import { chooseFromKubeconfig } from '../../../src/cluster/kubeconfig.ts';

type Entries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Config {
  readonly current?: string;
  readonly clusters?: Entries;
  readonly users?: Entries;
  readonly contexts?: Entries;
}

function aFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'jobctl-unit-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function write(path: string, { current, clusters = {}, users = {}, contexts = {} }: Config): string {
  const list = (entries: Entries, word: string) =>
    Object.entries(entries).map(([name, value]) => ({ name, [word]: value }));
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    ...(current === undefined ? {} : { 'current-context': current }),
    clusters: list(clusters, 'cluster'),
    users: list(users, 'user'),
    contexts: list(contexts, 'context'),
  };
  writeFileSync(path, stringify(config));
  return path;
}

const choose = (path: string, options = {}) =>
  chooseFromKubeconfig({ verbosity: 0, ...options }, { KUBECONFIG: path });

const first: Config = {
  current: 'a',
  clusters: { c: { server: 'https://first:1' } },
  users: { u: { token: 'first' } },
  contexts: { a: { cluster: 'c', user: 'u', namespace: 'ns' } },
};

test('C04: of several files the first definition of a name wins, and a missing file is skipped', t => {
  const dir = aFolder(t);
  const second: Config = {
    current: 'b',
    clusters: { c: { server: 'https://second:2' }, d: { server: 'https://third:3' } },
    users: { u: { token: 'second' } },
    contexts: { a: { cluster: 'd', user: 'u' }, b: { cluster: 'd', user: 'u' } },
  };
  const files = [write(join(dir, 'a'), first), write(join(dir, 'b'), second), join(dir, 'missing')];
  const path = files.join(delimiter);
  assert.deepEqual(choose(path), {
    context: 'a',
    namespace: 'ns',
    clusterName: 'c',
    cluster: { server: 'https://first:1' },
    userName: 'u',
    user: { token: 'first' },
  });
  const other = choose(path, { context: 'b' });
  assert.deepEqual([other?.cluster, other?.user], [{ server: 'https://third:3' }, { token: 'first' }]);
});

test('C04: only missing files are as good as none; a missing one that was named is an error', t => {
  const dir = aFolder(t);
  assert.equal(choose([join(dir, 'x'), '', join(dir, 'y')].join(delimiter)), undefined);
  assert.throws(() => choose('', { kubeconfig: join(dir, 'x') }), /no such file or directory/);
});

test('C05: an entry without a server, an empty file and one with nulls hurt only who chooses them', t => {
  const dir = aFolder(t);
  const broken: Config = {
    clusters: { broken: {}, c: { server: 'https://ok:1' } },
    users: { u: {} },
    contexts: { bad: { cluster: 'broken', user: 'u' }, good: { cluster: 'c', user: 'u' } },
  };
  writeFileSync(join(dir, 'empty'), '');
  writeFileSync(join(dir, 'nulls'), 'clusters: null\nusers:\n- null\n- name: x\ncontexts: none\n');
  const path = [join(dir, 'empty'), join(dir, 'nulls'), write(join(dir, 'broken'), broken)].join(delimiter);
  assert.deepEqual(choose(path, { context: 'good' })?.cluster, { server: 'https://ok:1' });
  assert.deepEqual(choose(path, { context: 'bad' })?.cluster, {});
});

test('what is named and not there is an error that names it', t => {
  const path = write(join(aFolder(t), 'a'), {
    ...first,
    contexts: {
      ...first.contexts,
      lost: { cluster: 'gone', user: 'u' },
      nobody: { cluster: 'c', user: 'gone' },
    },
  });
  assert.throws(() => choose(path, { context: 'nope' }), /^EarlyEnd|error: context "nope" does not exist/);
  assert.throws(() => choose(path, { context: 'lost' }), /error: cluster "gone" does not exist/);
  assert.throws(() => choose(path, { context: 'nobody' }), /error: auth info "gone" does not exist/);
  assert.throws(() => choose(path, { cluster: 'gone' }), /error: cluster "gone" does not exist/);
  assert.throws(() => choose(path, { user: 'gone' }), /error: auth info "gone" does not exist/);
  assert.deepEqual(choose(path, { context: 'lost', cluster: 'c' })?.cluster, { server: 'https://first:1' });
});

test('C17: a current context that is not there is an error, never localhost', t => {
  const path = write(join(aFolder(t), 'a'), { ...first, current: 'nope' });
  const words = /Error in configuration: context was not found for specified context: nope/;
  assert.throws(() => choose(path), words);
  assert.throws(() => choose(path, { server: 'https://x' }), words);
  assert.equal(choose(path, { context: 'a' })?.context, 'a');
});

test('what is no YAML is told with the name of the file', t => {
  const path = join(aFolder(t), 'bad');
  writeFileSync(path, 'clusters: [\n  {');
  assert.throws(() => choose(path), new RegExp(`error: error loading config file "${path}": [^\n]+$`));
});

test('paths in a file are relative to that file, not to where the command runs', t => {
  const dir = aFolder(t);
  mkdirSync(join(dir, 'sub'));
  const path = write(join(dir, 'sub', 'config'), {
    ...first,
    clusters: { c: { server: 'https://x', 'certificate-authority': 'pki/ca.crt' } },
    users: { u: { tokenFile: '../token', 'client-key': '/abs/key', 'client-certificate': 'me.crt' } },
  });
  const chosen = choose(path);
  assert.equal(chosen?.cluster['certificate-authority'], join(dir, 'sub', 'pki', 'ca.crt'));
  assert.deepEqual(chosen?.user, {
    tokenFile: join(dir, 'token'),
    'client-key': '/abs/key',
    'client-certificate': join(dir, 'sub', 'me.crt'),
  });
});

test('without KUBECONFIG it is ~/.kube/config; --kubeconfig takes the place of both', t => {
  const dir = aFolder(t);
  mkdirSync(join(dir, '.kube'));
  write(join(dir, '.kube', 'config'), first);
  const other = write(join(dir, 'other'), { ...first, users: { u: { token: 'other' } } });
  const env = { HOME: dir };
  assert.deepEqual(chooseFromKubeconfig({ verbosity: 0 }, env)?.user, { token: 'first' });
  assert.deepEqual(chooseFromKubeconfig({ verbosity: 0 }, { USERPROFILE: dir })?.user, { token: 'first' });
  const both = { ...env, KUBECONFIG: join(dir, '.kube', 'config') };
  assert.deepEqual(chooseFromKubeconfig({ verbosity: 0, kubeconfig: other }, both)?.user, { token: 'other' });
  assert.equal(chooseFromKubeconfig({ verbosity: 0 }, {}), undefined);
});
