// Durations as kubectl writes them: 47s, 5m, 3h, 8d. Source: k8s.io/apimachinery/pkg/util/duration HumanDuration.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export function age(ms: number): string {
  if (ms < 0) return '0s';
  if (ms < 2 * minute) return `${Math.floor(ms / second)}s`;
  if (ms < 10 * minute) return pair(ms, minute, 'm', second, 's');
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return pair(ms, hour, 'h', minute, 'm');
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return pair(ms, day, 'd', hour, 'h');
  if (ms < 730 * day) return `${Math.floor(ms / day)}d`;
  return `${Math.floor(ms / (365 * day))}y`;
}

function pair(ms: number, unit: number, letter: string, small: number, smallLetter: string): string {
  const rest = Math.floor((ms % unit) / small);
  const whole = `${Math.floor(ms / unit)}${letter}`;
  return rest === 0 ? whole : `${whole}${rest}${smallLetter}`;
}

/** An age that somebody typed, back in the largest unit that writes it whole: 604800000 → 7d. */
export function typedAge(ms: number): string {
  if (ms % day === 0) return `${ms / day}d`;
  if (ms % hour === 0) return `${ms / hour}h`;
  return ms % minute === 0 ? `${ms / minute}m` : `${ms / second}s`;
}

/** `2.4s`, `3m10s` */
export const spent = (ms: number): string => (ms < minute ? `${(ms / second).toFixed(1)}s` : age(ms));
