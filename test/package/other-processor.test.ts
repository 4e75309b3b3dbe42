// The binary for Linux on arm64 runs, here on another processor: under qemu-user-static with Debian's C library for arm64.
// Debian: apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { targetOf } from './release.ts';
import { aRoom } from './room.ts';

const qemu = '/usr/bin/qemu-aarch64-static';
const libraries = '/usr/aarch64-linux-gnu';
const isThere = existsSync(qemu) && existsSync(`${libraries}/lib/libstdc++.so.6`);
const skip = isThere || process.env['CI'] === 'true' ? false : `no ${qemu}, or no libraries in ${libraries}`;

test('the binary for linux on arm64 says its version, its help and what is wrong', { skip }, async t => {
  const { binary } = await aRoom(t, targetOf('linux', 'arm64'));
  const run = (word: string) =>
    execFileSync(qemu, ['-L', libraries, binary, word], { encoding: 'utf8', env: {} });
  assert.match(run('version'), /^kubectl-jobctl v\d+\.\d+\.\d+\n$/);
  assert.match(run('--help'), /kubectl jobctl/);
  assert.throws(
    () => run('no-such-verb'),
    (error: { status?: number; stderr?: string }) =>
      error.status === 1 && /^error: unknown command "no-such-verb"/.test(error.stderr ?? ''),
  );
});
