// `stop` for people: the preview, a line for each step that was seen, how far the work is, and what was kept.
import type { Event, Left } from '../model/event.ts';
import { isFinished, type JobState } from '../model/job.ts';
import type { StopPlan } from '../model/plan.ts';
import { isClearAnswer } from '../model/problem.ts';
import { label, plain, type Ref } from '../model/ref.ts';
import type { StopAction } from '../model/stop-plan.ts';
import type { PodProgress } from '../model/stopping.ts';
import { typedAge } from './age.ts';
import { plural } from './counted.ts';
import { digestLine, dryRunMark } from './heading.ts';
import { noteLines } from './note-lines.ts';
import { rejectionLines } from './rejection-words.ts';
import type { Lines } from './renderer.ts';
import { savedLines, savingLine } from './saved-words.ts';
import { stopPreview } from './stop-preview.ts';
import { goOnLines, undoLines } from './ways-on.ts';
import { left as words } from './words.ts';
import { workLines } from './work-lines.ts';

interface Showing {
  readonly wide: boolean;
  readonly asks: boolean;
}

export function stopLines(event: Event, plan: StopPlan, how: Showing): Lines {
  switch (event.type) {
    case 'plan':
      return planLines(plan, how);
    case 'changed':
      return { out: changedLines(event.action as StopAction, event.state, plan, how) };
    case 'not-changed':
      return { err: notChanged(event) };
    case 'appeared':
      return { err: [`${placed(event.target)} appeared since the plan was shown, and is stopped too`] };
    case 'pod-ended':
      return { out: [podEnded(event.pod)] };
    case 'job-closed':
      return { out: [jobClosed(event)] };
    case 'lost':
      return { err: [lostLine(event)] };
    case 'put-back':
      return {
        err: [
          `error: ${placed(event.target)} is not suspended any more: somebody put it back after us (kubectl get -o yaml --show-managed-fields says who)`,
        ],
      };
    case 'pause-not-seen':
      return {
        err: [
          `Warning: KEDA does not say that it has paused ${placed(event.target)}: it seems not to run, or not to know the annotation. Jobs that appear are stopped too`,
        ],
      };
    case 'work':
      return { status: workLines(event.jobs).join('\n') };
    case 'saving':
      return { status: savingLine(event) };
    case 'saved':
      return savedLines(event.saved);
    case 'stopped-half-way':
      return { err: halfWay(event.notStarted, plan) };
    case 'given-up':
      return { err: givenUp(event.left, plan) };
    case 'timeout':
    case 'interrupted':
    case 'halted':
      return { err: early(event, plan) };
    default:
      return {};
  }
}

function planLines(plan: StopPlan, how: Showing): Lines {
  if (plan.dryRun !== 'none') return { out: [...stopPreview(plan, how.wide), ...digestLine(plan)] };
  if (how.asks || how.wide || plan.actions.length === 0) return { err: stopPreview(plan, how.wide) };
  // with --yes the plan is not a question: only what is out of the ordinary is said
  return { err: noteLines(plan) };
}

const placed = (target: Ref): string => plain(label(target));

const deeds = { suspend: 'suspended', pause: 'paused' } as const;

function changedLines(
  { does, target }: StopAction,
  state: 'done' | 'already-gone' | 'dry-run',
  plan: StopPlan,
  { wide }: Showing,
): string[] {
  if (state === 'already-gone') return [`${placed(target)} was already gone`];
  if (does === 'suspend' || does === 'pause') return [`${placed(target)} ${deeds[does]}${dryRunMark(plan)}`];
  if (state === 'dry-run')
    return [`${placed(target)} ${does === 'end-pod' ? 'told to end' : 'held'}${dryRunMark(plan)}`];
  return wide ? [`${placed(target)}  ${steps[does]}`] : [];
}

const steps: Record<Exclude<StopAction['does'], 'suspend' | 'pause'>, string> = {
  hold: 'held: its limits are lifted',
  follow: 'parallelism lowered to what is still active',
  empty: 'parallelism 0',
  close: 'told to end as Failed',
  'end-pod': 'told to end',
};

function podEnded({ target, containers, reason, phase }: PodProgress): string {
  const own = containers.filter(({ kind, is }) => kind === 'container' && is === 'terminated');
  const codes = [...new Set(own.map(({ exitCode }) => exitCode ?? '?'))].join(', ');
  const isDone = own.length > 0 && own.every(({ exitCode }) => exitCode === 0);
  const exit = codes === '' ? plain(reason ?? phase) : `exit ${codes}${isDone ? ' (the work was done)' : ''}`;
  return `${placed(target)} ended, ${exit}, logs kept`;
}

function jobClosed({ target, state, pods }: Extract<Event, { type: 'job-closed' }>): string {
  const kept = pods.length;
  return `${placed(target)} ${outcome(state)}, ${plural(kept, 'Pod')} kept`;
}

function outcome(state: JobState): string {
  if (!isFinished(state)) return state.is;
  return state.is === 'complete' ? 'completed by itself' : `failed (${plain(state.reason)})`;
}

function lostLine({ target, foretold }: Extract<Event, { type: 'lost' }>): string {
  return foretold
    ? `${placed(target)} is gone: it could not be kept`
    : `error: ${placed(target)} is gone: somebody or something deleted it`;
}

function notChanged({ action, problem, blame }: Extract<Event, { type: 'not-changed' }>): string[] {
  const { target } = action;
  const head = `error: ${placed(target)} ${isClearAnswer(problem) ? 'not changed' : 'may not be changed, no clear answer came'}: ${plain(problem.text)}`;
  return [head, ...(problem.rejection === undefined ? [] : rejectionLines(problem.rejection, blame, false))];
}

function halfWay(notStarted: readonly Ref[], plan: StopPlan): string[] {
  const what =
    notStarted.length === 0 ? '' : `: ${plural(notStarted.length, 'object')} not touched, what runs goes on`;
  return [`error: stopped half-way${what}`, ...waysOn(plan)];
}

/** How to go on, and how to undo. */
const waysOn = (plan: StopPlan): string[] => [...goOnLines(plan), ...undoLines(plan, 'Undo')];

function early(
  event: Extract<Event, { type: 'timeout' | 'interrupted' | 'halted' }>,
  plan: StopPlan,
): string[] {
  if (event.type === 'halted')
    return ['stopped: the server cannot be reached, or does not let us in any more', ...waysOn(plan)];
  const head =
    event.type === 'timeout'
      ? `error: timed out after ${typedAge(event.afterMs)}: ${plural(event.left.length, 'object')} not at ${event.left.length === 1 ? 'its' : 'their'} end`
      : `interrupted: ${plural(event.left.length, 'object')} not at ${event.left.length === 1 ? 'its' : 'their'} end`;
  return [head, ...event.left.slice(0, 10).map(leftLine), ...more(event.left), ...waysOn(plan)];
}

const givenUp = (left: readonly Left[], plan: StopPlan): string[] => [
  `error: given up: ${plural(left.length, 'object')} not at ${left.length === 1 ? 'its' : 'their'} end`,
  ...left.slice(0, 10).map(leftLine),
  ...more(left),
  ...waysOn(plan),
];

const more = (left: readonly Left[]): string[] => (left.length > 10 ? [`  … ${left.length - 10} more`] : []);

function leftLine({ target, code, facts }: Left): string {
  const next = words[code].next(facts);
  return plain(`  ${label(target)}: ${words[code].why(facts)}${next === '' ? '' : `. ${next}`}`);
}
