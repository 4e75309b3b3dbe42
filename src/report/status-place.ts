// `status` of one namespace: CronJobs with their next run, Jobs, leaked Pods, what is stuck; under each what needs somebody.
import { isScaledJobKind } from '../model/kind.ts';
import { label, plain } from '../model/ref.ts';
import type { Place, SourceLine, Status, StatusCode } from '../model/status.ts';
import { age } from './age.ts';
import { momentIn } from './moment.ts';
import { jobsCell, leakedCell, sourcesCell, stuckCell } from './status-cells.ts';
import { findingLines } from './status-findings.ts';
import { table } from './table.ts';

/** Each code is in one section; an empty section is its first line. */
const sections: readonly { readonly title: string; readonly codes: readonly StatusCode[] }[] = [
  { title: 'CronJobs', codes: ['never-runs', 'stop-undone', 'stopped', 'suspended'] },
  {
    title: 'Jobs',
    codes: [
      'never-started',
      'idle',
      'half-stopped',
      'failed-last',
      'beyond-retention',
      'stopped-jobs',
      'no-parallelism',
      'failed-before',
    ],
  },
  { title: 'Leaked Pods', codes: ['leaked-running', 'leaked-finished', 'leaked-kept'] },
  { title: 'Stuck', codes: ['stuck'] },
  { title: 'Invalid owner references', codes: ['owner-in-other-namespace', 'owner-gone'] },
];

export function placeLines(status: Status, place: Place, wide: boolean): string[] {
  const cells: Record<string, string> = {
    CronJobs: sourcesCell(status, place),
    Jobs: jobsCell(place, true),
    'Leaked Pods': leakedCell(place),
    Stuck: stuckCell(status, place).replace(/^\?$/, 'none in what could be read'),
  };
  return sections.flatMap(({ title, codes }) => {
    const findings = place.findings.filter(({ code }) => codes.includes(code));
    const cell = cells[title];
    if (cell === undefined && findings.length === 0) return [];
    const head = cell === undefined ? `${title}: ${findings.length}` : `${title}: ${inWords(cell)}`;
    const rows = title === 'CronJobs' ? sourceRows(place.sources, status.takenAt) : [];
    return [head, ...rows, ...findingLines(findings, wide)];
  });
}

/** `412, 3 running`: behind a title, which has the colon. */
const inWords = (cell: string): string =>
  cell === '-' ? 'none' : cell === '?' ? 'not readable' : cell.replace(': ', ', ');

function sourceRows(sources: readonly SourceLine[], now: Date): string[] {
  if (sources.length === 0) return [];
  const rows = sources.map(line => [
    label(line.target),
    line.schedule ?? '-',
    stateWords(line, now),
    nextWords(line, now),
    line.running === undefined ? '?' : String(line.running),
    line.tooMany === undefined ? '?' : String(line.tooMany),
  ]);
  const header = ['NAME', 'SCHEDULE', 'STATE', 'NEXT RUN', 'RUNNING', 'TOO MANY'];
  return table([header, ...rows.map(row => row.map(plain))]).map(line => `  ${line}`);
}

function stateWords({ is, stopped, target }: SourceLine, now: Date): string {
  if (is === 'stopped' && stopped !== undefined)
    return `stopped by ${stopped.by} ${age(now.getTime() - stopped.at.getTime())} ago`;
  return is === 'suspended' && isScaledJobKind(target.kind) ? 'paused' : is;
}

function nextWords({ next, timeZone }: SourceLine, now: Date): string {
  if (next === undefined) return '-';
  if (next.is === 'never') return 'never';
  if (next.is === 'unknown') return next.why === 'schedule-unreadable' ? 'never' : 'not known here';
  return `in ${age(next.at.getTime() - now.getTime())} (${momentIn(next.at, timeZone)}${next.utcAssumed ? ' assumed' : ''})`;
}
