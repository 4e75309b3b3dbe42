// `npm run bench:stop [-- CRONJOBS JOBS]`: JOBS running Jobs (default 10) of each of CRONJOBS CronJobs (default 20), stopped by one command,
// as an ordinary user; and the same by a shell loop of kubectl patches, the recipe found on the web. Prints seconds, requests by verb and
// resource, and what is left; judges nothing. The control plane's settings are the defaults, so the Job controller sends 20 requests a
// second; each Pod takes a second from being told to its end.
import { inParallel } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createJob, jobPath } from '../cluster/state/jobs.ts';
import { createNamespace, untilServiceAccount } from '../cluster/state/namespaces.ts';
import { played, playKubelet } from '../cluster/state/played-kubelet.ts';
import { podPath } from '../cluster/state/pods.ts';
import { allowIn } from '../cluster/state/roles.ts';
import { until } from '../cluster/until.ts';
import { pluginIn } from '../support/plugin.ts';
import { measure } from './command.ts';

const [cronJobs, jobsEach] = [Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 10)];
const count = cronJobs * jobsEach;
const say = (text: string) => process.stdout.write(`${text}\n`);

const plane = await startControlPlane();
process.on('SIGINT', () => process.exit(130));
const { admin } = plane;
const plugin = pluginIn(plane.dir, plane.kubectl);

// what the recipe needs is among what a stop needs
const rules = [
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: ['get', 'list', 'patch'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'patch'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create'] },
];

const patchAll = (kind: string, spec: object): string =>
  `for it in $(kubectl get ${kind} -o name); do kubectl patch $it -p '${JSON.stringify({ spec })}' >/dev/null; done`;

const recipe = [
  patchAll('cronjobs', { suspend: true }),
  patchAll('jobs', { backoffLimit: 0 }),
  patchAll('pods', { activeDeadlineSeconds: 1 }),
].join('; ');

interface Contender {
  readonly name: string;
  readonly argv: readonly string[];
}

const contenders: readonly Contender[] = [
  {
    name: 'kubectl jobctl stop',
    argv: [plane.kubectl, 'jobctl', 'stop', 'cronjobs', '--all', '--yes', '--no-save'],
  },
  { name: 'a shell loop of kubectl patch', argv: ['/bin/sh', '-c', recipe] },
];

async function runningWork(namespace: string): Promise<void> {
  const template = {
    metadata: { annotations: played({ takesToEnd: 1 }) },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/none:1' }] },
  };
  await inParallel(Array.from({ length: cronJobs }), async (_, at) => {
    const owner = await createCronJob(admin, { name: `c-${at}`, namespace, spec: { suspend: false } });
    for (let job = 0; job < jobsEach; job += 1)
      await createJob(admin, { name: `c-${at}-${job}`, namespace, owner, spec: { template } });
  });
  await until(`${count} Jobs to run`, 300_000, async () => {
    const jobs = await admin.list(jobPath(namespace));
    return jobs.filter(({ status }) => status?.['ready'] === 1).length === count;
  });
}

/** Until the Job controller has brought each to its end, or something has deleted it. */
async function allEnded(namespace: string): Promise<void> {
  await until('every Job to end', 300_000, async () => {
    const jobs = await admin.list(jobPath(namespace));
    return jobs.every(({ status }) => JSON.stringify(status?.['conditions'] ?? []).includes('"Failed"'));
  });
}

interface Cost {
  readonly seconds: number;
  readonly requests: number;
}

async function cost({ name, argv }: Contender, namespace: string): Promise<Cost> {
  const user = `stopper-${namespace}`;
  await createNamespace(admin, { name: namespace });
  await untilServiceAccount(admin, namespace);
  await allowIn(admin, namespace, { user, rules });
  const kubelet = playKubelet(admin, namespace);
  try {
    await runningWork(namespace);
    const trail = await auditTrail(plane);
    const startedMs = performance.now();
    const env = { ...plugin, KUBECONFIG: plane.kubeconfigFor({ user, namespace }) };
    const { seconds: ran, peakMiB } = await measure(argv, env);
    await allEnded(namespace);
    const seconds = (performance.now() - startedMs) / 1000;
    const events = await trail.whole({ user });
    const [jobs, pods] = [await admin.list(jobPath(namespace)), await admin.list(podPath(namespace))];
    const memory = peakMiB === undefined ? '' : `, at most ${Math.round(peakMiB)} MiB`;
    say(
      `${name}: ${ran.toFixed(1)} s, ${seconds.toFixed(1)} s until every Job has ended, ${events.length} requests${memory}`,
    );
    const kinds = Map.groupBy(
      events,
      ({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? 'discovery'}`,
    );
    const told = [...kinds].sort(([, a], [, b]) => b.length - a.length);
    say(`  ${told.map(([kind, all]) => `${all.length} ${kind}`).join(', ')}`);
    say(`  left: ${jobs.length} of ${count} Jobs, ${pods.length} of ${count} Pods`);
    return { seconds, requests: events.length };
  } finally {
    await kubelet.stop();
  }
}

say(`${count} running Jobs of ${cronJobs} CronJobs, Kubernetes ${plane.version}`);
const costs: Cost[] = [];
for (const [at, contender] of contenders.entries()) costs.push(await cost(contender, `bench-${at}`));
const [ours, theirs] = costs;
if (ours !== undefined && theirs !== undefined) {
  const ratio = (of: (cost: Cost) => number) => (of(theirs) / of(ours)).toFixed(2);
  say('');
  say(
    `${contenders[1]?.name} / ${contenders[0]?.name}: seconds ${ratio(one => one.seconds)}, requests ${ratio(one => one.requests)}`,
  );
}
await plane.stop();
