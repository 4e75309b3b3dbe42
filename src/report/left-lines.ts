// What is still there when a run ends too early, why, and how to go on.
import type { Event, Left } from '../model/event.ts';
import { isCronJobKind } from '../model/kind.ts';
import type { Plan } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import { typedAge } from './age.ts';
import { countOf, plural } from './counted.ts';
import type { Tally } from './tally.ts';
import { left as words } from './words.ts';

const shown = 10;

export function leftLines(event: Extract<Event, { type: 'timeout' | 'interrupted' }>, plan: Plan): string[] {
  if (event.type === 'interrupted') return interrupted(event, plan);
  const [first] = event.left;
  const what =
    event.left.length === 1 && first !== undefined
      ? `${label(first.target)} is`
      : `${countOf(event.left.map(item => item.target))} are`;
  return [
    `error: timed out after ${typedAge(event.afterMs)}: ${what} still there`,
    ...event.left.slice(0, shown).map(line),
    ...(event.left.length > shown ? [`  … ${event.left.length - shown} more (-o json lists all)`] : []),
    ...collector(event.left, event.causes),
    ...(first === undefined ? [] : [waitOn(first)]),
  ];
}

function line({ target, code, facts }: Left): string {
  const { why, next } = words[code];
  const after = next(facts);
  return `  ${label(target)}: ${plain(why(facts))}${after === '' ? '' : `. ${after}`}`;
}

function collector(left: readonly Left[], causes: readonly string[]): string[] {
  const waits = left.some(item => item.code === 'waits-for-collector');
  if (!waits) return causes.map(cause => `  possible cause: ${plain(cause)}`);
  return [
    'the garbage collector seems not to run: the owners are gone, their dependents are not',
    ...causes.map(cause => `  possible cause: ${plain(cause)}`),
  ];
}

function waitOn({ target }: Left): string {
  const namespace = target.namespace === undefined ? '' : ` -n ${target.namespace}`;
  return `Wait on: kubectl wait --for=delete ${label(target)}${namespace} --timeout=10m`;
}

function interrupted(event: Extract<Event, { type: 'interrupted' }>, plan: Plan): string[] {
  const again =
    plan.verb === 'delete' ? 'The same command takes up the rest.' : 'The next prune takes up the rest.';
  return [
    `interrupted: ${plural(event.notStarted.length, 'delete')} not started${event.left.length === 0 ? '' : `, ${plural(event.left.length, 'object')} still there`}`,
    ...event.left.slice(0, shown).map(line),
    again,
  ];
}

/** Under --wait=false, or when something is left to others: say that the end was not seen. */
export function leftOf(plan: Plan, tally: Tally): string {
  if (plan.dryRun !== 'none' || plan.settle.wait) return '';
  const waiting = plan.settle.dependents.length - tally.dependentsGone;
  const cron = plan.actions.some(action => isCronJobKind(action.target.kind));
  return waiting > 0
    ? `; ${plural(waiting, 'dependent')} left to the garbage collector, not waited for${cron ? ', running work among them may go on for a while' : ''}`
    : '';
}
