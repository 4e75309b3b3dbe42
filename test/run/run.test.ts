import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { allFiles, checkFiles, controlPlaneFiles, kedaFiles } from './files.ts';

const runner = resolve(import.meta.dirname, '..', 'run.ts');

/** Runs the runner on files with these contents. */
function runOn(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'jobctl-test-run-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, `${name}.test.ts`);
    writeFileSync(path, `import { describe, test, after } from 'node:test';\n${text}\n`);
    return path;
  });
  // Node does not run test files from within test files unless this is hidden from it.
  const { NODE_TEST_CONTEXT: _hidden, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [runner, ...paths], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

test('the last line counts leaves, and the exit code is 0 when nothing failed', t => {
  const { status, lastLine } = runOn(t, {
    one: `
      test('plain', () => {});
      test('parent', async t => { await t.test('child', () => {}); await t.test('other child', () => {}); });
      describe('suite', () => { test('in a suite', () => {}); });
      test('skipped', { skip: 'why' }, () => {});
      test('to do', { todo: true }, () => { throw new Error('not yet'); });`,
    two: `test('another file', () => {});`,
  });
  assert.equal(lastLine, '5 passed, 0 failed, 2 skipped');
  assert.equal(status, 0);
});

test('each failure counts once and is shown with its place and its reason', t => {
  const { status, stdout, lastLine } = runOn(t, {
    one: `
      describe('suite', () => { test('bad', () => { throw new Error('boom'); }); test('good', () => {}); });
      test('parent', async t => { await t.test('child', () => { throw new Error('bang'); }); });
      describe('bad end', () => { after(() => { throw new Error('hook'); }); test('fine', () => {}); });`,
  });
  assert.equal(lastLine, '2 passed, 3 failed, 0 skipped');
  assert.equal(status, 1);
  assert.match(stdout, /suite › bad\n\s+Error: boom/);
  assert.match(stdout, /parent › child\n\s+Error: bang/);
});

test('a file that crashes, ends early or has no tests counts as failed', t => {
  const { status, stdout, lastLine } = runOn(t, {
    crashes: `test('fine', () => {});\nthrow new Error('crash at load');`,
    ends: `test('fine', () => {}); test('never ends', () => process.exit(0));`,
    empty: `console.log('nothing to see');`,
  });
  assert.match(lastLine ?? '', /^\d passed, 3 failed, 0 skipped$/);
  assert.match(stdout, /crash at load/);
  assert.match(stdout, /has no tests/);
  assert.equal(status, 1);
});

test('a run without any test fails, and so does one of a file that is not there', t => {
  assert.equal(runOn(t, { skipped: `test('later', { skip: true }, () => {});` }).status, 1);
  const missing = spawnSync(process.execPath, [runner, 'test/nowhere.test.ts'], { encoding: 'utf8' });
  assert.equal(missing.status, 1);
  assert.match(missing.stdout, /^0 passed, 1 failed, 0 skipped\n$/);
  assert.match(missing.stderr, /nowhere.test.ts does not exist/);
});

test('the files with a real KEDA are run by their own word only', () => {
  const names = kedaFiles().map(file => file.name);
  assert.ok(names.length > 0);
  for (const files of [checkFiles(), allFiles(), controlPlaneFiles()]) {
    assert.deepEqual(
      files.filter(file => names.includes(file.name)),
      [],
    );
  }
});
