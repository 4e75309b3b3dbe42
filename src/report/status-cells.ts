// One namespace in a few words: what stands in the columns of `status -A`, and at the head of each section of `status -n`.
import { isCronJobKind, isJobKind, isPodKind, isScaledJobKind, type Kind } from '../model/kind.ts';
import type { JobCounts, Place, Status } from '../model/status.ts';
import { age } from './age.ts';
import { plural } from './counted.ts';

const none = '-';
const unknown = '?';

const isUnread = ({ unreadable }: Status, is: (kind: Pick<Kind, 'group' | 'kind'>) => boolean): boolean =>
  unreadable.some(({ kind }) => is(kind));

/** `6, 1 stopped` */
export function sourcesCell(status: Status, { sources }: Place): string {
  const cronJobs = sources.filter(({ target }) => isCronJobKind(target.kind)).length;
  const scaledJobs = sources.length - cronJobs;
  const count = (is: string): number => sources.filter(line => line.is === is).length;
  const first = isUnread(status, isCronJobKind) ? unknown : cronJobs > 0 ? String(cronJobs) : '';
  const parts = [
    first,
    isUnread(status, isScaledJobKind)
      ? `${unknown} ScaledJobs`
      : scaledJobs > 0
        ? plural(scaledJobs, 'ScaledJob')
        : '',
    counted(count('stopped'), 'stopped'),
    counted(count('suspended'), 'suspended'),
  ];
  return parts.filter(Boolean).join(', ') || none;
}

const counted = (count: number, word: string): string => (count === 0 ? '' : `${count} ${word}`);

/** `412: 3 running, 380 too many`; `all`: each state, also those that need nobody. */
export function jobsCell({ jobs, findings }: Place, all: boolean): string {
  if (jobs === undefined) return unknown;
  if (jobs.total === 0) return none;
  const failedLast = findings.filter(({ code }) => code === 'failed-last').length;
  const parts = [
    counted(jobs.running, 'running'),
    counted(jobs.ending, 'ending'),
    counted(jobs.tooMany, 'too many'),
    all ? counted(jobs.complete, 'complete') : '',
    all ? counted(jobs.failed, 'failed') : counted(failedLast, 'failed'),
    counted(jobs.suspended, 'suspended'),
    counted(neverStarted(jobs, findings, all), 'never started a Pod'),
    counted(idle(jobs, findings, all), 'idle'),
  ].filter(Boolean);
  return parts.length === 0 ? String(jobs.total) : `${jobs.total}: ${parts.join(', ')}`;
}

/** One that was made just now has not started either: it is counted only where all states are. */
const neverStarted = (jobs: JobCounts, findings: Place['findings'], all: boolean): number =>
  all ? jobs.neverStarted : targetsOf('never-started', findings);
const idle = (jobs: JobCounts, findings: Place['findings'], all: boolean): number =>
  all ? jobs.idle : targetsOf('idle', findings);

const targetsOf = (code: string, findings: Place['findings']): number =>
  findings.filter(finding => finding.code === code).reduce((sum, { targets }) => sum + targets.length, 0);

/** `215, 2 run, 1 kept` */
export function leakedCell({ leaked }: Place): string {
  if (leaked === undefined) return unknown;
  const { finished, running, kept } = leaked;
  const all = finished + running + kept;
  if (all === 0) return none;
  const parts = [String(all), counted(running, running === 1 ? 'runs' : 'run'), counted(kept, 'kept')];
  return parts.filter(Boolean).join(', ');
}

const mayBeStuck = [isCronJobKind, isScaledJobKind, isJobKind, isPodKind];

/** `5, oldest 31d`; with a question mark where there may be more. */
export function stuckCell(status: Status, { findings }: Place): string {
  const stuck = findings.filter(({ code }) => code === 'stuck');
  const isPart = mayBeStuck.some(is => isUnread(status, is));
  if (stuck.length === 0) return isPart ? unknown : none;
  const oldest = Math.max(...stuck.map(({ facts }) => Number(facts['sinceMs'])));
  return `${stuck.length}, oldest ${age(oldest)}${isPart ? `, ${unknown}` : ''}`;
}
