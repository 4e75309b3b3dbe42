// What is in a release: an archive for each platform of the krew manifest, and what has to go with it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { sha256 } from '../../build/checksums.ts';
import { lockedForProduction } from '../../build/lockfile.ts';
import { root } from '../../build/places.ts';
import { archiveName, targets } from '../../build/targets.ts';
import { releaseFiles, unpack } from './release.ts';

interface Platform {
  readonly uri: string;
  readonly bin: string;
}

const platforms = (): readonly Platform[] =>
  parse(readFileSync(join(root, 'krew-manifest.yaml'), 'utf8')).spec.platforms;

for (const target of targets) {
  const archive = archiveName(target);
  test(`${archive} has the binary, the completion and the licences, and nothing else`, async () => {
    const bin = platforms().find(({ uri }) => basename(uri) === archive)?.bin;
    assert.ok(bin, 'the krew manifest names it');
    const completion = target.os === 'windows' ? 'kubectl_complete-jobctl.cmd' : 'kubectl_complete-jobctl';
    const files = await unpack(target);
    assert.deepEqual(Object.fromEntries([...files].map(([name, { mode }]) => [name, mode.toString(8)])), {
      [bin]: '755',
      [completion]: '755',
      LICENSE: '644',
      'THIRD_PARTY_LICENSES.txt': '644',
    });
    const textOf = (name: string) => files.get(name)?.bytes.toString('utf8');
    assert.equal(textOf('LICENSE'), readFileSync(join(root, 'LICENSE'), 'utf8'));
    assert.equal(textOf(completion), readFileSync(join(root, 'completion', completion), 'utf8'));
    assert.ok(!files.get(bin)?.bytes.includes(root), 'it says where it was made');
  });

  test(`${archive} is no larger than 40 MB`, async () => {
    const size = (await releaseFiles()).get(archive)?.length ?? Number.POSITIVE_INFINITY;
    assert.ok(size <= 40e6, `${size} bytes`);
  });
}

test('a release is the archives, the manifest for krew, the SBOM, the licences and the checksums', async () => {
  assert.deepEqual(
    [...(await releaseFiles()).keys()].sort(),
    [
      'THIRD_PARTY_LICENSES.txt',
      'checksums.txt',
      'jobctl.yaml',
      'kubectl-jobctl.cdx.json',
      ...targets.map(archiveName),
    ].sort(),
  );
});

test('the manifest for krew has the checksums of the archives', async () => {
  const files = await releaseFiles();
  const manifest: { spec: { platforms: { uri: string; sha256: string }[] } } = parse(
    files.get('jobctl.yaml')?.toString('utf8') ?? '',
  );
  assert.deepEqual(
    Object.fromEntries(manifest.spec.platforms.map(one => [basename(one.uri), one.sha256])),
    Object.fromEntries(
      targets.map(archiveName).map(name => [name, sha256(files.get(name) ?? Buffer.alloc(0))]),
    ),
  );
});

test('the workflow of a release names no file of it that is not there', async () => {
  const files = await releaseFiles();
  const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  const named = [...workflow.matchAll(/\bdist\/([\w.-]+)/g)].map(([, name]) => name ?? '');
  assert.ok(named.length >= 4);
  assert.deepEqual(
    named.filter(name => !files.has(name)),
    [],
  );
});

test('the checksums are those of every other file of the release', async () => {
  const files = await releaseFiles();
  const said = files.get('checksums.txt')?.toString('utf8').trimEnd().split('\n');
  const others = [...files].filter(([name]) => name !== 'checksums.txt');
  assert.deepEqual(said, others.map(([name, bytes]) => `${sha256(bytes)}  ${name}`).sort(byName));
});

const byName = (a: string, b: string): number => (a.slice(66) < b.slice(66) ? -1 : 1);

test('the SBOM lists each package that the lockfile has for production, by its hash, and no other', async () => {
  const bom = JSON.parse((await releaseFiles()).get('kubectl-jobctl.cdx.json')?.toString('utf8') ?? '');
  assert.equal(bom.bomFormat, 'CycloneDX');
  assert.equal(bom.metadata.component.name, 'kubectl-jobctl');
  const listed = bom.components.map(
    ({ name, version, hashes }: { name: string; version: string; hashes: [{ content: string }] }) =>
      `${name} ${version} ${hashes[0].content}`,
  );
  const locked = lockedForProduction().map(
    ({ name, version, integrity = '' }) =>
      `${name} ${version} ${Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')}`,
  );
  assert.ok(locked.length > 100);
  assert.deepEqual(new Set(listed), new Set(locked));
});

test('the licences are those of Node and of each package', async () => {
  const text = (await releaseFiles()).get('THIRD_PARTY_LICENSES.txt')?.toString('utf8') ?? '';
  const titles = new Set(text.split('\n'));
  const isNode = (name: string) => targets.some(({ nodePackage }) => nodePackage === name);
  const missing = lockedForProduction().filter(
    ({ name, version }) => !isNode(name) && !titles.has(`${name} ${version}`),
  );
  assert.deepEqual(missing, []);
  assert.match(text, /^Node\.js 22\.\d+\.\d+$/m);
  assert.match(text, /Copyright Node\.js contributors/);
});
