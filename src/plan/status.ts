// `status`, the decision: where each namespace stands, what needs somebody, and what to type next. It plans nothing and changes nothing.
import { given } from '../model/given.ts';
import type { JobPod } from '../model/job-pod.ts';
import { isEnded } from '../model/pod.ts';
import type { Place, SourceLine, Status, StatusCode, StatusFinding } from '../model/status.ts';
import type { StatusSnapshot } from '../model/status-snapshot.ts';
import { byPlace } from './order.ts';
import { type About, aboutOf, placeOf } from './status/about.ts';
import { countsOf } from './status/counts.ts';
import { historyFindings, historyOf } from './status/history.ts';
import { leakedIn, leakFindings } from './status/leaks.ts';
import { nextInShort } from './status/next.ts';
import { failedFindings, stoppedJobFindings } from './status/outcomes.ts';
import { ownerFindings } from './status/owners.ts';
import { lineOf, sourceFindings } from './status/sources.ts';
import { stuckFindings } from './status/stuck.ts';
import { idleFindings, neverStartedFindings } from './status/unfinished.ts';

export function planStatus(snapshot: StatusSnapshot): Status {
  const about = aboutOf(snapshot);
  const history = historyOf(about);
  const leaked = leakedIn(about);
  const sources = about.snapshot.sources.map(source => ({
    source,
    line: lineOf(source, about, history.byOwner),
  }));
  const findings = [
    ...stuckFindings(about),
    ...ownerFindings(about),
    ...leakFindings(leaked ?? []),
    ...neverStartedFindings(about),
    ...idleFindings(about),
    ...failedFindings(about),
    ...historyFindings(history, about),
    ...sources.flatMap(({ source, line }) => sourceFindings(source, line, about)),
    ...stoppedJobFindings(about),
  ];
  const { takenAt, server, namespaces, allNamespaces, unreadable, context } = snapshot;
  return {
    takenAt,
    ...given({ context }),
    server,
    namespaces,
    allNamespaces,
    unreadable,
    places: placesOf(about, {
      findings,
      leaked,
      lines: sources.map(({ line }) => line),
      beyond: history.beyond,
    }),
  };
}

interface Found {
  readonly findings: readonly StatusFinding[];
  readonly leaked: readonly JobPod[] | undefined;
  readonly lines: readonly SourceLine[];
  readonly beyond: readonly { readonly namespace?: string }[];
}

/** Every namespace in which something was seen, and the one that was asked for. */
function placesOf({ snapshot, areJobsRead }: About, found: Found): Place[] {
  const { sources, jobs, pods, namespaces } = snapshot;
  const names = new Set([...namespaces, ...[...sources, ...jobs, ...pods].map(placeOf)]);
  const jobsIn = Map.groupBy(jobs, placeOf);
  const linesIn = Map.groupBy(found.lines, ({ target }) => target.namespace ?? '');
  const findingsIn = Map.groupBy(found.findings, ({ namespace }) => namespace);
  const beyondIn = Map.groupBy(found.beyond, ({ namespace }) => namespace ?? '');
  const leakedIn = Map.groupBy(found.leaked ?? [], placeOf);
  return [...names].sort().map(namespace => {
    const findings = (findingsIn.get(namespace) ?? []).sort(firstThings);
    const counts = countsOf(jobsIn.get(namespace) ?? [], beyondIn.get(namespace)?.length ?? 0);
    return {
      namespace,
      sources: linesIn.get(namespace) ?? [],
      ...(areJobsRead ? { jobs: counts } : {}),
      ...(found.leaked === undefined ? {} : { leaked: leakCounts(leakedIn.get(namespace) ?? []) }),
      findings,
      next: nextInShort(namespace, findings),
    };
  });
}

function leakCounts(pods: readonly JobPod[]): { finished: number; running: number } {
  const finished = pods.filter(isEnded).length;
  return { finished, running: pods.length - finished };
}

/** What needs somebody; of one sort by place. */
function firstThings(a: StatusFinding, b: StatusFinding): number {
  if (a.needs !== b.needs) return a.needs ? -1 : 1;
  const [first, second] = [a.targets[0], b.targets[0]];
  const rank = order.indexOf(a.code) - order.indexOf(b.code);
  return rank !== 0 || first === undefined || second === undefined ? rank : byPlace(first, second);
}

const order: readonly StatusCode[] = [
  'stuck',
  'owner-in-other-namespace',
  'owner-gone',
  'leaked-running',
  'leaked-finished',
  'never-started',
  'idle',
  'failed-last',
  'beyond-retention',
  'never-runs',
  'stop-undone',
  'stopped',
  'stopped-jobs',
  'suspended',
  'failed-before',
];
