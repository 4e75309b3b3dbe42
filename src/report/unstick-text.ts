// `unstick` for people: the preview, a line for each removal and each end, and what stays with its reason.
import type { Event, Left } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { isCollectors } from '../model/object.ts';
import type { UnstickPlan } from '../model/plan.ts';
import { isClearAnswer, type Problem } from '../model/problem.ts';
import { label, plain, type Ref } from '../model/ref.ts';
import { spent } from './age.ts';
import { plural } from './counted.ts';
import { goneLine } from './gone-line.ts';
import { digestLine, dryRunMark } from './heading.ts';
import { leftLines } from './left-lines.ts';
import { noteLines } from './note-lines.ts';
import { progress } from './progress.ts';
import { rejectionLines } from './rejection-words.ts';
import type { Lines } from './renderer.ts';
import type { Tally } from './tally.ts';
import { unstickPreview } from './unstick-preview.ts';
import { left as words } from './words.ts';

export interface Showing {
  readonly wide: boolean;
  readonly asks: boolean;
}

export function unstickLines(event: Event, plan: UnstickPlan, how: Showing): Lines {
  switch (event.type) {
    case 'plan':
      return planLines(plan, how);
    case 'freed':
      return { out: [freedLine(event.action, event.state, plan)] };
    case 'not-freed':
      return { err: notFreed(event) };
    case 'stays-held':
      return { err: [heldLine(event.left)] };
    case 'made-anew':
      return {
        err: [`${label(event.target)} is there again, made anew: what makes it is at work`],
      };
    case 'seen-gone':
      return { out: [goneLine(event.target)] };
    case 'progress':
    case 'waiting':
      return { status: progress(event, 'freeing') };
    case 'timeout':
    case 'interrupted':
    case 'halted':
      return { err: leftLines(event, plan) };
    // of other verbs
    default:
      return {};
  }
}

/** Without a question or a write, what is stuck is the answer itself, and belongs on standard output. */
function planLines(plan: UnstickPlan, { wide, asks }: Showing): Lines {
  const said = [...unstickPreview(plan, wide), ...noteLines(plan)];
  if (plan.dryRun !== 'none') {
    return { out: [...said, ...digestLine(plan)] };
  }
  return asks || plan.actions.length > 0 ? { err: said } : { out: said };
}

function freedLine(
  { target, remove, where }: FinalizerAction,
  state: Extract<Event, { type: 'freed' }>['state'],
  plan: UnstickPlan,
): string {
  const names = remove.map(plain).join(', ');
  const isMany = plan.allNamespaces || plan.namespaces.length > 1;
  const place = isMany && target.namespace !== undefined ? ` in ${target.namespace}` : '';
  if (state === 'already-gone') return `${label(target)} was already gone`;
  if (state === 'unneeded') return `${label(target)} was already free of ${names}`;
  const list = where === 'spec' ? 'spec.finalizers' : 'finalizers';
  return `${label(target)}${place} ${list} removed: ${names}${dryRunMark(plan)}`;
}

function notFreed({ action, problem, blame }: Extract<Event, { type: 'not-freed' }>): string[] {
  const { target, remove } = action;
  const head = `${label(target)} ${isClearAnswer(problem) ? 'not changed' : 'may not be changed, no clear answer came'}: ${plain(problem.text)}`;
  return [
    head,
    ...(problem.rejection === undefined
      ? []
      : rejectionLines(problem.rejection, blame, remove.some(isCollectors))),
    ...withoutNamespace(target, problem),
  ];
}

/** Left in storage when its namespace went. 1.37 lets it be changed all the same, 1.34 to 1.36 do not (measured). */
const withoutNamespace = ({ namespace }: Ref, { text }: Problem): string[] =>
  namespace !== undefined && text.includes(`namespaces "${namespace}" not found`)
    ? [
        `  its namespace is gone: create it (kubectl create namespace ${namespace}), free the object, and delete the namespace again`,
      ]
    : [];

function heldLine({ target, code, facts }: Left): string {
  const { why, next } = words[code];
  const after = next(facts);
  return plain(`${label(target)} is still there: ${why(facts)}${after === '' ? '' : `. ${after}`}`);
}

export const leftAlone = (plan: UnstickPlan): number =>
  plan.findings.filter(({ verdict }) => ['stays', 'refused', 'could-be-freed'].includes(verdict)).length;

export function unstickSummary(tally: Tally, plan: UnstickPlan): string {
  const alone = leftAlone(plan);
  const gone = tally.targetsGone.length;
  const parts = [
    plan.dryRun === 'server'
      ? `${plural(tally.freed, 'removal')} would be accepted${dryRunMark(plan)}`
      : `${plural(gone, 'object')} freed and gone`,
    ...(tally.alreadyGone > 0 ? [`${tally.alreadyGone} already gone when we came`] : []),
    ...(tally.dependentsGone > 0 ? [`${tally.dependentsGone} gone after them`] : []),
    ...(tally.staysHeld > 0 ? [`${tally.staysHeld} still there`] : []),
    `${tally.failed} failed`,
    ...(alone > 0 ? [`${alone} left alone`] : []),
    ...(tally.throttled > 0 ? [`throttled ${plural(tally.throttled, 'time')}`] : []),
  ];
  const looked =
    plan.dryRun !== 'none' || plan.aftermath.wait
      ? ''
      : `; ${plural(tally.freed, 'removal')} accepted, not looked at whether the objects are gone (--wait=false)`;
  return `${parts.join(', ')} (${spent(tally.ms)})${looked}`;
}
