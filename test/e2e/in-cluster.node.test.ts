// deploy/ as it is, on a real node with the image of the Dockerfile: what docs/in-the-cluster.md says of it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, type TestContext, test } from 'node:test';
import { collection, type Fields, type KubeObject } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { type ApiService, openApiService } from '../cluster/node/api-service.ts';
import { cronJobPath } from '../cluster/state/cronjobs.ts';
import { jobPath } from '../cluster/state/jobs.ts';
import { createLeakedPod, podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';
import {
  forgetHistory,
  type History,
  type HistoryWish,
  jobsLeft,
  makeHistory,
} from './in-cluster-history.ts';
import { importProduct } from './in-cluster-image.ts';
import {
  accountName,
  addedArgument,
  conditionsOf,
  deletedIn,
  deploy,
  logOfPod,
  logsOfRun,
  own,
  podsOfRun,
  productProcesses,
  type Report,
  reportsOf,
  startRun,
  toLines,
  toReport,
  uidIn,
  untilRunEnded,
} from './in-cluster-place.ts';

const plane = await startControlPlane({ node: true });
let api: ApiService | undefined;
after(async () => {
  await api?.close();
  await plane.stop();
});
const { admin } = plane;
await importProduct(plane);
api = await openApiService(plane);

async function aHistory(t: TestContext, wish: HistoryWish): Promise<History> {
  const history = await makeHistory(admin, wish);
  t.after(() => forgetHistory(admin, history));
  return history;
}

/** What is missing, what is there and should not be, and what is there twice. */
function assertSame(found: Iterable<string>, wanted: Iterable<string>): void {
  const all = [...found];
  const [there, due] = [new Set(all), new Set(wanted)];
  const differences = {
    missing: [...due].filter(uid => !there.has(uid)),
    more: [...there].filter(uid => !due.has(uid)),
    twice: all.filter((uid, at) => all.indexOf(uid) !== at),
  };
  assert.deepEqual(differences, { missing: [], more: [], twice: [] });
}

/** Nothing missed, nothing else taken: by the reports, by what is there, and by what the API server was asked. */
async function assertPruned(history: History, reports: readonly Report[], trail: Trail) {
  assertSame(reports.flatMap(deletedIn), history.goes);
  assertSame(await jobsLeft(admin, history), history.stays);
  assertSame((await deletesOf(history, trail)).map(uidIn), history.goes);
}

type Trail = Awaited<ReturnType<typeof auditTrail>>;

const deletes = { user: accountName, verbs: ['delete'], resource: 'jobs' } as const;

/** What the pruner asked the API server to delete, once all of it is in the audit log. */
const deletesOf = (history: History, trail: Trail): Promise<Awaited<ReturnType<Trail['events']>>> =>
  until('every delete to be in the audit log', 30_000, async () => {
    const events = await trail.events(deletes);
    const asked = new Set(events.map(uidIn));
    return [...history.goes].every(uid => asked.has(uid)) && events;
  });

test('the CronJob starts a run by its schedule; it prunes what is beyond the rules in all namespaces and no more, and its log has the report', async t => {
  await deploy(plane, { overlay: 'one-pod', components: ['prune-pods'] });
  const history = await aHistory(t, {
    prefix: 'one',
    namespaces: 4,
    cronJobs: 2,
    runs: 8,
    standalone: 5,
    pods: true,
  });
  const trail = await auditTrail(plane);
  await admin.patch(cronJobPath(own, 'prune-jobs'), { spec: { schedule: '* * * * *', suspend: false } });
  const started = await until('the schedule to start a run', 90_000, async () => {
    return (await admin.list(jobPath(own)))[0];
  });
  await admin.patch(cronJobPath(own, 'prune-jobs'), { spec: { suspend: true } });
  const { name } = started.metadata;
  const ended = await untilRunEnded(plane, name);
  assert.ok(conditionsOf(ended).includes('Complete'));
  const reports = await reportsOf(plane, name);
  assert.deepEqual(
    reports.map(({ exitCode }) => exitCode),
    [0],
  );
  await assertPruned(history, reports, trail);
  const verdicts = new Map(reports[0]?.findings.map(({ uid, reason }) => [uid, reason.code]));
  assert.ok([...history.stays].every(uid => verdicts.has(uid)));
  // the run itself is a Job too
  assert.equal(verdicts.get(started.metadata.uid), 'running');
  const pods = (await admin.list(podPath(history.namespaces[0] ?? ''))).map(pod => pod.metadata.name);
  assert.deepEqual(pods, []);
  assert.ok((api?.connections() ?? 0) > 0);
});

test('with the component prune-pods, leaked Pods go too', async () => {
  await createLeakedPod(admin, {
    name: 'left',
    namespace: 'default',
    phase: 'Succeeded',
    started: '3d',
    ended: '2d',
  });
  await startRun(plane, 'pods', 'prune-pods');
  const ended = await untilRunEnded(plane, 'pods');
  assert.ok(conditionsOf(ended).includes('Complete'));
  assert.deepEqual(await admin.list(podPath('default')), []);
});

test('four shards share the owners: none is taken twice, none is missed', async t => {
  await deploy(plane, { overlay: 'shards' });
  const history = await aHistory(t, {
    prefix: 'four',
    namespaces: 4,
    cronJobs: 6,
    runs: 8,
    standalone: 5,
  });
  const trail = await auditTrail(plane);
  await startRun(plane, 'shards');
  const ended = await untilRunEnded(plane, 'shards');
  assert.ok(conditionsOf(ended).includes('Complete'));
  const reports = await reportsOf(plane, 'shards');
  assert.equal(reports.length, 4);
  assert.ok(reports.filter(report => deletedIn(report).length > 0).length > 1);
  // together they tell of every Job once, kept ones too
  const lines = toLines(await logsOfRun(plane, 'shards'));
  assert.equal(lines.filter(({ result }) => result !== undefined).length, 4);
  const told = lines.flatMap(({ finding }) => finding?.uid ?? []);
  const ours = told.filter(uid => history.goes.has(uid) || history.stays.has(uid));
  assertSame(ours, [...history.goes, ...history.stays]);
  await assertPruned(history, reports, trail);
});

/** The process of a container, as the host sees it: the first whose environment says so. */
const pidOf = (variable: string): number | undefined =>
  productProcesses(plane).find(pid =>
    readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable),
  );

/** What the kernel knows of a process. */
function confinementOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
  const [root] = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .filter(line => line.split(' ')[4] === '/');
  return {
    uid: field('Uid'),
    gid: field('Gid'),
    capabilities: field('CapBnd'),
    noNewPrivileges: field('NoNewPrivs'),
    seccomp: field('Seccomp'),
    root: root?.split(' ')[5]?.split(',')[0],
  };
}

test('a shard that is killed in the middle is started again, and in the end nothing is missed; it ran without root, rights or a place to write', async t => {
  await deploy(plane, { overlay: 'shards', patch: [addedArgument('--concurrency=1')] });
  const history = await aHistory(t, {
    prefix: 'killed',
    namespaces: 6,
    cronJobs: 8,
    runs: 20,
    standalone: 4,
  });
  const trail = await auditTrail(plane);
  await startRun(plane, 'killed');
  const pid = await until('shard 2 to begin', 60_000, async () => pidOf('JOB_COMPLETION_INDEX=2'));
  const confined = confinementOf(pid);
  await until('shard 2 to be at work', 60_000, async () =>
    (await trail.events(deletes)).some(({ pod }) => pod?.startsWith('killed-2-') === true),
  );
  process.kill(pid, 'SIGKILL');
  const ended = await untilRunEnded(plane, 'killed');
  assert.ok(conditionsOf(ended).includes('Complete'));
  assert.equal(ended.status?.['completedIndexes'], '0-3');
  assert.equal(ended.status?.['failed'], 1);
  assertSame(await jobsLeft(admin, history), history.stays);
  const events = await deletesOf(history, trail);
  const byPod = Map.groupBy(events, ({ pod }) => pod);
  const ofShard = [...byPod].filter(([pod]) => pod?.startsWith('killed-2-'));
  t.diagnostic(`shard 2: ${ofShard.map(([pod, all]) => `${pod} deleted ${all.length}`).join(', ')}`);
  // both have done a part of it
  assert.equal(ofShard.length, 2);
  // and the one that was killed has told its part, all but the delete that was under way
  const pods = await podsOfRun(plane, 'killed');
  const [killed] = pods.filter(pod => pod.status?.['phase'] === 'Failed');
  assert.ok(killed);
  const told = toLines(await logOfPod(plane, killed)).flatMap(({ action }) => action ?? []);
  const asked = byPod.get(killed.metadata.name) ?? [];
  assert.ok(told.length === asked.length || told.length === asked.length - 1, `${told.length} told`);
  // which may not have had its effect: then it was asked for again
  const underWay = asked.at(-1);
  const others = events.filter(event => event !== underWay).map(uidIn);
  const last = underWay === undefined || others.includes(uidIn(underWay)) ? [] : [uidIn(underWay)];
  assertSame([...others, ...last], history.goes);
  assert.deepEqual(confined, {
    uid: '65532',
    gid: '65532',
    capabilities: '0000000000000000',
    noNewPrivileges: '1',
    // a filter
    seccomp: '2',
    root: 'ro',
  });
});

test('a plan that --max refuses is not tried again, and the log says what to do', async t => {
  await deploy(plane, { overlay: 'one-pod', patch: [addedArgument('--max=3')] });
  const history = await aHistory(t, {
    prefix: 'many',
    namespaces: 1,
    cronJobs: 0,
    runs: 0,
    standalone: 4,
  });
  await startRun(plane, 'refused');
  const ended = await untilRunEnded(plane, 'refused');
  assert.ok(conditionsOf(ended).includes('Failed'));
  const [pod, ...others] = await podsOfRun(plane, 'refused');
  assert.ok(pod);
  assert.deepEqual(others, []);
  const { exitCode, refusal } = toReport(await logOfPod(plane, pod));
  assert.equal(exitCode, 3);
  assert.match(refusal?.text.join() ?? '', /--max/);
  assert.equal((await jobsLeft(admin, history)).size, history.goes.size + history.stays.size);
});

test('the namespace refuses the same Pod if it may become root, gain privileges or keep capabilities', async () => {
  const { spec } = await admin.get(cronJobPath(own, 'prune-jobs'));
  const template = (spec as { jobTemplate: { spec: { template: { spec: PodFields } } } }).jobTemplate.spec
    .template.spec;
  const tried = (of: PodFields): Promise<KubeObject> =>
    admin.create(`${podPath(own)}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'tried' },
      spec: of,
    });
  const withContainer = (change: Fields): PodFields => ({
    ...template,
    containers: template.containers.map(({ securityContext, ...rest }) => ({
      ...rest,
      securityContext: { ...(securityContext as Fields), ...change },
    })),
  });
  assert.equal((await tried(template)).metadata.name, 'tried');
  const { securityContext: _, ...without } = template;
  await assert.rejects(tried(without), /violates PodSecurity "restricted.*runAsNonRoot/);
  await assert.rejects(tried(withContainer({ runAsUser: 0 })), /runAsUser=0/);
  await assert.rejects(
    tried(withContainer({ allowPrivilegeEscalation: true })),
    /allowPrivilegeEscalation != false/,
  );
  await assert.rejects(tried(withContainer({ capabilities: {} })), /unrestricted capabilities/);
});

interface PodFields extends Fields {
  readonly containers: readonly Fields[];
}

test('the network policies mean the Pods of the pruner, and allow the port on which they spoke to the API server', async () => {
  // the network of this node does not enforce them
  const policies = await admin.list(collection('networking.k8s.io/v1', 'networkpolicies', own));
  const byName = new Map(policies.map(({ metadata, spec }) => [metadata.name, spec]));
  assert.deepEqual(byName.get('nothing-by-default'), {
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
  });
  const { podSelector, egress } = byName.get('pruner-to-api-server') as unknown as {
    podSelector: { matchLabels: Record<string, string> };
    egress: readonly { ports: readonly { port: number }[] }[];
  };
  const pods = (await admin.list(podPath(own))).filter(({ metadata }) => metadata.labels?.['job-name']);
  assert.ok(pods.length > 3);
  for (const { metadata } of pods)
    for (const [key, value] of Object.entries(podSelector.matchLabels))
      assert.equal(metadata.labels?.[key], value, metadata.name);
  const service = await admin.get(`${collection('v1', 'services', 'default')}/kubernetes`);
  const [{ port } = { port: 0 }] = (service.spec?.['ports'] ?? []) as readonly { port: number }[];
  assert.ok(egress.some(({ ports }) => ports.some(allowed => allowed.port === port)));
});
