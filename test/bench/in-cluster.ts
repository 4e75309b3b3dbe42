// `npm run bench:in-cluster [-- JOBS NAMESPACES]`: the manifests of deploy/ on a real node prune JOBS finished Jobs (default 20,000) in
// NAMESPACES namespaces (default 100), none of which has Pods; once with one Pod and once with four shards, each on a control plane of
// its own. Prints seconds, requests by verb and resource, memory, and whether a Job was missed or asked for twice; judges nothing. Ten
// minutes.
import { readFileSync } from 'node:fs';
import { collection } from '../cluster/admin.ts';
import { type AuditTrail, auditTrail } from '../cluster/audit.ts';
import { type ControlPlaneWithNode, startControlPlane } from '../cluster/control-plane.ts';
import { openApiService } from '../cluster/node/api-service.ts';
import { tracesOf } from '../cluster/node/traces.ts';
import { until } from '../cluster/until.ts';
import { type History, jobsLeft, makeHistory } from '../e2e/in-cluster-history.ts';
import { importProduct } from '../e2e/in-cluster-image.ts';
import {
  accountName,
  addedArgument,
  conditionsOf,
  deploy,
  logOfPod,
  podsOfRun,
  startRun,
  uidIn,
  untilRunEnded,
} from '../e2e/in-cluster-place.ts';

const [jobs, namespaces] = [20_000, 100].map((usual, at) => Number(process.argv[2 + at] ?? usual)) as [
  number,
  number,
];
const cronJobs = 10;
// in each namespace: what each CronJob keeps, a young one and one with a mark stay
const perNamespace = Math.round(jobs / namespaces);
const runs = Math.floor((perNamespace * 0.85) / cronJobs) - 3;
const standalone = perNamespace - cronJobs * (runs + 3) - 2;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** The most that any process of the product has held, in MiB, by its process. */
function watchMemory(plane: ControlPlaneWithNode): {
  readonly peaks: ReadonlyMap<string, number>;
  stop(): void;
} {
  const peaks = new Map<string, number>();
  const look = () => {
    for (const line of tracesOf(plane).processes) {
      const [pid = '', command] = line.split(' ');
      if (command !== '/usr/local/bin/kubectl-jobctl') continue;
      try {
        const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        if (kib !== undefined) peaks.set(pid, Number(kib) / 1024);
      } catch {
        // it has ended meanwhile; what was seen of it counts
      }
    }
  };
  const timer = setInterval(look, 250);
  return { peaks, stop: () => clearInterval(timer) };
}

/** The log is written a moment after the answer. */
async function wholeLog(trail: AuditTrail): ReturnType<AuditTrail['events']> {
  let seen = -1;
  return await until('the audit log to be whole', 120_000, async () => {
    const now = await trail.events({ user: accountName });
    const isWhole = now.length === seen;
    seen = now.length;
    return isWhole && now;
  });
}

async function checked(plane: ControlPlaneWithNode, history: History, trail: AuditTrail): Promise<void> {
  const events = await wholeLog(trail);
  const deletes = events.filter(({ verb, objectRef }) => verb === 'delete' && objectRef?.resource === 'jobs');
  const asked = deletes.map(uidIn);
  const left = await jobsLeft(plane.admin, history);
  const missed = [...history.goes].filter(uid => left.has(uid)).length;
  const wrong = [...history.stays].filter(uid => !left.has(uid)).length;
  say(
    `  ${missed} missed, ${asked.length - new Set(asked).size} asked for twice, ${wrong} taken that had to stay`,
  );
  const kinds = Map.groupBy(events, ({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? 'discovery'}`);
  const told = [...kinds].sort(([, a], [, b]) => b.length - a.length);
  say(`  ${events.length} requests: ${told.map(([kind, all]) => `${all.length} ${kind}`).join(', ')}`);
}

/** `kubectl logs` shows the newest of the files that the kubelet keeps; so it may begin in the middle. */
function toldIn(log: string): string {
  const lines = log.trimEnd().split('\n');
  const isWhole = lines[0]?.startsWith('{"plan"') === true;
  const deleted = lines.filter(line => line.startsWith('{"action"') && line.includes('"kind":"Job"'));
  const [, milliseconds = '?'] = /"milliseconds":(\d+)/.exec(lines.at(-1) ?? '') ?? [];
  return `${deleted.length} deleted in ${milliseconds} ms, ${lines.length} lines${isWhole ? '' : ' (the first are missing)'}, ${Math.round(log.length / 2 ** 20)} MiB`;
}

async function run(overlay: 'one-pod' | 'shards'): Promise<void> {
  const plane = await startControlPlane({ node: true });
  process.on('SIGINT', () => process.exit(130));
  try {
    await importProduct(plane);
    await until('the service account of kube-system', 60_000, () =>
      plane.admin.find(`${collection('v1', 'serviceaccounts', 'kube-system')}/default`),
    );
    const api = await openApiService(plane);
    await deploy(plane, { overlay, patch: [addedArgument(`--max=${jobs}`)] });
    const history = await makeHistory(plane.admin, {
      prefix: 'bench',
      namespaces,
      cronJobs,
      runs,
      standalone,
    });
    const trail = await auditTrail(plane);
    const memory = watchMemory(plane);
    const startedMs = performance.now();
    await startRun(plane, 'bench');
    const ended = await untilRunEnded(plane, 'bench', 1_800_000);
    const seconds = (performance.now() - startedMs) / 1000;
    memory.stop();
    const logs = await Promise.all(
      (await podsOfRun(plane, 'bench')).map(async pod => await logOfPod(plane, pod)),
    );
    say(
      `${overlay}, ${conditionsOf(ended).join()}: ${history.goes.size} of ${history.goes.size + history.stays.size} Jobs in ${seconds.toFixed(1)} s, ${Math.round(history.goes.size / seconds)}/s`,
    );
    say(`  by the log of each Pod: ${logs.map(toldIn).join('; ')}`);
    say(
      `  memory of each, at most: ${[...memory.peaks.values()].map(mib => `${Math.round(mib)} MiB`).join(', ')}`,
    );
    await checked(plane, history, trail);
    await api.close();
  } finally {
    await plane.stop();
  }
}

say(`${perNamespace * namespaces} finished Jobs in ${namespaces} namespaces`);
for (const overlay of ['one-pod', 'shards'] as const) await run(overlay);
