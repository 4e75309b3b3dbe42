// `npm run bench:prune-pods [-- LEAKED DEAD OTHERS]`: LEAKED Pods (default 5,000) of DEAD Jobs (default 800) among OTHERS (default 20,000)
// of living Jobs, of other owners and of none, in one namespace, pruned by an ordinary user with the least rights; and the same by a
// pipeline of kubectl and a small script. Prints seconds, peak memory, requests by verb and resource, and what is left; judges nothing.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inParallel, type KubeObject } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { podSpec } from '../cluster/state/draft.ts';
import { createConfigMap } from '../cluster/state/finalizers.ts';
import { createFinishedJobs } from '../cluster/state/jobs.ts';
import { createNamespace, untilServiceAccount } from '../cluster/state/namespaces.ts';
import { createLeakedPod, createPod, createPodOf, podPath } from '../cluster/state/pods.ts';
import { allowIn } from '../cluster/state/roles.ts';
import { pluginIn } from '../support/plugin.ts';
import { measure } from './command.ts';

const [leaked, dead, others] = [5000, 800, 20_000].map((usual, at) =>
  Number(process.argv[2 + at] ?? usual),
) as [number, number, number];
const namespace = 'bench';
const livingJobs = 800;
const say = (text: string) => process.stdout.write(`${text}\n`);
const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / 1000;

// by default the control plane itself removes ended Pods beyond 12,500
const plane = await startControlPlane({ controllerManagerFlags: ['--terminated-pod-gc-threshold=0'] });
process.on('SIGINT', () => process.exit(130));
const { admin } = plane;
const plugin = pluginIn(plane.dir, plane.kubectl);

// what the README says that `prune pods` needs; the pipeline needs no more
const rules = [
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'delete'] },
];

/** What the spec of a Pod of real work weighs, a few kilobytes. */
const env = Array.from({ length: 30 }, (_, at) => ({ name: `SETTING_${at}`, value: 'x'.repeat(60) }));
const spec = podSpec({ containers: [{ name: 'main', image: 'registry.example/none:1', env }] });
const ended = { namespace, phase: 'Succeeded', started: '2h', ended: '1h', spec } as const;

async function makeLeaked(): Promise<void> {
  const jobs = Array.from({ length: dead }, (_, at) => ({ jobName: `dead-${at}`, jobUid: randomUUID() }));
  await inParallel(Array.from({ length: leaked }), (_, at) =>
    createLeakedPod(admin, { ...ended, ...jobs[at % dead], name: `dead-${at % dead}-${at}` }),
  );
}

/** Three of five belong to living Jobs, one to another owner, one to nobody. */
async function makeOthers(): Promise<void> {
  const owner = await createConfigMap(admin, { name: 'flow', namespace });
  const jobs = await createFinishedJobs(
    admin,
    Array.from({ length: livingJobs }, (_, at) => ({ name: `lives-${at}`, namespace, ended: '1h' })),
  );
  const { namespace: _, ...inTheirs } = ended;
  const make = (at: number): Promise<KubeObject> => {
    const name = `other-${at}`;
    const job = jobs[at % livingJobs];
    if (at % 5 < 3 && job !== undefined) return createPodOf(admin, job, { ...inTheirs, name });
    return createPod(admin, { ...ended, name, ...(at % 5 === 3 ? { owner } : {}) });
  };
  await inParallel(Array.from({ length: others }), (_, at) => make(at));
}

/** The same question as people ask it: which Pods carry the uid of a Job that is not there, and have no owner. */
const script = join(plane.dir, 'leaked.mjs');
writeFileSync(
  script,
  `import { readFileSync } from 'node:fs';
const [jobs, pods] = process.argv.slice(2).map(file => JSON.parse(readFileSync(file, 'utf8')).items);
const there = new Set(jobs.map(job => job.metadata.uid));
for (const { metadata, status } of pods) {
  const uid = metadata.labels?.['controller-uid'];
  const ended = status.phase === 'Succeeded' || status.phase === 'Failed';
  if (uid && !there.has(uid) && !metadata.ownerReferences && ended) console.log(metadata.name);
}
`,
);
const [jobsFile, podsFile] = ['jobs.json', 'pods.json'].map(file => join(plane.dir, file));
// eight at once, because one kubectl allows itself five deletes a second
const pipeline = [
  `kubectl get jobs -o json > ${jobsFile}`,
  `kubectl get pods -o json > ${podsFile}`,
  `${process.execPath} ${script} ${jobsFile} ${podsFile} | xargs -P 8 -n 100 kubectl delete pods --wait=false`,
].join(' && ');

const contenders = [
  { name: 'kubectl jobctl prune pods', argv: [plane.kubectl, 'jobctl', 'prune', 'pods', '--yes'] },
  { name: 'kubectl get | script | 8 kubectl delete at once', argv: ['/bin/sh', '-c', pipeline] },
] as const;

interface Cost {
  readonly seconds: number;
  readonly requests: number;
  readonly peakMiB: number;
}

async function cost({ name, argv }: (typeof contenders)[number], at: number): Promise<Cost> {
  const user = `pruner-${at}`;
  await allowIn(admin, namespace, { user, rules });
  const trail = await auditTrail(plane);
  const kubeconfig = plane.kubeconfigFor({ user, namespace });
  const { seconds, peakMiB = Number.NaN } = await measure(argv, { ...plugin, KUBECONFIG: kubeconfig });
  const events = await trail.whole({ user });
  const requests = events.length;
  const rate = Math.round(leaked / seconds);
  say(
    `${name}: ${seconds.toFixed(1)} s, ${rate}/s, ${requests} requests, at most ${Math.round(peakMiB)} MiB`,
  );
  const kinds = Map.groupBy(events, ({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? 'discovery'}`);
  const told = [...kinds].sort(([, a], [, b]) => b.length - a.length);
  say(`  ${told.map(([kind, all]) => `${all.length} ${kind}`).join(', ')}`);
  const names = (await admin.list(podPath(namespace))).map(pod => pod.metadata.name);
  const left = names.filter(one => one.startsWith('dead-')).length;
  say(`  left: ${left} leaked Pods, ${names.length - left} of ${others} others`);
  return { seconds, requests, peakMiB };
}

say(`${leaked} leaked Pods of ${dead} dead Jobs among ${others} others, Kubernetes ${plane.version}`);
await createNamespace(admin, { name: namespace });
await untilServiceAccount(admin, namespace);
const startedMs = performance.now();
await makeOthers();
const costs: Cost[] = [];
for (const [at, contender] of contenders.entries()) {
  await makeLeaked();
  if (at === 0) say(`(made in ${secondsSince(startedMs).toFixed(0)} s)`);
  costs.push(await cost(contender, at));
}
const [ours, theirs] = costs;
if (ours !== undefined && theirs !== undefined) {
  const ratio = (of: (cost: Cost) => number) => (of(theirs) / of(ours)).toFixed(2);
  say('');
  say(
    `${contenders[1].name} / ${contenders[0].name}: seconds ${ratio(one => one.seconds)}, requests ${ratio(one => one.requests)}, memory ${ratio(one => one.peakMiB)}`,
  );
}
await plane.stop();
