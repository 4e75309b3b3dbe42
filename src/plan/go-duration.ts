// A duration as Go writes it (time.ParseDuration): 1h30m, 1.5h, 90s.

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
/** Go counts nanoseconds in 64 bits. */
const longest = 2 ** 63 / 1e6;

/** In milliseconds. Undefined for what Go cannot parse either. */
export function goDuration(text: string): number | undefined {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0;
  const parts = [...rest.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([all]) => all).join('') !== rest) return undefined;
  const size = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0);
  if (size >= longest) return undefined;
  return sign === '-' ? -size : size;
}
