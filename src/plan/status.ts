// `status`, the decision: where each namespace stands, what needs somebody, and what to type next. It plans nothing and changes nothing.
import { given } from '../model/given.ts';
import { speaksOfJob } from '../model/job-pod.ts';
import type { StatusOptions } from '../model/options.ts';
import type { Place, SourceLine, Status, StatusCode, StatusFinding } from '../model/status.ts';
import type { StatusSnapshot } from '../model/status-snapshot.ts';
import { byPlace } from './order.ts';
import { type About, aboutOf, placeOf } from './status/about.ts';
import { countsOf } from './status/counts.ts';
import { historyFindings, historyOf } from './status/history.ts';
import { type LeakedPod, leakedIn, leakFindings } from './status/leaks.ts';
import { nextInShort, reaching } from './status/next.ts';
import { failedFindings } from './status/outcomes.ts';
import { ownerFindings } from './status/owners.ts';
import { lineOf, sourceFindings } from './status/sources.ts';
import { halfStoppedFindings, stoppedJobFindings } from './status/stopped-jobs.ts';
import { stuckFindings } from './status/stuck.ts';
import { idleFindings, neverStartedFindings, noParallelismFindings } from './status/unfinished.ts';

export function planStatus(snapshot: StatusSnapshot, { reach }: Pick<StatusOptions, 'reach'>): Status {
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
    ...noParallelismFindings(about),
    ...halfStoppedFindings(about),
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
    }).map(place => reached(place, reach)),
  };
}

/** Every command goes where these reads went. */
function reached(place: Place, reach: readonly string[]): Place {
  const to = reaching(reach);
  return {
    ...place,
    findings: place.findings.map(finding => ({ ...finding, next: finding.next.map(to) })),
    next: place.next.map(to),
  };
}

interface Found {
  readonly findings: readonly StatusFinding[];
  readonly leaked: readonly LeakedPod[] | undefined;
  readonly lines: readonly SourceLine[];
  readonly beyond: readonly { readonly namespace?: string }[];
}

/** The namespace that was asked for, and every other in which there is something of Jobs, or something to tell. */
function placesOf({ snapshot, areJobsRead }: About, found: Found): Place[] {
  const { sources, jobs, pods, namespaces } = snapshot;
  const seen = [...sources, ...jobs, ...pods.filter(speaksOfJob)].map(placeOf);
  const names = new Set([...namespaces, ...seen, ...found.findings.map(({ namespace }) => namespace)]);
  const jobsIn = Map.groupBy(jobs, placeOf);
  const linesIn = Map.groupBy(found.lines, ({ target }) => target.namespace ?? '');
  const findingsIn = Map.groupBy(found.findings, ({ namespace }) => namespace);
  const beyondIn = Map.groupBy(found.beyond, ({ namespace }) => namespace ?? '');
  const leakedIn = Map.groupBy(found.leaked ?? [], ({ pod }) => placeOf(pod));
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

function leakCounts(pods: readonly LeakedPod[]): NonNullable<Place['leaked']> {
  const count = (is: LeakedPod['is']): number => pods.filter(pod => pod.is === is).length;
  return { finished: count('finished'), running: count('running'), kept: count('kept') };
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
  'half-stopped',
  'failed-last',
  'beyond-retention',
  'never-runs',
  'stop-undone',
  'stopped',
  'stopped-jobs',
  'suspended',
  'no-parallelism',
  'leaked-kept',
  'failed-before',
];
