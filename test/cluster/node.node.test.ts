import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { type Admin, adminOf, collection, type Fields } from './admin.ts';
import { startControlPlane } from './control-plane.ts';
import { assertOwnKubeconfig } from './kubeconfig.ts';
import { noTraces, tracesOf } from './node/traces.ts';
import { aNamespace } from './shared.ts';
import { until } from './until.ts';

const plane = await startControlPlane({
  node: true,
  controllerManagerFlags: ['--node-monitor-grace-period=5s'],
});
after(() => plane.stop());
const { admin, node } = plane;

async function kubectl(...args: readonly string[]): Promise<string> {
  assertOwnKubeconfig(plane.adminKubeconfig);
  const env = { HOME: plane.dir, PATH: process.env['PATH'] ?? '' };
  const flags = ['--kubeconfig', plane.adminKubeconfig];
  const { stdout } = await promisify(execFile)(plane.kubectl, [...flags, ...args], { env });
  return stdout;
}

interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly containerStatuses?: readonly {
    readonly ready: boolean;
    readonly state: { readonly terminated?: { readonly exitCode: number } };
  }[];
}

/** A shell is the first process in its container, so that it gets the signals. */
const containerOf = (script: string, more: Fields = {}) => ({
  name: 'main',
  image: node.image,
  command: ['sh', '-c', script],
  ...more,
});

const ignoresTerm = 'trap "" TERM; echo began; while :; do sleep 1; done';

interface PodDraft {
  readonly namespace: string;
  readonly script: string;
  readonly container?: Fields;
  readonly spec?: Fields;
}

async function createPod(to: Admin, { namespace, script, container, spec }: PodDraft): Promise<string> {
  const path = `${collection('v1', 'pods', namespace)}/p`;
  await to.create(collection('v1', 'pods', namespace), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace },
    spec: { restartPolicy: 'Never', containers: [containerOf(script, container)], ...spec },
  });
  return path;
}

const untilPod = (to: Admin, path: string, what: string, holds: (status: PodStatus) => boolean) =>
  until(`${path} to be ${what}`, 60_000, async () => {
    const status = (await to.get(path)).status as PodStatus;
    return holds(status) && status;
  });

const untilReady = (to: Admin, path: string) =>
  untilPod(to, path, 'ready', ({ containerStatuses }) => containerStatuses?.[0]?.ready === true);

const readyOf = async () => {
  const { status } = await admin.get(`${collection('v1', 'nodes')}/${node.name}`);
  const { conditions } = status as { conditions: readonly { type: string; status: string }[] };
  return conditions.find(condition => condition.type === 'Ready')?.status;
};

test('a Job is scheduled and runs, and kubectl reads its logs', async t => {
  const namespace = await aNamespace(t, plane);
  await kubectl('create', 'job', 'hello', `--image=${node.image}`, '-n', namespace, '--', 'echo', 'hi');
  await kubectl('wait', '--for=condition=complete', 'job/hello', '-n', namespace, '--timeout=60s');
  assert.equal(await kubectl('logs', 'job/hello', '-n', namespace), 'hi\n');
});

test('the image has the small commands, and a /tmp that everybody may write', async t => {
  const namespace = await aNamespace(t, plane);
  const script =
    'set -e; touch /tmp/a; mv /tmp/a /tmp/b; mkdir /tmp/c; seq 3 | head -2 | tail -1 | grep 2; ' +
    'ls /tmp; cat /tmp/b; rm /tmp/b; test ! -e /tmp/b; date >/dev/null; env >/dev/null; true; sleep 0; kill -0 1';
  const path = await createPod(admin, {
    namespace,
    script,
    container: { securityContext: { runAsUser: 1000 } },
  });
  const { phase } = await untilPod(admin, path, 'over', status =>
    /Succeeded|Failed/.test(status.phase ?? ''),
  );
  assert.equal(await kubectl('logs', 'p', '-n', namespace), '2\nb\nc\n');
  assert.equal(phase, 'Succeeded');
});

test('on delete preStop runs, in a folder of the host, before TERM arrives', async t => {
  const namespace = await aNamespace(t, plane);
  const folder = join(plane.dir, `shared-${namespace}`);
  mkdirSync(folder);
  const path = await createPod(admin, {
    namespace,
    script:
      'trap "echo TERM >>/shared/story; exit 0" TERM; echo began >/shared/story; while :; do sleep 0.1; done',
    container: {
      volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
      lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo preStop >>/shared/story'] } } },
    },
    spec: { volumes: [{ name: 'shared', hostPath: { path: folder, type: 'Directory' } }] },
  });
  const story = join(folder, 'story');
  await untilReady(admin, path);
  await until('the container to begin', 10_000, async () => existsSync(story));
  await admin.delete(path);
  await until('the Pod to be gone', 60_000, async () => !(await admin.find(path)));
  assert.equal(readFileSync(story, 'utf8'), 'began\npreStop\nTERM\n');
});

test('a deadline ends the container with TERM; its last line and exit code 143 are there', async t => {
  const namespace = await aNamespace(t, plane);
  const path = await createPod(admin, {
    namespace,
    script: 'trap "echo last; exit 143" TERM; echo first; while :; do sleep 0.1; done',
    spec: { activeDeadlineSeconds: 2 },
  });
  const ended = await untilPod(
    admin,
    path,
    'ended',
    ({ containerStatuses }) => containerStatuses?.[0]?.state.terminated !== undefined,
  );
  assert.equal(ended.phase, 'Failed');
  assert.equal(ended.reason, 'DeadlineExceeded');
  assert.equal(ended.containerStatuses?.[0]?.state.terminated?.exitCode, 143);
  assert.equal(await kubectl('logs', 'p', '-n', namespace), 'first\nlast\n');
});

test('a node without a kubelet becomes unknown, its Pods stay; with a kubelet it is Ready again', async t => {
  const namespace = await aNamespace(t, plane);
  const path = await createPod(admin, { namespace, script: ignoresTerm });
  await untilReady(admin, path);
  await node.stopKubelet();
  await until('the node to be unknown', 60_000, async () => (await readyOf()) === 'Unknown');
  await admin.delete(path, { gracePeriodSeconds: 1 });
  assert.ok((await admin.get(path)).metadata.deletionTimestamp);
  assert.equal(tracesOf(plane).processes.filter(line => line.includes('began')).length, 1);
  await node.startKubelet();
  assert.equal(await readyOf(), 'True');
  await until('the Pod to be gone', 60_000, async () => !(await admin.find(path)));
});

test('two nodes run side by side, and one that was stopped leaves nothing', async () => {
  const kernelSettings = () =>
    ['net/ipv4/ip_forward', 'vm/overcommit_memory', 'kernel/panic', 'kernel/panic_on_oops'].map(name =>
      readFileSync(`/proc/sys/${name}`, 'utf8'),
    );
  const settings = kernelSettings();
  const other = await startControlPlane({ node: true });
  const pod = { namespace: 'default', script: ignoresTerm };
  const path = await createPod(other.admin, pod);
  await untilReady(other.admin, path);
  const during = tracesOf(other);
  assert.ok(during.processes.some(line => line.includes('began')));
  // One of the Pod; that of the host, in which kubelet and containerd are, does not count.
  assert.equal(during.networkNamespaces.length, 1);
  assert.equal(during.links.length, 1);
  assert.ok(during.cgroups.length > 0);
  // The node's are seen inside only.
  assert.deepEqual(during.mounts, []);
  await other.stop();
  assert.deepEqual(tracesOf(other, during), noTraces);
  assert.equal(existsSync(other.dir), false);
  assert.deepEqual(kernelSettings(), settings);
  assert.equal(await readyOf(), 'True');
});

for (const signal of ['SIGKILL', 'SIGINT'] as const) {
  test(`nothing is left when the process that started it ends by ${signal}`, async () => {
    const script = `
      import { startControlPlane } from ${JSON.stringify(new URL('./control-plane.ts', import.meta.url).href)};
      const { dir, server, adminKubeconfig } = await startControlPlane({ node: true });
      console.log(JSON.stringify({ dir, server, adminKubeconfig }));
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const other = JSON.parse(line.toString()) as { dir: string; server: string; adminKubeconfig: string };
    const theirs = adminOf(other.adminKubeconfig);
    const path = await createPod(theirs, { namespace: 'default', script: ignoresTerm });
    await untilReady(theirs, path);
    await theirs.destroy();
    const during = tracesOf(other);
    assert.ok(during.processes.some(process => process.includes('began')));
    child.kill(signal);
    await once(child, 'exit');
    await until('every trace to be gone', 30_000, async () => {
      assert.deepEqual(tracesOf(other, during), noTraces);
      return !existsSync(other.dir);
    });
  });
}

test('a kubelet that cannot start is reported with the end of its log, and leaves nothing', async t => {
  // A folder for temporary files of its own: other runs on this machine may use the usual one.
  const { TMPDIR } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'jobctl-test-'));
  process.env['TMPDIR'] = folder;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    rmSync(folder, { recursive: true });
  });
  await assert.rejects(
    startControlPlane({ node: true, kubeletFlags: ['--no-such-flag'] }),
    (error: Error) => {
      assert.match(error.message, /^kubelet ended with .* before it was ready/);
      assert.match(error.message, /unknown flag: --no-such-flag/);
      return true;
    },
  );
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(tracesOf({ dir: folder, server: plane.server }).processes, []);
});
