// The updating line of a long run: how many of how many, how fast, how long still, and what is waited for.
import type { Event } from '../model/event.ts';
import { label, plain } from '../model/ref.ts';
import { age } from './age.ts';
import { plural } from './counted.ts';
import { left as words } from './words.ts';

export function progress(
  event: Extract<Event, { type: 'progress' | 'waiting' }>,
  doing: 'deleting' | 'freeing',
): string {
  return event.type === 'progress' ? moving(event, doing) : waiting(event);
}

function moving({ done, total, throttled, ms }: Extract<Event, { type: 'progress' }>, doing: string): string {
  const perSecond = ms > 0 ? (done * 1000) / ms : 0;
  const speed =
    perSecond === 0 ? '' : `  ${Math.round(perSecond)}/s  ${age(((total - done) / perSecond) * 1000)} left`;
  return `${doing} ${done}/${total}${speed}${throttled === 0 ? '' : `  throttled ${plural(throttled, 'time')}`}`;
}

function waiting({ left }: Extract<Event, { type: 'waiting' }>): string {
  const [first] = left;
  if (first === undefined) return '';
  const more = left.length === 1 ? '' : ` and ${left.length - 1} more`;
  return plain(`waiting for ${label(first.target)} (${words[first.code].why(first.facts)})${more}`);
}
