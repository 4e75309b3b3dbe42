// What the CronJob controller does the moment a CronJob is not suspended any more: its own steps, from
// pkg/controller/cronjob/utils.go and cronjob_controllerv2.go (the same in 1.34 to 1.37), without its clock.
import { given } from '../model/given.ts';
import type {
  AtOnce,
  CaveatCode,
  Forecast,
  Missed,
  NextForecast,
  ScheduleFacts,
  UnforeseenCode,
} from '../model/schedule.ts';
import { OddTimeChange, readSchedule, type Schedule } from './schedule.ts';

const second = 1000;
const minute = 60 * second;
/** Whoever missed more does not want the number. */
const counted = 1000;
/** nextScheduleDelta: how long after a time the controller wakes up for it. */
const wakes = 100;

export const forecast = (facts: ScheduleFacts, now: Date): Forecast =>
  reckoned(facts, schedule => foreseen(facts, schedule, now));

/** Without counting what was missed: of one that has waited for its turn for weeks that may be thousands of runs. */
export const nextRunOf = (facts: ScheduleFacts, now: Date): NextForecast =>
  reckoned(facts, schedule => {
    const since = facts.lastScheduledAt ?? facts.createdAt;
    const recent = mostRecent(since, facts.startingDeadlineSeconds, schedule, now);
    const next = nextRun(facts, schedule, recent, now);
    return { known: true, utcAssumed: schedule.zoneIs === 'of-the-controller', ...given({ next }) };
  });

function reckoned<F>(
  facts: ScheduleFacts,
  reckon: (schedule: Schedule) => F,
): F | { readonly known: false; readonly why: UnforeseenCode } {
  const schedule = readSchedule(facts.schedule, facts.timeZone);
  if (typeof schedule === 'string') return { known: false, why: schedule };
  try {
    return reckon(schedule);
  } catch (error) {
    if (error instanceof OddTimeChange) return { known: false, why: 'odd-time-change' };
    throw error;
  }
}

function foreseen(facts: ScheduleFacts, schedule: Schedule, now: Date): Forecast {
  const since = facts.lastScheduledAt ?? facts.createdAt;
  const missed = missedSince(since, schedule, now);
  const recent = mostRecent(since, facts.startingDeadlineSeconds, schedule, now);
  const atOnce = firstStep(facts, recent, missed);
  const next = nextRun(facts, schedule, recent, now);
  return {
    known: true,
    missed,
    atOnce,
    ...(next === undefined ? {} : { next }),
    caveats: caveatsOf(facts, schedule, recent, atOnce, next),
  };
}

/**
 * What status.lastScheduleTime has to say so that the controller counts every run until now as started. It asks for times
 * after it only, so for a schedule in minutes this minute will do, in whatever zone the controller reads it and however long
 * ago the forecast was. `@every` goes on from it, so there it is the newest of its own times. Undefined: nothing is to be skipped.
 */
export function servedTime(facts: ScheduleFacts, now: Date): Date | undefined {
  const schedule = readSchedule(facts.schedule, facts.timeZone);
  if (typeof schedule === 'string') return undefined;
  const since = facts.lastScheduledAt ?? facts.createdAt;
  const from = schedule.every === undefined ? 0 : since.getTime();
  const served = now.getTime() - ((now.getTime() - from) % (schedule.every ?? minute));
  return served > since.getTime() ? new Date(served) : undefined;
}

interface Recent {
  readonly time?: Date;
  readonly isMany?: boolean;
  readonly isInvalid?: boolean;
}

/** utils.go, mostRecentScheduleTime */
function mostRecent(since: Date, deadline: number | undefined, schedule: Schedule, now: Date): Recent {
  const earliest = new Date(Math.max(since.getTime(), now.getTime() - (deadline ?? Infinity) * second));
  const first = schedule.next(earliest);
  if (first === undefined) return { isInvalid: true };
  if (now < first) return {};
  const then = schedule.next(first);
  if (then === undefined) return { isInvalid: true };
  if (now < then) return { time: first };
  // From the first gap the controller guesses how many there were, and looks only from shortly before the last of them.
  const gap = then.getTime() - first.getTime();
  const guessed = Math.floor((now.getTime() - first.getTime()) / gap) + 1;
  const isMany = guessed > 100;
  let time: Date | undefined;
  let at = schedule.next(new Date(first.getTime() + (guessed - 2) * gap));
  for (; at !== undefined && at <= now; at = schedule.next(at)) time = at;
  return time === undefined ? { isMany } : { time, isMany };
}

/** cronjob_controllerv2.go, syncCronJob. Its check for MissSchedule can find nothing: mostRecent has kept to the deadline. */
function firstStep(facts: ScheduleFacts, recent: Recent, missed: Missed): AtOnce {
  if (recent.isInvalid === true) return { does: 'nothing', because: 'no-such-time' };
  if (recent.time === undefined) {
    if (missed.count === 0) return { does: 'nothing', because: 'none-missed' };
    const isTooLate = facts.startingDeadlineSeconds !== undefined && recent.isMany === undefined;
    return { does: 'nothing', because: isTooLate ? 'deadline-passed' : 'missed-too-long-ago' };
  }
  const run = { scheduledFor: recent.time };
  const policy = facts.activeCount > 0 ? facts.concurrencyPolicy : 'Allow';
  if (policy === 'Forbid')
    return { does: 'starts-when-the-active-one-has-ended', ...run, because: 'forbid-and-active' };
  if (policy === 'Replace') return { does: 'replaces-the-active-one', ...run, because: 'replace-and-active' };
  return { does: 'starts-a-run', ...run, because: 'a-run-was-missed' };
}

function missedSince(since: Date, schedule: Schedule, now: Date): Missed {
  const first = schedule.next(since);
  if (first === undefined || first > now) return { count: 0, isMore: false };
  let last = first;
  let count = 1;
  for (let at = schedule.next(last); at !== undefined && at <= now; at = schedule.next(at)) {
    if (count === counted) return { count, isMore: true, first, last: newest(last, schedule, now) };
    last = at;
    count += 1;
  }
  return { count, isMore: false, first, last };
}

/** The latest time until now; `known` is one. */
function newest(known: Date, schedule: Schedule, now: Date): Date {
  if (schedule.every !== undefined)
    return new Date(now.getTime() - ((now.getTime() - known.getTime()) % schedule.every));
  let last = known;
  let end = now.getTime();
  while (end - last.getTime() > second) {
    const at = schedule.next(new Date((last.getTime() + end) / 2));
    if (at !== undefined && at <= now) last = at;
    else end = Math.floor((last.getTime() + end) / 2);
  }
  return last;
}

/** utils.go, nextScheduleTimeDuration: the controller wakes up for the next time and asks anew what is to be started then. */
function nextRun(facts: ScheduleFacts, schedule: Schedule, recent: Recent, now: Date): Date | undefined {
  if (recent.isInvalid === true) return undefined;
  const since = recent.time ?? facts.lastScheduledAt ?? facts.createdAt;
  const from =
    mostRecent(since, undefined, schedule, now).time ??
    (since > now || schedule.every !== undefined ? since : now);
  const next = schedule.next(from);
  if (next === undefined) return undefined;
  return mostRecent(since, facts.startingDeadlineSeconds, schedule, new Date(next.getTime() + wakes)).time;
}

function caveatsOf(
  facts: ScheduleFacts,
  schedule: Schedule,
  recent: Recent,
  { does }: AtOnce,
  next: Date | undefined,
): CaveatCode[] {
  const deadline = facts.startingDeadlineSeconds;
  const found: readonly (readonly [CaveatCode, boolean])[] = [
    ['zone-of-the-controller', schedule.zoneIs === 'of-the-controller'],
    ['zone-in-the-schedule', schedule.zoneIs === 'in-the-schedule'],
    ['more-than-100-missed', recent.time !== undefined && recent.isMany === true],
    ['deadline-below-10s', deadline !== undefined && deadline < 10],
    [
      'deadline-prevents-every-run',
      deadline !== undefined && next === undefined && recent.isInvalid !== true,
    ],
    ['counted-from-the-last-run', schedule.every !== undefined],
    ['only-within-the-deadline', deadline !== undefined && does === 'starts-when-the-active-one-has-ended'],
  ];
  return found.flatMap(([code, holds]) => (holds ? [code] : []));
}
