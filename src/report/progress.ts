// The updating line of a long run: how many of how many, and what is waited for.
import type { Event } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import { plural } from './counted.ts';
import { left as words } from './words.ts';

export function progress(event: Extract<Event, { type: 'progress' | 'waiting' }>, _plan: Plan): string {
  if (event.type === 'progress') {
    const throttled = event.throttled === 0 ? '' : `   throttled ${plural(event.throttled, 'time')}`;
    return `deleting ${event.done}/${event.total}${throttled}`;
  }
  const [first] = event.left;
  if (first === undefined) return '';
  const more = event.left.length === 1 ? '' : ` and ${event.left.length - 1} more`;
  return plain(`waiting for ${label(first.target)} (${words[first.code].why(first.facts)})${more}`);
}
