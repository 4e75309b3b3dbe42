import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { notesFor } from '../../../build/changelog.ts';
import { root } from '../../../build/places.ts';

const changelog =
  '# Changelog\n\n## Unreleased\n\n- later\n\n## 1.2.3\n\n- one\n- two\n\n## 1.2.2\n\n- old\n';

test('the notes of a release are what the changelog says of its version', () => {
  assert.equal(notesFor('v1.2.3', '1.2.3', changelog), '- one\n- two\n');
  assert.equal(notesFor('v1.2.2', '1.2.2', changelog), '- old\n');
});

test('a tag that is not the version in package.json is refused, and the message says what to do', () => {
  for (const tag of ['1.2.3', 'v1.2.4', 'v1.2.3-rc.1', ''])
    assert.throws(
      () => notesFor(tag, '1.2.3', changelog),
      /package\.json says 1\.2\.3; tag v1\.2\.3, or change/,
    );
});

test('a version that the changelog does not know, or says nothing of, is refused', () => {
  assert.throws(
    () => notesFor('v1.2.4', '1.2.4', changelog),
    /CHANGELOG\.md has no "## 1\.2\.4"; give what stands/,
  );
  assert.throws(
    () => notesFor('v1.2.3', '1.2.3', '## 1.2.3\n\n## 1.2.2\n\n- old\n'),
    /says nothing under "## 1\.2\.3"/,
  );
});

test('the script ends with 1 and one line when the tag does not fit, and prints nothing else', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/release-notes.ts', 'v0.0.0'], {
    cwd: root,
    encoding: 'utf8',
  });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(stderr.trimEnd().split('\n').length, 1);
  assert.ok(stderr.startsWith(`error: the tag is v0.0.0, but package.json says ${version};`), stderr);
});
