// `npm run bench [-- N [PATTERN]]`: pruning N finished Jobs of one CronJob (default 1,000), side by side on one server in one run,
// as an ordinary user. Prints seconds, rates, peak memory and ratios; judges nothing. PATTERN picks contenders by name.

import { readFileSync } from 'node:fs';
import { Client } from 'undici';
import { parse } from 'yaml';
import { inParallel, type KubeObject } from '../cluster/admin.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createFinishedJobs, jobPath } from '../cluster/state/jobs.ts';
import { untilServiceAccount } from '../cluster/state/namespaces.ts';
import { createPodOf, podPath } from '../cluster/state/pods.ts';
import { allowEverywhere } from '../cluster/state/roles.ts';
import { until } from '../cluster/until.ts';
import { pluginIn } from '../support/plugin.ts';
import { type Measured, measure } from './command.ts';

const count = Number(process.argv[2] ?? 1000);
const pattern = new RegExp(process.argv[3] ?? '');
const say = (text: string) => process.stdout.write(`${text}\n`);

// without its own CronJob controller, because that would prune first
const plane = await startControlPlane({ controllerManagerFlags: ['--controllers=*,-cronjob-controller'] });
process.on('SIGINT', () => process.exit(130));
const { admin } = plane;
const plugin = pluginIn(plane.dir, plane.kubectl);
const verbs = ['get', 'list', 'watch', 'delete'];
await allowEverywhere(admin, { user: 'operator', rules: [{ apiGroups: ['*'], resources: ['*'], verbs }] });

interface At {
  readonly namespace: string;
  readonly kubeconfig: string;
  readonly jobs: readonly KubeObject[];
}

interface Contender {
  readonly name: string;
  /** Whether each Job has a Pod, and the end is when those are gone too. */
  readonly pods: boolean;
  /** How many Jobs are to stay. */
  readonly left: number;
  readonly run: (at: At) => Promise<Measured>;
}

const kubectl =
  (words: string) =>
  ({ kubeconfig }: At) => {
    const env = { ...plugin, KUBECONFIG: kubeconfig };
    return measure([plane.kubectl, ...words.split(' ')], env);
  };

/** What a client could reach at best: one HTTP/2 connection, DELETEs and nothing else. */
async function bareLoop({ kubeconfig, jobs }: At): Promise<Measured> {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'));
  const pem = (data: string) => Buffer.from(data, 'base64');
  const connect = {
    ca: pem(clusters[0].cluster['certificate-authority-data']),
    cert: pem(users[0].user['client-certificate-data']),
    key: pem(users[0].user['client-key-data']),
  };
  const client = new Client(plane.server, { allowH2: true, connect });
  const startedMs = performance.now();
  await inParallel(jobs, async job => {
    const body = JSON.stringify({
      propagationPolicy: 'Background',
      preconditions: { uid: job.metadata.uid },
    });
    const path = jobPath(job.metadata.namespace ?? '', job.metadata.name);
    const answer = await client.request({
      method: 'DELETE',
      path,
      body,
      headers: { 'content-type': 'application/json' },
    });
    await answer.body.dump();
  });
  await client.close();
  return { seconds: (performance.now() - startedMs) / 1000 };
}

/** The Pods of Jobs that are gone, until the collector has taken the last one. */
async function collectorAlone(at: At): Promise<Measured> {
  const startedMs = performance.now();
  await bareLoop(at);
  await until(
    'the garbage collector',
    3_600_000,
    async () => (await admin.list(`${podPath(at.namespace)}?limit=1`)).length === 0,
  );
  return { seconds: (performance.now() - startedMs) / 1000 };
}

const contenders: readonly Contender[] = [
  { name: 'kubectl jobctl prune', pods: false, left: 4, run: kubectl('jobctl prune --yes') },
  { name: 'bare HTTP/2 loop of DELETEs', pods: false, left: 0, run: bareLoop },
  {
    name: 'kubectl delete --wait=false',
    pods: false,
    left: 0,
    run: kubectl('delete jobs --all --wait=false'),
  },
  { name: 'kubectl delete', pods: false, left: 0, run: kubectl('delete jobs --all') },
  { name: 'kubectl jobctl prune, with a Pod each', pods: true, left: 4, run: kubectl('jobctl prune --yes') },
  { name: 'the garbage collector alone, with a Pod each', pods: true, left: 0, run: collectorAlone },
];

async function history(namespace: string, pods: boolean): Promise<readonly KubeObject[]> {
  await admin.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  await untilServiceAccount(admin, namespace);
  const spec = { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 };
  const owner = await createCronJob(admin, { name: 'nightly', namespace, spec });
  const wanted = Array.from({ length: count }, (_, at) => ({
    name: `j-${at}`,
    namespace,
    owner,
    ended: `${at + 1}m`,
    outcome: at % 10 === 0 ? ('failed' as const) : ('complete' as const),
  }));
  const jobs = await createFinishedJobs(admin, wanted);
  if (pods)
    await inParallel(jobs, job =>
      createPodOf(admin, job, { name: `${job.metadata.name}-p`, phase: 'Succeeded' }),
    );
  return jobs;
}

const rows: { readonly name: string; readonly pods: boolean; readonly seconds: number }[] = [];
for (const [at, { name, pods, left, run }] of contenders.entries()) {
  if (!pattern.test(name)) continue;
  const namespace = `bench-${at}`;
  const jobs = await history(namespace, pods);
  const { seconds, peakMiB } = await run({
    namespace,
    jobs,
    kubeconfig: plane.kubeconfigFor({ user: 'operator', namespace }),
  });
  const leftNow = (await admin.list(jobPath(namespace))).length;
  const podsNow = (await admin.list(podPath(namespace))).length;
  rows.push({ name, pods, seconds });
  const memory = peakMiB === undefined ? '' : `, at most ${Math.round(peakMiB)} MiB`;
  const wrong = leftNow === left ? '' : ` (${left} expected)`;
  say(
    `${name}: ${seconds.toFixed(1)} s for ${count} Jobs, ${Math.round(count / seconds)}/s${memory}; ${leftNow} Jobs${wrong} and ${podsNow} Pods left`,
  );
}
say('');
for (const pods of [false, true]) {
  const [ours, ...others] = rows.filter(row => row.pods === pods);
  for (const { name, seconds } of others)
    say(`${name} / ${ours?.name} = ${(seconds / (ours?.seconds ?? Number.NaN)).toFixed(2)}`);
}
await plane.stop();
