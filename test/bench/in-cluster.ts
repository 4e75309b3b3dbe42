// `npm run bench:in-cluster [-- JOBS NAMESPACES]`: the manifests of deploy/ on a real node prune JOBS finished Jobs (default 20,000) in
// NAMESPACES namespaces (default 100), none of which has Pods; once with one Pod and once with four shards, each on a control plane of
// its own. Prints seconds, requests by verb and resource, memory, and whether a Job was missed or asked for twice; judges nothing. Ten
// minutes.
import { type AuditTrail, auditTrail } from '../cluster/audit.ts';
import { type ControlPlaneWithNode, startControlPlane } from '../cluster/control-plane.ts';
import { openApiService } from '../cluster/node/api-service.ts';
import { type History, jobsLeft, makeHistory } from '../e2e/in-cluster-history.ts';
import { importProduct } from '../e2e/in-cluster-image.ts';
import {
  accountName,
  addedArgument,
  conditionsOf,
  deploy,
  logOfPod,
  podsOfRun,
  productProcesses,
  startRun,
  uidIn,
  untilRunEnded,
} from '../e2e/in-cluster-place.ts';
import { peakOf } from '../support/peak-memory.ts';

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
  readonly peaks: ReadonlyMap<number, number>;
  stop(): void;
} {
  const peaks = new Map<number, number>();
  const look = () => {
    for (const pid of productProcesses(plane)) {
      const mib = peakOf(pid);
      // it may have ended meanwhile; what was seen of it counts
      if (mib !== undefined) peaks.set(pid, mib);
    }
  };
  const timer = setInterval(look, 250);
  return { peaks, stop: () => clearInterval(timer) };
}

async function checked(plane: ControlPlaneWithNode, history: History, trail: AuditTrail): Promise<void> {
  const events = await trail.whole({ user: accountName });
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
