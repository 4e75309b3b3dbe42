// The times of a CronJob's schedule, as robfig/cron v3 gives them to the CronJob controller. The library knows the calendar;
// it is asked for the clock on the wall only. With a zone of its own it would start a run of a skipped hour later and one of
// a repeated hour once, where the controller starts none and two.
import { Cron } from 'croner';
import type { UnforeseenCode } from '../model/schedule.ts';
import { goDuration } from './go-duration.ts';
import { type Fields, readFields } from './schedule-fields.ts';
import { type ClockChange, utc, type Zone, zoneNamed } from './zone.ts';

export interface Schedule {
  /** The first time after this instant. Undefined if there is none in five years. Throws OddTimeChange. */
  next(after: Date): Date | undefined;
  readonly zoneIs: 'named' | 'in-the-schedule' | 'of-the-controller' | 'without-meaning';
  /** `@every`, in milliseconds: from wherever it is asked. */
  readonly every?: number;
}

export class OddTimeChange extends Error {}

const second = 1000;
const hour = 3_600_000;
const day = 24 * hour;
/** Only whoever starts or arrives this near to a change of the clock can be led astray by it. */
const around = 2 * day;

/** pkg/controller/cronjob/cronjob_controllerv2.go, formatSchedule: a schedule with TZ in it wins over spec.timeZone. */
export function readSchedule(schedule: string, timeZone?: string): Schedule | UnforeseenCode {
  const own = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s.exec(schedule);
  const text = own === null ? schedule : (own[2] ?? '').trim();
  const name = own === null && !schedule.includes('TZ') ? timeZone : own?.[1];
  const zone = zoneFor(name);
  // syncCronJob wants to know spec.timeZone as well, even where the schedule has a zone of its own.
  if (zone === undefined || zoneFor(timeZone) === undefined) return 'zone-unknown';
  if (text.startsWith('@every ')) return every(text.slice('@every '.length));
  const fields = readFields(named[text] ?? text);
  if (fields === undefined) return 'schedule-unreadable';
  const zoneIs = own !== null ? 'in-the-schedule' : 'named';
  return {
    next: times(fields, zone),
    zoneIs: !isLocal(name) ? zoneIs : isSameEverywhere(fields) ? 'without-meaning' : 'of-the-controller',
  };
}

const isLocal = (name: string | undefined): boolean => name === undefined || name === 'Local';
const zoneFor = (name = 'Local'): Zone | undefined => (isLocal(name) ? utc : zoneNamed(name));

/** parser.go, parseDescriptor; in small letters only. */
const named: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** constantdelay.go: whole seconds, at least one, counted from wherever it is asked. */
function every(text: string): Schedule | UnforeseenCode {
  const duration = goDuration(text);
  if (duration === undefined) return 'schedule-unreadable';
  const delay = Math.max(second, Math.floor(duration / second) * second);
  const next = (after: Date): Date => new Date(Math.floor(after.getTime() / second) * second + delay);
  return { next, every: delay, zoneIs: 'without-meaning' };
}

/** Zones differ by whole quarters of an hour. */
function isSameEverywhere({ everyHour, minutes }: Fields): boolean {
  return everyHour && [...minutes].every(minute => minutes.has((minute + 15) % 60));
}

function times({ pattern, bothDays }: Fields, zone: Zone): Schedule['next'] {
  const calendar = new Cron(pattern, { utcOffset: 0, domAndDow: bothDays, paused: true });
  return after => {
    const asked = Math.floor(after.getTime() / second) * second;
    refuseOdd(zone.changeIn(asked - 3 * hour, asked));
    const lastYear = new Date(asked + zone.offsetAt(asked)).getUTCFullYear() + 5;
    // From one change of the clock to the next; behind a change its own first second counts too.
    let change: ClockChange | undefined;
    for (let from = asked; ; from = change.at - second) {
      const clock = change?.at ?? asked;
      const offset = zone.offsetAt(clock);
      const wall = calendar.nextRun(new Date(from + offset));
      if (wall === null || wall.getUTCFullYear() > lastYear) return undefined;
      const found = wall.getTime() - offset;
      change = zone.changeIn(clock, found);
      if (change === undefined) return new Date(found);
      if (Math.min(found - change.at, change.at - from) < around) refuseOdd(change);
    }
  };
}

function refuseOdd(change: ClockChange | undefined): void {
  if (change !== undefined && isOdd(change)) throw new OddTimeChange();
}

/** Where spec.go, Next, goes by the hour or to midnight and does not get where the calendar is. */
function isOdd({ at, before, after }: ClockChange): boolean {
  const touches = [at + before, at + after].map(wall => ((wall % day) + day) % day);
  return (after - before) % hour !== 0 || touches.some(wall => wall < hour);
}
