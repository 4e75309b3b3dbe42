// The five fields as robfig/cron v3 reads them (parser.go, ParseStandard), turned into plain lists of numbers: only these go
// to the library, which would otherwise take `7` for a Sunday, or `L`, and knows stars other than the controller's.

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const bounds: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: weekdays },
];

const unnamed: Bounds = { min: 0, max: 59, names: [] };

interface Field {
  readonly values: ReadonlySet<number>;
  /** A star or a question mark without a step; with a step it counts as a list. */
  readonly star: boolean;
}

export interface Fields {
  /** `0,30 2 1,15 1,2,3 0`: numbers only, and a star where every value is meant. */
  readonly pattern: string;
  /** With a star in one of the two fields for days both must match, otherwise one is enough (spec.go, dayMatches). */
  readonly bothDays: boolean;
  readonly minutes: ReadonlySet<number>;
  /** Hour, day, month and weekday are all left open. */
  readonly everyHour: boolean;
}

const number = (text: string, { names, min }: Bounds): number | undefined => {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + min;
  return /^\+?\d+$/.test(text) ? Number(text) : undefined;
};

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly star: boolean;
}

/** parser.go, getRange: behind a star the rest of the range is not looked at; `N/step` goes on to the end. */
function rangeOf(expression: string, bound: Bounds): Range | undefined {
  const [range = '', stepText, ...tooMany] = expression.split('/');
  const [low = '', high, ...more] = range.split('-');
  const step = stepText === undefined ? 1 : number(stepText, unnamed);
  if (step === undefined || tooMany.length > 0) return undefined;
  if (low === '*' || low === '?') return { start: bound.min, end: bound.max, step, star: step <= 1 };
  const start = number(low, bound);
  const end = high === undefined && stepText !== undefined ? bound.max : number(high ?? low, bound);
  const isRead = start !== undefined && end !== undefined && more.length === 0;
  return isRead ? { start, end, step, star: false } : undefined;
}

const fits = ({ start, end, step }: Range, { min, max }: Bounds): boolean =>
  step > 0 && min <= start && start <= end && end <= max;

function fieldOf(text: string, bound: Bounds): Field | undefined {
  const expressions = text.split(',').filter(one => one !== '');
  const ranges = expressions.flatMap(one => rangeOf(one, bound) ?? []);
  const isRead = ranges.length === expressions.length && ranges.every(one => fits(one, bound));
  if (!isRead || ranges.length === 0) return undefined;
  return { values: new Set(ranges.flatMap(valuesOf)), star: ranges.some(one => one.star) };
}

const valuesOf = ({ start, end, step }: Range): number[] =>
  Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, at) => start + at * step);

/** Undefined for what the controller cannot parse either. */
export function readFields(text: string): Fields | undefined {
  const parts = text.trim().split(/\s+/);
  const fields = parts.flatMap((part, at) => {
    const bound = bounds[at];
    return (bound && fieldOf(part, bound)) ?? [];
  });
  const [minute, hour, day, month, weekday] = fields;
  if (parts.length !== 5 || !minute || !hour || !day || !month || !weekday) return undefined;
  return {
    pattern: fields.map(one => (one.star ? '*' : [...one.values].sort((a, b) => a - b).join())).join(' '),
    bothDays: day.star || weekday.star,
    minutes: minute.values,
    everyHour: [hour, day, month, weekday].every(one => one.star),
  };
}
