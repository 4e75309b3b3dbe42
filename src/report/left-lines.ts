// What is still there when a run ends too early, why, and how to go on.
import type { Event, Left } from '../model/event.ts';
import { isCronJobKind } from '../model/kind.ts';
import type { DeletePlan, Plan } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import { typedAge } from './age.ts';
import { countOf, plural } from './counted.ts';
import { inNamespace, typedFor } from './next-command.ts';
import type { Tally } from './tally.ts';
import { left as words } from './words.ts';

const shown = 10;

export function leftLines(
  event: Extract<Event, { type: 'timeout' | 'interrupted' | 'halted' }>,
  plan: Plan,
): string[] {
  if (event.type === 'interrupted') return interrupted(event, plan);
  if (event.type === 'halted') {
    return [
      `stopped: the server cannot be reached, or does not let us in any more; ${plural(event.notStarted.length, writeOf(plan))} not started`,
      again(plan),
    ];
  }
  const [first] = event.left;
  const what =
    event.left.length === 1 && first !== undefined
      ? `${label(first.target)} is`
      : `${countOf(event.left.map(item => item.target))} are`;
  return [
    `error: timed out after ${typedAge(event.afterMs)}: ${what} still there`,
    ...event.left.slice(0, shown).map(line),
    ...(event.left.length > shown ? [`  … ${event.left.length - shown} more (-o json lists all)`] : []),
    ...collector(event.left, event.causes, event.afterMs),
    ...unstickOf(event.left, plan),
    ...(first === undefined ? [] : [waitOn(first, plan)]),
  ];
}

function line({ target, code, facts }: Left): string {
  const { why, next } = words[code];
  const after = next(facts);
  return `  ${label(target)}: ${plain(why(facts))}${after === '' ? '' : `. ${after}`}`;
}

/** It needs a moment; a wait of a few seconds proves nothing against it. */
const longEnoughForCollectorMs = 30_000;

function collector(left: readonly Left[], causes: readonly string[], afterMs: number): string[] {
  const waits = left.some(item => item.code === 'waits-for-collector');
  if (!waits) return causes.map(cause => `  possible cause: ${plain(cause)}`);
  const surely = causes.length > 0 || afterMs >= longEnoughForCollectorMs;
  return [
    surely
      ? 'the garbage collector seems not to run: the owners are gone, their dependents are not'
      : 'the garbage collector has not come to it yet: the owners are gone, their dependents are not',
    ...causes.map(cause => `  possible cause: ${plain(cause)}`),
  ];
}

/** Who should end what holds it is a question of its own. */
function unstickOf(left: readonly Left[], plan: Plan): string[] {
  const held = left.find(({ code }) => code === 'held-by-finalizers' || code === 'waits-for-contents');
  return held === undefined || plan.verb === 'unstick'
    ? []
    : [`Why: ${typedFor(plan)('kubectl jobctl', 'unstick', ...placeOf(held))}`];
}

const placeOf = ({ target }: Left): readonly string[] => [label(target), ...inNamespace(target.namespace)];

const waitOn = (left: Left, plan: Plan): string =>
  `Wait on: ${typedFor(plan)('kubectl', 'wait', '--for=delete', ...placeOf(left), '--timeout=10m')}`;

const writes = {
  unstick: 'removal',
  stop: 'write',
  resume: 'write',
  delete: 'delete',
  'prune jobs': 'delete',
  'prune pods': 'delete',
} as const;
const writeOf = (plan: Plan): string => writes[plan.verb];

const again = (plan: Plan): string =>
  plan.verb !== 'prune jobs' ? 'The same command takes up the rest.' : 'The next prune takes up the rest.';

function interrupted(event: Extract<Event, { type: 'interrupted' }>, plan: Plan): string[] {
  return [
    `interrupted: ${plural(event.notStarted.length, writeOf(plan))} not started${event.left.length === 0 ? '' : `, ${plural(event.left.length, 'object')} still there`}`,
    ...event.left.slice(0, shown).map(line),
    again(plan),
  ];
}

/** Under --wait=false, or when something is left to others: say that the end was not seen. */
export function leftOf(plan: DeletePlan, tally: Tally): string {
  if (plan.dryRun !== 'none' || plan.settle.wait) return '';
  const waiting = plan.settle.dependents.length - tally.dependentsGone;
  const cron = plan.actions.some(action => isCronJobKind(action.target.kind));
  return waiting > 0
    ? `; ${plural(waiting, 'dependent')} left to the garbage collector, not waited for${cron ? ', running work among them may go on for a while' : ''}`
    : '';
}
