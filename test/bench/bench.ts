// `npm run bench [-- N]`: pruning N finished Jobs of one CronJob (default 1,000), side by side on one server in one run, as an
// ordinary user. Prints seconds, rates and ratios; judges nothing. Also prints the peak memory of ours.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Client } from 'undici';
import { parse } from 'yaml';
import type { KubeObject } from '../cluster/admin.ts';
import { inParallel } from '../cluster/admin.ts';
import { startControlPlane } from '../cluster/control-plane.ts';
import { createCronJob } from '../cluster/state/cronjobs.ts';
import { createFinishedJobs, jobPath } from '../cluster/state/jobs.ts';
import { createPodOf } from '../cluster/state/pods.ts';
import { allowEverywhere } from '../cluster/state/roles.ts';
import { until } from '../cluster/until.ts';

const count = Number(process.argv[2] ?? 1000);
const launcher = resolve(import.meta.dirname, '..', '..', 'kubectl-jobctl');
const say = (text: string) => process.stdout.write(`${text}\n`);

const plane = await startControlPlane({ controllerManagerFlags: ['--controllers=*,-cronjob-controller'] });
process.on('SIGINT', () => process.exit(130));
const bin = join(plane.dir, 'bin');
mkdirSync(bin);
symlinkSync(launcher, join(bin, 'kubectl-jobctl'));
await allowEverywhere(plane.admin, {
  user: 'operator',
  rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'delete'] }],
});

interface Contender {
  readonly name: string;
  readonly pods: boolean;
  readonly run: (namespace: string, kubeconfig: string, jobs: readonly KubeObject[]) => Promise<string>;
  /** How many Jobs stay. */
  readonly left: number;
}

const kubectl = (
  argv: readonly string[],
  kubeconfig: string,
  wrap: readonly string[] = [],
): Promise<string> =>
  new Promise((done, fail) => {
    const [command = '', ...rest] = [...wrap, plane.kubectl, ...argv];
    const env = {
      PATH: `${bin}:${dirname(plane.kubectl)}:/usr/bin:/bin`,
      HOME: plane.dir,
      KUBECONFIG: kubeconfig,
    };
    const child = spawn(command, rest, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let err = '';
    child.stderr.on('data', chunk => {
      err += chunk;
    });
    child.on('error', fail);
    child.on('close', code =>
      code === 0 ? done(err) : fail(new Error(`${argv.join(' ')}: exit ${code}: ${err.slice(-500)}`)),
    );
  });

/** What the transport could reach at best: one HTTP/2 connection, DELETEs and nothing else. */
async function bareLoop(
  _namespace: string,
  kubeconfig: string,
  jobs: readonly KubeObject[],
): Promise<string> {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'));
  const pem = (data: string) => Buffer.from(data, 'base64');
  const connect = {
    ca: pem(clusters[0].cluster['certificate-authority-data']),
    cert: pem(users[0].user['client-certificate-data']),
    key: pem(users[0].user['client-key-data']),
  };
  const client = new Client(plane.server, {
    allowH2: true,
    connect,
    pipelining: 100,
    maxConcurrentStreams: 100,
  });
  await inParallel(jobs, async job => {
    const body = JSON.stringify({
      propagationPolicy: 'Background',
      preconditions: { uid: job.metadata.uid },
    });
    const answer = await client.request({
      method: 'DELETE',
      path: jobPath(job.metadata.namespace ?? '', job.metadata.name),
      body,
      headers: { 'content-type': 'application/json' },
    });
    await answer.body.dump();
  });
  await client.close();
  return '';
}

const contenders: readonly Contender[] = [
  {
    name: 'kubectl jobctl prune',
    pods: false,
    left: 4,
    run: (_, kubeconfig) => kubectl(['jobctl', 'prune', '--yes'], kubeconfig),
  },
  { name: 'bare HTTP/2 loop of DELETEs', pods: false, left: 0, run: bareLoop },
  {
    name: 'kubectl delete --wait=false',
    pods: false,
    left: 0,
    run: (_, kubeconfig) => kubectl(['delete', 'jobs', '--all', '--wait=false'], kubeconfig),
  },
  {
    name: 'kubectl delete',
    pods: false,
    left: 0,
    run: (_, kubeconfig) => kubectl(['delete', 'jobs', '--all'], kubeconfig),
  },
  {
    name: 'kubectl jobctl prune, with Pods',
    pods: true,
    left: 4,
    run: (_, kubeconfig) => kubectl(['jobctl', 'prune', '--yes'], kubeconfig),
  },
];

const rows: { name: string; seconds: number }[] = [];
for (const [at, contender] of contenders.entries()) {
  const namespace = `bench-${at}`;
  await plane.admin.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  await until('the service account', 60_000, () =>
    plane.admin.find(`/api/v1/namespaces/${namespace}/serviceaccounts/default`),
  );
  const owner = await createCronJob(plane.admin, {
    name: 'nightly',
    namespace,
    spec: { successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
  });
  const jobs = await createFinishedJobs(
    plane.admin,
    Array.from({ length: count }, (_, job) => ({
      name: `j-${job}`,
      namespace,
      owner,
      ended: `${job + 1}m`,
      outcome: job % 10 === 0 ? ('failed' as const) : ('complete' as const),
    })),
  );
  if (contender.pods)
    await inParallel(jobs, job =>
      createPodOf(plane.admin, job, { name: `${job.metadata.name}-p`, phase: 'Succeeded' }),
    );
  const kubeconfig = plane.kubeconfigFor({ user: 'operator', namespace });
  const startedMs = performance.now();
  await contender.run(namespace, kubeconfig, jobs);
  const seconds = (performance.now() - startedMs) / 1000;
  const left = (await plane.admin.list(jobPath(namespace))).length;
  const pods = (await plane.admin.list(`/api/v1/namespaces/${namespace}/pods`)).length;
  rows.push({ name: contender.name, seconds });
  say(
    `${contender.name}: ${seconds.toFixed(1)} s for ${count} Jobs, ${Math.round(count / seconds)}/s; ${left} Jobs and ${pods} Pods left${left === contender.left ? '' : ` (expected ${contender.left})`}`,
  );
}
const ours = rows[0]?.seconds ?? Number.NaN;
say('');
for (const { name, seconds } of rows.slice(1))
  say(`${name} / kubectl jobctl prune = ${(seconds / ours).toFixed(2)}`);
await plane.stop();
