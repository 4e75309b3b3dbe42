// The clock of a time zone: how far it is from UTC, and when that changes.

const minute = 60_000;
const day = 24 * 60 * minute;
/** No zone changes its clock and changes it back within a week. */
const stride = 7 * day;

export interface ClockChange {
  /** The first instant with the new clock. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

export interface Zone {
  /** In milliseconds, to be added to UTC. */
  offsetAt(instant: number): number;
  /** The first change after `from`, until `to`. */
  changeIn(from: number, to: number): ClockChange | undefined;
}

export const utc: Zone = { offsetAt: () => 0, changeIn: () => undefined };

/** Undefined if the zone is not known. The controller knows zones by their exact names, and no bare offsets. */
export function zoneNamed(name: string): Zone | undefined {
  if (name === '' || name === 'UTC') return utc;
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
    const known = format.resolvedOptions().timeZone;
    const isOtherCase = known !== name && known.toLowerCase() === name.toLowerCase();
    return isOtherCase ? undefined : zoneOf(instant => offsetIn(format.format(instant)));
  } catch {
    return undefined;
  }
}

/** `3/29/2026, GMT+02:00` */
function offsetIn(text: string): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minute;
  return sign === '-' ? -size : size;
}

function zoneOf(offsetAt: (instant: number) => number): Zone {
  return {
    offsetAt,
    changeIn(from, to) {
      const before = offsetAt(from);
      for (let low = from; low < to; low += stride) {
        const high = Math.min(low + stride, to);
        if (offsetAt(high) !== before) return changeBetween(low, high, offsetAt);
      }
      return undefined;
    },
  };
}

function changeBetween(from: number, to: number, offsetAt: (instant: number) => number): ClockChange {
  const before = offsetAt(from);
  let low = from;
  let at = to;
  while (at - low > 1) {
    const middle = Math.floor((low + at) / 2);
    if (offsetAt(middle) === before) low = middle;
    else at = middle;
  }
  return { at, before, after: offsetAt(at) };
}
