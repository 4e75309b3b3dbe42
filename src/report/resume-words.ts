// What `resume` says about the schedule and about what is not given back.
import type { Facts } from '../model/facts.ts';
import type { AtOnceCode, CaveatCode, UnforeseenCode } from '../model/schedule.ts';
import type { ResumeNoteCode } from '../model/why.ts';
import { has, number, text } from './fact.ts';
import { momentIn } from './moment.ts';
import { inNamespace, type Typed } from './next-command.ts';

type Say = (facts: Facts, typed: Typed) => string;

/** `2026-03-01 02:15 Europe/Berlin`; UTC where the CronJob names no zone. */
const when = (facts: Facts, name: string): string =>
  momentIn(new Date(number(facts, name)), has(facts, 'zone') ? text(facts, 'zone') : undefined);

const fieldOf = (facts: Facts): string => text(facts, 'path').split('/').at(-1) ?? '';

export const resumeNoteWords: Record<ResumeNoteCode, Say> = {
  'stopped-jobs-stay': f =>
    `${f['count']} stopped ${f['count'] === 1 ? 'Job stays' : 'Jobs stay'} as ${f['count'] === 1 ? 'it is: it has' : 'they are: they have'} failed and cannot go on. --run-now starts a new Job; --release-evidence gives back the limits of the stopped ones.`,
  'not-given-back': f =>
    `${text(f, 'object')}: ${fieldOf(f)} is ${text(f, 'now')} now, which is not what the stop has set: somebody has changed it since, and it stays.`,
  'finish-the-stop': (f, typed) =>
    `${text(f, 'object')}: with its ${text(f, 'field')} given back it would end and lose its Pods, without it the work would run again. Finish the stop: ${typed('kubectl jobctl', 'stop', text(f, 'object'), ...inNamespace(text(f, 'namespace')))}`,
  'deadline-has-passed': f =>
    `${text(f, 'object')}: ${fieldOf(f)} is not given back, because it has passed: it would end the Job at once and delete its Pods. It stays remembered for a later resume.`,
  'stays-suspended': f => `${text(f, 'object')} was suspended before the stop, and stays suspended.`,
  'missed-runs': f =>
    number(f, 'count') === 1
      ? `${text(f, 'object')}: 1 run was missed (${when(f, 'last')}).`
      : `${text(f, 'object')}: ${has(f, 'more') ? 'more than ' : ''}${f['count']} runs were missed (${when(f, 'first')} … ${when(f, 'last')}).`,
  'at-once': (f, typed) => atOnce[String(f['does'])]?.(f, typed) ?? '',
  'next-run': f => `${text(f, 'object')}: the next regular run is at ${when(f, 'at')}.`,
  'forecast-caveat': f => `${text(f, 'object')}: ${caveats[f['caveat'] as CaveatCode]}.`,
  'forecast-unknown': f =>
    `${text(f, 'object')}: what its controller will do cannot be said: ${unforeseen[f['why'] as UnforeseenCode]}.`,
  'history-deletes': f =>
    `${text(f, 'object')}: ${f['outcome'] === 'failed' ? 'failedJobsHistoryLimit' : 'successfulJobsHistoryLimit'} ${f['limit']} lets ${text(f, 'by')} delete ${f['count']} ${f['outcome'] === 'failed' ? 'failed' : 'successful'} ${f['count'] === 1 ? 'Job' : 'Jobs'} with ${f['count'] === 1 ? 'its' : 'their'} Pods${has(f, 'names') ? `: ${text(f, 'names')}${number(f, 'count') > 5 ? ' …' : ''}` : ', and which ones cannot be said'}${stoppedAmong(f)}.`,
};

const stoppedAmong = (facts: Facts): string =>
  number(facts, 'stopped') === 0 ? '' : ` (${facts['stopped']} kept by the stop among them)`;

const atOnce: Readonly<Record<string, Say>> = {
  nothing: f => `${text(f, 'object')}: nothing starts at once${because[f['because'] as AtOnceCode]}.`,
  'starts-a-run': f =>
    `${text(f, 'object')}: the run of ${when(f, 'for')} starts at once when this is applied; --skip-missed prevents it.`,
  'starts-when-the-active-one-has-ended': f =>
    `${text(f, 'object')}: the run of ${when(f, 'for')} starts as soon as the active one has ended (Forbid); --skip-missed prevents it.`,
  'replaces-the-active-one': f =>
    `${text(f, 'object')}: the run of ${when(f, 'for')} starts at once, and the Job that is active now is deleted with its Pods (Replace); --skip-missed prevents it.`,
  skipped: f => `${text(f, 'object')}: the run of ${when(f, 'for')} is counted as served and does not start.`,
};

const because: Record<AtOnceCode, string> = {
  'a-run-was-missed': '',
  'none-missed': ', no run was missed',
  'deadline-passed': ', startingDeadlineSeconds has passed for what was missed',
  'missed-too-long-ago': ', what was missed lies too far back',
  'no-such-time': ', its schedule names no time that exists',
  'forbid-and-active': '',
  'replace-and-active': '',
};

const caveats: Record<CaveatCode, string> = {
  'zone-of-the-controller':
    'it names no time zone, so its schedule is in that of the controller-manager, which cannot be read; UTC is assumed here',
  'zone-in-the-schedule': 'its time zone stands in the schedule, which is not supported',
  'more-than-100-missed':
    'more than 100 runs were missed: the controller starts the newest one and warns (TooManyMissedTimes); before Kubernetes 1.22 it never ran again',
  'deadline-below-10s': 'with a startingDeadlineSeconds below 10 runs may be left out',
  'deadline-prevents-every-run': 'its startingDeadlineSeconds leaves no moment at which a run may start',
  'counted-from-the-last-run': '@every counts from the last run',
  'only-within-the-deadline':
    'if the active Job ends after startingDeadlineSeconds, the missed run does not start',
};

const unforeseen: Record<UnforeseenCode, string> = {
  'schedule-unreadable': 'its schedule cannot be read',
  'zone-unknown': 'its time zone is not known here',
  'odd-time-change': 'the clock of its time zone changes in a way that is not reckoned with here',
};
