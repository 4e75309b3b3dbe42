// A sentence of the product with placeholders where it names facts: the real function is asked, and the facts answer with their names.
import type { Facts } from '../../src/model/facts.ts';

/** `more`: facts that are words of the product, on which the sentence depends; undefined: that fact is not there. */
export function sentence(
  say: (facts: Facts) => string,
  more: Readonly<Record<string, string | number | undefined>> = {},
): string {
  return said(say(placeholders(more)));
}

/** Durations are written as the product writes them, so one of them has to be told apart: no sentence says 7d itself. */
const duration = 7 * 86_400_000;
const said = (text: string): string => text.replaceAll('7d', 'AGE').replaceAll('NaN', 'N');

const counts: ReadonlySet<string> = new Set([
  'count',
  'active',
  'running',
  'jobs',
  'pods',
  'failures',
  'restarted',
  'seconds',
  'stopped',
  'stuck',
  'going',
]);

/** Names that would read badly. */
const written: Readonly<Record<string, string>> = { by: 'WHO', now: 'VALUE', path: 'FIELD' };

/** Moments of a schedule, which are written out. */
const moments: Readonly<Record<string, number>> = {
  first: Date.UTC(2026, 2, 1, 2, 15),
  last: Date.UTC(2026, 2, 1, 2, 45),
  for: Date.UTC(2026, 2, 1, 2, 45),
  at: Date.UTC(2026, 2, 1, 3, 0),
};

function placeholders(more: Readonly<Record<string, string | number | undefined>>): Facts {
  return new Proxy({} as Facts, {
    get: (_, fact) => {
      const name = String(fact);
      if (Object.hasOwn(more, name)) return more[name];
      if (name === 'zone') return undefined;
      if (Object.hasOwn(moments, name)) return moments[name];
      if (name === 'ms' || name.endsWith('Ms')) return duration;
      if (counts.has(name)) return 'N';
      return written[name] ?? name.replace(/[A-Z]/g, letter => `-${letter}`).toUpperCase();
    },
  });
}
