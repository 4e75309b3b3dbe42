import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../cluster/until.ts';
import { allFiles, checkFiles, controlPlaneFiles, kedaFiles } from './files.ts';

const runner = resolve(import.meta.dirname, '..', 'run.ts');

/** Runs the runner on files with these contents. */
function runOn(t: TestContext, files: Readonly<Record<string, string>>, more: NodeJS.ProcessEnv = {}) {
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
    env: { ...env, ...more },
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

test('a test file ends with its runner, also when that is killed', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'jobctl-test-run-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [path, note] = [join(folder, 'hangs.test.ts'), join(folder, 'pid')];
  writeFileSync(
    path,
    `import { writeFileSync } from 'node:fs';
    import { test } from 'node:test';
    test('hangs', () => new Promise(() => setInterval(() => {}, 1000)));
    writeFileSync(${JSON.stringify(note)}, String(process.pid));`,
  );
  const { NODE_TEST_CONTEXT: _hidden, ...env } = process.env;
  const child = spawn(process.execPath, [runner, path], { env, stdio: 'ignore' });
  const pid = await until('the test file to run', 20_000, async () => {
    // Zero while the number is being written.
    return existsSync(note) && (Number(readFileSync(note, 'utf8')) || undefined);
  });
  child.kill('SIGKILL');
  await until('the test file to end', 20_000, async () => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  });
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

test('the files about the release are part of all, one after the other; not of check, nor of the matrix', () => {
  const isRelease = (file: { readonly name: string }) => file.name.startsWith('test/package/');
  assert.ok(allFiles().some(isRelease));
  assert.ok(
    allFiles()
      .filter(isRelease)
      .every(file => file.isHeavy),
  );
  for (const files of [checkFiles(), controlPlaneFiles()]) assert.ok(!files.some(isRelease));
});

test('the files with a real node are part of all and of the matrix, not of check', () => {
  const isNode = (file: { readonly name: string }) => file.name.endsWith('.node.test.ts');
  for (const files of [allFiles(), controlPlaneFiles()]) assert.ok(files.some(isNode));
  assert.ok(!checkFiles().some(isNode));
});

test('where no node can be had its files are skipped with one line that says why, and fail in CI', t => {
  // On every machine there is a reason: not Linux, not root, something missing, or in the end this folder.
  const files = { 'a.node': `test('never run', () => {});`, b: `test('fine', () => {});` };
  const without = runOn(t, files, { TMPDIR: '/run/jobctl', CI: '' });
  assert.equal(without.lastLine, '1 passed, 0 failed, 1 skipped');
  assert.equal(without.status, 0);
  assert.match(without.stderr, /^skipped: 1 files that need a real node: a node .+\n$/);
  const inCi = runOn(t, files, { TMPDIR: '/run/jobctl', CI: 'true' });
  assert.equal(inCi.lastLine, '1 passed, 1 failed, 0 skipped');
  assert.equal(inCi.status, 1);
});
