// Whoever has the same sources can make the same release, and see that it is what was published.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../build/checksums.ts';
import { filesIn, makeRelease, releaseFiles } from './release.ts';

test('a second run gives the same bytes; if it does not, dist/ may be of older sources', async t => {
  const again = mkdtempSync(join(tmpdir(), 'jobctl-release-'));
  t.after(() => rmSync(again, { recursive: true, force: true }));
  const first = await releaseFiles();
  await makeRelease(again);
  const hashes = (files: ReadonlyMap<string, Buffer>) =>
    Object.fromEntries([...files].map(([name, bytes]) => [name, sha256(bytes)]));
  assert.deepEqual(hashes(filesIn(again)), hashes(first));
});
