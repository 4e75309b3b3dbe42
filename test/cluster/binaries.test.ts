import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { clusterBinaries } from './binaries.ts';
import { cached, cacheFolder } from './cache.ts';
import { type Build, GoUnusable } from './go-build.ts';
import { kedaBinary } from './keda/module.ts';
import { binaryNames, pinnedVersion, pinnedVersions } from './versions.ts';

const newest = pinnedVersions()[0] ?? assert.fail('no version is pinned');

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'jobctl-test-cache-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a few bytes where the real one compiles for minutes; remembers what it was asked for. */
function aBuild(fails: (version: string) => Error | undefined = () => undefined) {
  const built: string[] = [];
  const build: Build = async (pin, name, output) => {
    built.push(`${name} ${pin.version}`);
    const failure = fails(pin.version);
    if (failure !== undefined) throw failure;
    writeFileSync(output, `${name} ${pin.version}`);
  };
  return { build, built };
}

const everyBinaryOf = (version: string) => binaryNames.map(name => `${name} ${version}`);

test('binaries are built once and taken from the cache afterwards', async t => {
  const { build, built } = aBuild();
  const source = { env: {}, cache: { root: aFolder(t), build } };
  const first = await clusterBinaries(undefined, source);
  const second = await clusterBinaries(undefined, source);
  assert.deepEqual(built, everyBinaryOf(newest.version));
  assert.deepEqual(second, first);
  assert.equal(readFileSync(first.path.etcd, 'utf8'), `etcd ${newest.version}`);
});

test('a binary that lost bytes or had one changed is built again, and only that one', async t => {
  const { build, built } = aBuild();
  const source = { env: {}, cache: { root: aFolder(t), build } };
  const { path } = await clusterBinaries(undefined, source);
  built.length = 0;
  writeFileSync(path.kubectl, 'kub');
  writeFileSync(path.etcd, readFileSync(path.etcd, 'utf8').replace('e', 'E'));
  await clusterBinaries(undefined, source);
  assert.deepEqual(built, [`etcd ${newest.version}`, `kubectl ${newest.version}`]);
  assert.equal(readFileSync(path.kubectl, 'utf8'), `kubectl ${newest.version}`);
});

test('what a run that died half-way left is cleared away', async t => {
  const { build } = aBuild();
  const root = aFolder(t);
  const folder = await cacheFolder(root, newest);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.abc.tmp'), 'half');
  writeFileSync(join(folder, 'etcd'), 'without a seal');
  await cached(newest, binaryNames, { root, build });
  const left = readdirSync(folder).filter(name => name.endsWith('.tmp'));
  assert.deepEqual(left, []);
  assert.equal(readFileSync(join(folder, 'etcd'), 'utf8'), `etcd ${newest.version}`);
});

test('two runs at once build everything once, and the second says that it waits', async t => {
  const root = aFolder(t);
  const script = `
    import { appendFileSync, writeFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { clusterBinaries } from ${JSON.stringify(new URL('./binaries.ts', import.meta.url).href)};
    const build = async (pin, name, output) => {
      await sleep(300);
      appendFileSync(${JSON.stringify(join(root, 'built'))}, name + '\\n');
      writeFileSync(output, name);
    };
    const { path } = await clusterBinaries(undefined, { env: {}, cache: { root: ${JSON.stringify(root)}, build } });
    console.log(path.kubectl);
  `;
  const runs = await Promise.all(
    [1, 2].map(() => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])),
  );
  assert.deepEqual(readFileSync(join(root, 'built'), 'utf8').trim().split('\n'), binaryNames);
  assert.equal(runs[0]?.stdout, runs[1]?.stdout);
  assert.match(
    runs.map(run => run.stderr).join(''),
    /another run \(process \d+\) is busy with the binaries of Kubernetes/,
  );
  assert.equal(existsSync(`${await cacheFolder(root, newest)}.lock`), false);
});

test('a lock whose holder is dead or cold is taken over', async t => {
  const { build } = aBuild();
  const root = aFolder(t);
  const lock = `${await cacheFolder(root, newest)}.lock`;
  const { hostname } = await import('node:os');
  // No process has this number: it is above what any system gives.
  writeFileSync(lock, JSON.stringify({ pid: 2 ** 30, host: hostname(), nonce: 'dead' }));
  await cached(newest, ['etcd'], { root, build });
  writeFileSync(lock, JSON.stringify({ pid: 1, host: 'elsewhere', nonce: 'cold' }));
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(lock, longAgo, longAgo);
  await cached(newest, ['kubectl'], { root, build });
  assert.equal(existsSync(lock), false);
});

test('a build that fails leaves nothing behind and is tried again by the next run', async t => {
  const root = aFolder(t);
  const failing = aBuild(() => new Error('no space left'));
  await assert.rejects(cached(newest, ['etcd'], { root, build: failing.build }), /no space left/);
  assert.equal(existsSync(`${await cacheFolder(root, newest)}.lock`), false);
  const { build, built } = aBuild();
  await cached(newest, ['etcd'], { root, build });
  assert.deepEqual(built, [`etcd ${newest.version}`]);
});

test('with no version asked for, the newest that builds is taken', async t => {
  const { build } = aBuild(version =>
    version === newest.version ? new Error('does not compile') : undefined,
  );
  const cache = { root: aFolder(t), build };
  const { version } = await clusterBinaries(undefined, { env: {}, cache });
  assert.equal(version, pinnedVersions()[1]?.version);
  await assert.rejects(clusterBinaries(newest.minor, { env: {}, cache }), /does not compile/);
});

test('without Go no older version is tried, and the message says what to do', async t => {
  const { build, built } = aBuild(() => new GoUnusable('go is not on PATH'));
  const cache = { root: aFolder(t), build };
  await assert.rejects(clusterBinaries(undefined, { env: {}, cache }), GoUnusable);
  assert.equal(built.length, 1);
  const script = `
    import { goBuild } from ${JSON.stringify(new URL('./go-build.ts', import.meta.url).href)};
    import { pinnedVersions } from ${JSON.stringify(new URL('./versions.ts', import.meta.url).href)};
    process.env.PATH = '';
    await goBuild(pinnedVersions()[0], 'etcd', '/nowhere').catch(error => console.log(error.message));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  assert.match(stdout, /go is not on PATH; the control plane needs Go 1\.\d+.* or set JOBCTL_CLUSTER_BIN/);
});

test('the KEDA operator is one more binary, with a key of its own', async t => {
  const { build, built } = aBuild();
  const cache = { root: aFolder(t), build };
  const path = await kedaBinary(cache);
  assert.equal(await kedaBinary(cache), path);
  assert.match(built.join(), /^keda \d+\.\d+\.\d+$/);
  assert.ok(!path.startsWith(await cacheFolder(cache.root, newest)));
});

test('JOBCTL_KUBERNETES picks a version, and an unknown one is refused with those there are', async t => {
  const cache = { root: aFolder(t), ...aBuild() };
  const oldest = pinnedVersions().at(-1) ?? assert.fail('no version is pinned');
  const { version } = await clusterBinaries(undefined, { env: { JOBCTL_KUBERNETES: oldest.minor }, cache });
  assert.equal(version, oldest.version);
  assert.equal(pinnedVersion(`v${oldest.version}`).version, oldest.version);
  await assert.rejects(
    clusterBinaries('1.12', { env: {}, cache }),
    /1\.12 is not pinned here; choose one of 1\.\d+/,
  );
});

test('given binaries are taken as they are, and those that envtest lacks are built', async t => {
  const { build, built } = aBuild();
  const folder = aFolder(t);
  const given = pinnedVersions()[1] ?? assert.fail('only one version is pinned');
  const script = `#!/bin/sh\necho "Kubernetes v${given.version}"\n`;
  for (const name of ['etcd', 'kube-apiserver', 'kubectl']) {
    writeFileSync(join(folder, name), script, { mode: 0o755 });
  }
  const env = { JOBCTL_CLUSTER_BIN: folder };
  const { version, path } = await clusterBinaries(undefined, { env, cache: { root: aFolder(t), build } });
  assert.equal(version, given.version);
  assert.deepEqual(built, [`kube-controller-manager ${given.version}`]);
  assert.equal(path.etcd, join(folder, 'etcd'));
  const empty = { JOBCTL_CLUSTER_BIN: aFolder(t) };
  await assert.rejects(
    clusterBinaries(undefined, { env: empty, cache: { root: folder, build } }),
    /holds none of etcd/,
  );
});
