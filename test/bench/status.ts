// `npm run bench:status [-- JOBS NAMESPACES]`: `status -A` over JOBS (default 10,000) finished Jobs with as many Pods, of CronJobs in
// NAMESPACES (default 200), and `status -n` of one of them, as an ordinary user; beside kubectl's own lists of the same kinds. Prints
// requests, seconds, peak memory and ratios; judges nothing. A proxy in between would be measured too, so the audit log counts.
import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../cluster/admin.ts';
import { auditTrail } from '../cluster/audit.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { podSpec } from '../cluster/state/draft.ts';
import { createFinishedJob } from '../cluster/state/jobs.ts';
import { createNamespace, untilServiceAccount } from '../cluster/state/namespaces.ts';
import { createLeakedPod, createPodOf } from '../cluster/state/pods.ts';
import { allowEverywhere } from '../cluster/state/roles.ts';
import { compileCache, pluginIn } from '../support/plugin.ts';
import { type Measured, measure } from './command.ts';

const [jobs, namespaces] = [10_000, 200].map((usual, at) => Number(process.argv[2 + at] ?? usual)) as [
  number,
  number,
];
const runs = 3;
const say = (text: string) => process.stdout.write(`${text}\n`);

// its CronJob controller would tidy the history up first, and Pods beyond 12,500 that have ended
const plane = await startControlPlane({
  controllerManagerFlags: ['--controllers=*,-cronjob-controller', '--terminated-pod-gc-threshold=0'],
});
process.on('SIGINT', () => process.exit(130));
const { admin } = plane;
const plugin = pluginIn(plane.dir, plane.kubectl);
const namespaceOf = (at: number): string => `bench-${at}`;

/** What the spec of a Pod of real work weighs, a few kilobytes. */
const env = Array.from({ length: 30 }, (_, at) => ({ name: `SETTING_${at}`, value: 'x'.repeat(60) }));
const containers = [{ name: 'main', image: 'registry.example/none:1', env }];
const spec = podSpec({ containers });

/** A CronJob whose history goes far beyond its limits, in one namespace of two; one leaked Pod in each tenth. */
async function fill(at: number): Promise<void> {
  const namespace = namespaceOf(at);
  await createNamespace(admin, { name: namespace });
  await untilServiceAccount(admin, namespace);
  const each = Math.floor(jobs / namespaces);
  const limits = { successfulJobsHistoryLimit: at % 2 === 0 ? 3 : each, failedJobsHistoryLimit: 1 };
  const owner = await createCronJob(admin, {
    name: 'nightly',
    namespace,
    spec: { ...limits, suspend: false },
  });
  for (let nth = 0; nth < each; nth += 1) {
    const name = `nightly-${nth}`;
    const job = await createFinishedJob(admin, {
      name,
      namespace,
      owner,
      ended: `${nth + 1}m`,
      podSpec: { containers },
    });
    await createPodOf(admin, job, { name, phase: 'Succeeded', ended: `${nth + 1}m`, spec });
  }
  if (at % 10 === 0)
    await createLeakedPod(admin, { name: 'leaked', namespace, phase: 'Succeeded', ended: '1h', spec });
}

interface Cost extends Measured {
  readonly name: string;
  readonly lists: number;
  readonly requests: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** The mean of some runs after one that warms what the server and the disk keep. */
async function cost(name: string, line: string, user: string): Promise<Cost> {
  const kubeconfig = plane.kubeconfigFor({ user, namespace: namespaceOf(0) });
  const once = () =>
    measure(['/bin/sh', '-c', line], { ...plugin, NODE_COMPILE_CACHE: compileCache, KUBECONFIG: kubeconfig });
  await once();
  const trail = await auditTrail(plane);
  await once();
  // the last lines of the log come a moment after the answers
  await sleep(1000);
  const asked = await trail.events({ user });
  const measured: Measured[] = [];
  for (let nth = 0; nth < runs; nth += 1) measured.push(await once());
  const seconds = mean(measured.map(one => one.seconds));
  const peakMiB = Math.max(...measured.map(one => one.peakMiB ?? Number.NaN));
  const lists = asked.filter(({ verb }) => verb === 'list').length;
  say(
    `${name}: ${seconds.toFixed(2)} s, ${asked.length} requests, ${lists} of them lists, at most ${Math.round(peakMiB)} MiB`,
  );
  return { name, seconds, peakMiB, lists, requests: asked.length };
}

function compare(ours: Cost, theirs: Cost): void {
  const ratio = (of: (cost: Cost) => number) => (of(theirs) / of(ours)).toFixed(2);
  const memory = ratio(one => one.peakMiB ?? Number.NaN);
  say(
    `${theirs.name} / ${ours.name}: seconds ${ratio(one => one.seconds)}, requests ${ratio(one => one.requests)}, memory ${memory}`,
  );
  say('');
}

const user = 'looker';
const rules = [{ apiGroups: ['', 'batch'], resources: ['pods', 'jobs', 'cronjobs'], verbs: ['list'] }];
await allowEverywhere(admin, { user, rules });
const startedMs = performance.now();
await inParallel(
  Array.from({ length: namespaces }, (_, at) => at),
  fill,
);
const filled = ((performance.now() - startedMs) / 1000).toFixed(0);
say(`${jobs} Jobs and as many Pods in ${namespaces} namespaces (made in ${filled} s)`);
say('');
const kinds = 'cronjobs,jobs,pods';
const all = await cost('kubectl jobctl status -A', 'kubectl jobctl status -A', user);
compare(all, await cost(`kubectl get ${kinds} -A`, `kubectl get ${kinds} -A`, user));
compare(all, await cost(`kubectl get ${kinds} -A -o json`, `kubectl get ${kinds} -A -o json`, user));
// what of it is the start of the tool, here from its sources
await cost('kubectl jobctl version', 'kubectl jobctl version', user);
const one = await cost('kubectl jobctl status', 'kubectl jobctl status', user);
compare(one, await cost('kubectl get jobs', 'kubectl get jobs', user));
compare(one, await cost(`kubectl get ${kinds}`, `kubectl get ${kinds}`, user));
await plane.stop();
