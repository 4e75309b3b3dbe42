// The binary for Linux on arm64 runs, here on another processor: under qemu-user-static with Debian's C library for arm64.
// Debian: apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aKrewIndex } from './krew-index.ts';
import { aKrewPlace } from './krew-place.ts';
import { whyNoKrew } from './needs-krew.ts';
import { targetOf } from './release.ts';
import { aRoom } from './room.ts';

const qemu = '/usr/bin/qemu-aarch64-static';
const libraries = '/usr/aarch64-linux-gnu';
const isThere = existsSync(qemu) && existsSync(`${libraries}/lib/libstdc++.so.6`);
const skip = isThere || process.env['CI'] === 'true' ? false : `no ${qemu}, or no libraries in ${libraries}`;

const run = (binary: string, word: string): string =>
  execFileSync(qemu, ['-L', libraries, binary, word], { encoding: 'utf8', env: {} });

test('the binary for linux on arm64 says its version, its help and what is wrong', { skip }, async t => {
  const { binary } = await aRoom(t, targetOf('linux', 'arm64'));
  assert.match(run(binary, 'version'), /^kubectl-jobctl v\d+\.\d+\.\d+\n$/);
  assert.match(run(binary, '--help'), /kubectl jobctl/);
  assert.throws(
    () => run(binary, 'no-such-verb'),
    (error: { status?: number; stderr?: string }) =>
      error.status === 1 && /^error: unknown command "no-such-verb"/.test(error.stderr ?? ''),
  );
});

test('what krew installs for linux on arm64 runs there', { skip: skip || (await whyNoKrew()) }, async t => {
  const index = await aKrewIndex(t, '0.0.1');
  const env = { KREW_OS: 'linux', KREW_ARCH: 'arm64', KREW_DEFAULT_INDEX_URI: index.folder };
  const place = await aKrewPlace(t, env);
  const { code, stderr } = await place.kubectl('krew install jobctl');
  assert.equal(code, 0, stderr);
  const link = join(place.root, 'bin', 'kubectl-jobctl');
  assert.match(run(link, 'version'), /^kubectl-jobctl v\d+\.\d+\.\d+\n$/);
});
