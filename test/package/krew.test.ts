// krew itself, from an index and a server of our own: what it installs on each platform, and what is left when it is gone.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { dist, root } from '../../build/places.ts';
import { archiveName, binaryName, type Target, targets } from '../../build/targets.ts';
import { aKrewIndex } from './krew-index.ts';
import { aKrewPlace } from './krew-place.ts';
import { whyNoKrew } from './needs-krew.ts';
import { releaseFiles, unpack } from './release.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const skip = await whyNoKrew();

const nameOf = ({ os, arch }: Target): string => `${os}/${arch}`;
const envOf = ({ os, arch }: Target) => ({ KREW_OS: os, KREW_ARCH: arch });

test("krew's own validator takes the manifest of the release as it is", { skip }, async t => {
  await releaseFiles();
  const { code, stderr } = await (await aKrewPlace(t)).validate(
    '-skip-install',
    '-manifest',
    join(dist, 'jobctl.yaml'),
  );
  assert.equal(code, 0, stderr);
  assert.match(stderr, /structural validation OK/);
});

test('the validator installs all platforms, each from its own archive', { skip }, async t => {
  const place = await aKrewPlace(t);
  const index = await aKrewIndex(t, version);
  const { code, stderr } = await place.validate('-manifest', index.manifest);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /all 5 spec\.platforms installed fine/);
  assert.deepEqual(
    index.downloads,
    targets.map(target => `/v${version}/${archiveName(target)}`),
  );
});

for (const target of targets) {
  test(`krew installs on ${nameOf(target)} what is in the archive, and uninstalls it without a trace`, {
    skip,
  }, async t => {
    const index = await aKrewIndex(t, version);
    const place = await aKrewPlace(t, { ...envOf(target), KREW_DEFAULT_INDEX_URI: index.folder });
    assert.equal((await place.kubectl('krew update')).code, 0);
    const before = place.files();
    const installed = await place.kubectl('krew install jobctl');
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(installed.stderr, /Installed plugin: jobctl\n/);
    assert.match(installed.stderr, /source <\(kubectl jobctl completion bash\)/);

    const archive = await unpack(target);
    const store = join(place.root, 'store', 'jobctl', `v${version}`);
    assert.deepEqual(readdirSync(store).sort(), [...archive.keys()].sort());
    for (const [name, { bytes, mode }] of archive) {
      assert.ok(readFileSync(join(store, name)).equals(bytes), `${name} is another`);
      assert.equal(statSync(join(store, name)).mode & 0o777, mode, name);
    }
    const inStore = `krew/store/jobctl/v${version}`;
    assert.deepEqual(added(before, place.files()), [
      `krew/bin/${binaryName(target)} -> ${inStore}/${binaryName(target)}`,
      'krew/receipts/jobctl.yaml',
      'krew/store/jobctl',
      inStore,
      ...[...archive.keys()].sort().map(name => `${inStore}/${name}`),
    ]);
    assert.equal((await place.kubectl('krew list')).stdout, 'jobctl\n');

    const gone = await place.kubectl('krew uninstall jobctl');
    assert.equal(gone.code, 0, gone.stderr);
    assert.deepEqual(place.files(), before);
    assert.deepEqual(readdirSync(join(place.root, 'receipts')), []);
  });
}

const added = (before: readonly string[], after: readonly string[]): readonly string[] =>
  after.filter(name => !before.includes(name));

test('an upgrade takes the next version, and nothing of the last stays', { skip }, async t => {
  const index = await aKrewIndex(t, '0.0.1');
  const place = await aKrewPlace(t, { KREW_DEFAULT_INDEX_URI: index.folder });
  assert.equal((await place.kubectl('krew install jobctl')).code, 0);
  const tooEarly = await place.kubectl('krew upgrade jobctl');
  assert.match(tooEarly.stderr, /the newest version is already installed/);
  index.publish('0.0.2');
  const { code, stderr } = await place.kubectl('krew upgrade jobctl');
  assert.equal(code, 0, stderr);
  assert.deepEqual(readdirSync(join(place.root, 'store', 'jobctl')), ['v0.0.2']);
  assert.equal(
    parse(readFileSync(join(place.root, 'receipts', 'jobctl.yaml'), 'utf8')).spec.version,
    'v0.0.2',
  );
  const ran = await place.kubectl('jobctl version');
  assert.deepEqual(
    { code: ran.code, stdout: ran.stdout },
    { code: 0, stdout: `kubectl-jobctl v${version}\n` },
  );
});

test('an archive that is not the one of the manifest is not installed', { skip }, async t => {
  const index = await aKrewIndex(t, version);
  index.publish(version, manifest =>
    manifest.replaceAll(/sha256: '?[0-9a-f]{8}/g, part => `${part.slice(0, -8)}00000000`),
  );
  const place = await aKrewPlace(t, { KREW_DEFAULT_INDEX_URI: index.folder });
  await place.kubectl('krew update');
  const before = place.files();
  const { code, stderr } = await place.kubectl('krew install jobctl');
  assert.equal(code, 1);
  assert.match(stderr, /checksum does not match/);
  assert.deepEqual(place.files(), before);
});
