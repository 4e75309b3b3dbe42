import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { krewManifest } from '../../../build/krew-manifest.ts';
import { root } from '../../../build/places.ts';
import { archiveName, binaryName, targets } from '../../../build/targets.ts';

const template = readFileSync(join(root, 'krew-manifest.yaml'), 'utf8');
const sums = new Map(targets.map((target, at) => [archiveName(target), String(at + 1).repeat(64)]));

test('the manifest names for each platform its archive of that version, its checksum and its binary', () => {
  const { spec } = parse(krewManifest(template, '1.2.3', sums));
  assert.equal(spec.version, 'v1.2.3');
  const addresses = 'https://github.com/kubectl-jobctl/kubectl-jobctl/releases/download/v1.2.3';
  assert.deepEqual(
    spec.platforms,
    targets.map(target => ({
      selector: { matchLabels: { os: target.os, arch: target.arch } },
      uri: `${addresses}/${archiveName(target)}`,
      sha256: sums.get(archiveName(target)),
      bin: binaryName(target),
    })),
  );
});

test('the manifest says all else as the template does', () => {
  const [before, after] = [template, krewManifest(template, '1.2.3', sums)].map(text => parse(text));
  for (const { spec } of [before, after]) {
    delete spec.version;
    delete spec.platforms;
  }
  assert.deepEqual(after, before);
});

const refused: readonly (readonly [
  what: string,
  template: string,
  version: string,
  sums: typeof sums,
  why: RegExp,
])[] = [
  [
    'without a checksum',
    template,
    '1.2.3',
    new Map([...sums].slice(1)),
    /kubectl-jobctl-linux-amd64\.tar\.gz has no checksum/,
  ],
  [
    'with the checksum of the template',
    template,
    '1.2.3',
    new Map([...sums].map(([name]) => [name, '0'.repeat(64)])),
    /jobctl\.yaml still has 0{64}/,
  ],
  ['with the version of the template', template, '0.0.0', sums, /jobctl\.yaml still has v0\.0\.0/],
  [
    'whose template has a version by hand',
    template.replace('v0.0.0/kubectl-jobctl-linux-arm64', 'v1.0.0/kubectl-jobctl-linux-arm64'),
    '1.2.3',
    sums,
    /v1\.0\.0\/kubectl-jobctl-linux-arm64\.tar\.gz for linux\/arm64/,
  ],
  [
    'with a platform that nothing builds',
    template.replace('os: linux, arch: arm64', 'os: linux, arch: s390x'),
    '1.2.3',
    sums,
    /has no platform linux\/arm64/,
  ],
  [
    'with one platform more',
    `${template}    - selector: { matchLabels: { os: windows, arch: arm64 } }\n`,
    '1.2.3',
    sums,
    /has windows\/arm64, which nothing builds/,
  ],
  [
    'that starts another file',
    template.replace('bin: kubectl-jobctl.exe', 'bin: kubectl-jobctl'),
    '1.2.3',
    sums,
    /starts kubectl-jobctl on windows\/amd64, not kubectl-jobctl\.exe/,
  ],
  [
    'with something to execute for the bot',
    template.replace('Delete and', 'Delete {{ and }}'),
    '1.2.3',
    sums,
    /has \{\{ in it/,
  ],
];

for (const [what, text, version, given, why] of refused) {
  test(`a manifest ${what} is not made`, () => {
    assert.throws(() => krewManifest(text, version, given), why);
  });
}
