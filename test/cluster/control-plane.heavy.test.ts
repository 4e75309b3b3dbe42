import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { clusterBinaries } from './binaries.ts';
import { startControlPlane } from './control-plane.ts';
import { configMapPath, createConfigMap } from './state/finalizers.ts';
import { createFinishedJob, jobPath } from './state/jobs.ts';
import { until } from './until.ts';

/** The command lines of running processes that name this folder. */
function processesIn(dir: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter(line => line.includes(dir) && /etcd|kube-/.test(line));
}

const skip = existsSync('/proc') ? false : 'needs /proc to see processes';

test('a control plane that was stopped leaves no process and no folder', { skip }, async () => {
  const plane = await startControlPlane();
  assert.equal(processesIn(plane.dir).length, 3);
  await plane.stop();
  assert.deepEqual(processesIn(plane.dir), []);
  assert.equal(existsSync(plane.dir), false);
});

test('an apiserver that cannot start is reported with the end of its log, and leaves nothing', {
  skip,
}, async t => {
  // A folder for temporary files of its own: other runs on this machine may use the usual one.
  const { TMPDIR } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'jobctl-test-'));
  process.env['TMPDIR'] = folder;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    rmSync(folder, { recursive: true });
  });
  await assert.rejects(startControlPlane({ apiserverFlags: ['--no-such-flag'] }), (error: Error) => {
    assert.match(error.message, /^kube-apiserver ended with code 1 before it was ready/);
    assert.match(error.message, /unknown flag: --no-such-flag/);
    return true;
  });
  assert.deepEqual(processesIn(folder), []);
  assert.deepEqual(readdirSync(folder), []);
});

for (const signal of ['SIGKILL', 'SIGINT', 'SIGTERM'] as const) {
  test(`nothing is left when the process that started it ends by ${signal}`, { skip }, async () => {
    // Built here, so that the other process does not have to.
    await clusterBinaries();
    const script = `
      import { startControlPlane } from ${JSON.stringify(new URL('./control-plane.ts', import.meta.url).href)};
      const plane = await startControlPlane({ controllerManager: false });
      console.log(plane.dir);
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const dir = line.toString().trim();
    assert.equal(processesIn(dir).length, 2);
    child.kill(signal);
    await once(child, 'exit');
    await until(
      'servers and folder to be gone',
      20_000,
      async () => processesIn(dir).length === 0 && !existsSync(dir),
    );
  });
}

test('data survives the death of the apiserver, on the same port', async t => {
  const plane = await startControlPlane({ controllerManager: false });
  t.after(() => plane.stop());
  const job = await createFinishedJob(plane.admin, { namespace: 'default', name: 'kept', ended: '40d' });
  await plane.killApiserver();
  await assert.rejects(plane.admin.get(jobPath('default', 'kept')));
  await plane.startApiserver();
  const after = await plane.admin.get(jobPath('default', 'kept'));
  assert.equal(after.metadata.uid, job.metadata.uid);
  assert.deepEqual(after.status, job.status);
});

test('without a garbage collector dependents stay; with it they go', async t => {
  const plane = await startControlPlane({ garbageCollector: false });
  t.after(() => plane.stop());
  const { admin } = plane;
  const namespace = 'default';
  const owner = await createConfigMap(admin, { namespace, name: 'owner' });
  await createConfigMap(admin, { namespace, name: 'owned', owner });
  await admin.delete(configMapPath(namespace, 'owner'), { propagationPolicy: 'Foreground' });
  const held = await admin.get(configMapPath(namespace, 'owner'));
  assert.deepEqual(held.metadata.finalizers, ['foregroundDeletion']);
  await plane.stopControllerManager();
  await plane.startControllerManager({ flags: [] });
  for (const name of ['owned', 'owner']) {
    await until(
      `${name} to be gone`,
      60_000,
      async () => !(await admin.find(configMapPath(namespace, name))),
    );
  }
});
