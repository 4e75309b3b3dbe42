// kubectl-style lines for people: a preview, a line for each object, a summary.
import type { Event } from '../model/event.ts';
import { isNamespaceKind } from '../model/kind.ts';
import type { DeletePlan, Plan } from '../model/plan.ts';
import { isClearAnswer, type Problem } from '../model/problem.ts';
import { label, plain, type Ref } from '../model/ref.ts';
import { spent } from './age.ts';
import { countOf, plural } from './counted.ts';
import { goneLine } from './gone-line.ts';
import { dryRunMark } from './heading.ts';
import { leftLines, leftOf } from './left-lines.ts';
import { planLines } from './plan-lines.ts';
import { progress } from './progress.ts';
import { refusalWords } from './refusal.ts';
import type { Lines, Renderer } from './renderer.ts';
import { resumeLines, resumeSummary } from './resume-text.ts';
import { stopSummary } from './stop-summary.ts';
import { stopLines } from './stop-text.ts';
import type { Tally } from './tally.ts';
import { type Showing, unstickLines, unstickSummary } from './unstick-text.ts';

export function textRenderer(how: Showing): Renderer {
  let plan: Plan | undefined;
  return {
    on: event => {
      if (event.type === 'plan') plan = event.plan;
      if (plan === undefined) return {};
      return linesOf(event, plan, how);
    },
    end: (tally, _exitCode, refusal) => {
      if (refusal !== undefined) {
        const { why, next } = refusalWords(refusal, tally.plan?.verb);
        return { err: [`error: ${why}`, ...(next === '' ? [] : [next])] };
      }
      return tally.plan === undefined || tally.plan.dryRun === 'client' || tally.plan.actions.length === 0
        ? { err: pendingOnly(tally) }
        : { err: summaryOf(tally, tally.plan) };
    },
  };
}

function linesOf(event: Event, plan: Plan, how: Showing): Lines {
  switch (plan.verb) {
    case 'unstick':
      return unstickLines(event, plan, how);
    case 'stop':
      return stopLines(event, plan, how);
    case 'resume':
      return resumeLines(event, plan, how);
    default:
      return lines(event, plan, how);
  }
}

function summaryOf(tally: Tally, plan: Plan): readonly string[] {
  switch (plan.verb) {
    case 'unstick':
      return [unstickSummary(tally, plan)];
    case 'stop':
      return stopSummary(tally, plan);
    case 'resume':
      return resumeSummary(tally, plan);
    default:
      return [summary(tally, plan)];
  }
}

function lines(event: Event, plan: DeletePlan, how: Showing): Lines {
  switch (event.type) {
    case 'plan':
      return planLines(plan, how);
    case 'deleted':
      return event.as === 'target' ? { out: [deletedLine(event, plan)] } : {};
    case 'failed':
      return { err: [failedLine(event.action.target, event.problem)] };
    case 'spared':
      return { err: [plain(`${label(event.target)} stays: its Job ${event.job} is there after all`)] };
    case 'seen-gone':
      return event.as === 'target' ? { out: [goneLine(event.target)] } : {};
    case 'progress':
    case 'waiting':
      return { status: progress(event, 'deleting') };
    case 'timeout':
    case 'interrupted':
    case 'halted':
      return { err: leftLines(event, plan) };
    case 'hook-failed':
      return { err: [hookLine(event)] };
    case 'grace-used-up':
      return { err: [graceLine(event)] };
    case 'hooks-unknown':
      return {
        err: [plain(`whether preStop hooks failed in ${event.namespace} cannot be told: ${event.problem}`)],
      };
    // of other verbs
    default:
      return {};
  }
}

function deletedLine(event: Extract<Event, { type: 'deleted' }>, plan: DeletePlan): string {
  const { target } = event.action;
  if (event.state === 'held')
    return `${label(target)} deletion accepted${waitingOn(event.finalizers, target)}`;
  if (event.state === 'already-gone')
    return `${label(target)} was already gone (it was listed a moment ago: deleted by someone else, or the server’s cache is inconsistent)`;
  const forced = event.action.graceSeconds === 0 ? 'force deleted' : 'deleted';
  return `${goneLine(target, forced)}${event.state === 'dry-run' ? dryRunMark(plan) : ''}`;
}

function waitingOn(finalizers: readonly string[], { kind }: Ref): string {
  if (finalizers.length > 0) return `, waiting on: ${finalizers.map(plain).join(', ')}`;
  return isNamespaceKind(kind) ? ', what is in it goes first' : ', it has its grace period to end';
}

/** What it was to do at its end it may not have done. Many a shell or `sleep` just does not hear TERM: no error. */
function graceLine({ target, graceSeconds, containers }: Extract<Event, { type: 'grace-used-up' }>): string {
  const what =
    containers.length === 0
      ? 'whether its containers ended by themselves was not seen'
      : `${containers.map(plain).join(', ')} had to be killed at its end`;
  return `${label(target)} took all of its grace period of ${graceSeconds}s: ${what}`;
}

/** The Event says no more than that it failed: not with which code, and not whether it ran out of the grace period. */
const hookLine = ({ target, container }: Extract<Event, { type: 'hook-failed' }>): string =>
  plain(
    `error: ${label(target)} is gone, and the preStop hook of container ${container} failed or took all of the grace period: what it was to clean up may be left on the node (FailedPreStopHook)`,
  );

/** Without an answer nobody knows whether it had its effect: that is not the same as "not deleted". */
const failedLine = (target: Ref, problem: Problem): string =>
  `${label(target)} ${isClearAnswer(problem) ? 'not deleted' : 'may not be deleted, no clear answer came'}: ${plain(problem.text)}`;

function pendingOnly(tally: Tally): string[] {
  const waitedFor = tally.targetsGone.length > 0 && tally.plan?.actions.length === 0;
  return waitedFor ? [`${countOf(tally.targetsGone)} that was terminating is gone (${spent(tally.ms)})`] : [];
}

function summary(tally: Tally, plan: DeletePlan): string {
  const done = tally.targetsGone.length;
  const kept = plan.findings.filter(finding => finding.verdict === 'stays').length;
  const dependents = plan.settle.dependents.length;
  const parts = [
    `${done === 0 ? '0' : countOf(tally.targetsGone)} deleted${dryRunMark(plan)}`,
    ...(plan.dryRun === 'none' && (tally.dependentsGone > 0 || dependents > 0)
      ? [`${dependentsOf(tally, plan)} gone${byWhom(tally)}`]
      : []),
    ...(tally.alreadyGone > 0 ? [`${tally.alreadyGone} of them already gone when we came`] : []),
    ...(tally.targetsPending.size > 0 ? [`${tally.targetsPending.size} accepted but not gone`] : []),
    `${tally.failed + tally.dependentsFailed} failed`,
    ...(tally.hooksFailed > 0 ? [`${plural(tally.hooksFailed, 'preStop hook')} failed`] : []),
    ...(tally.spared > 0 ? [`${tally.spared} spared`] : []),
    ...(kept > 0 ? [`${kept} kept`] : []),
    ...(tally.throttled > 0 ? [`throttled ${plural(tally.throttled, 'time')}`] : []),
  ];
  const leftNow = leftOf(plan, tally);
  return `${parts.join(', ')} (${spent(tally.ms)})${leftNow}`;
}

function dependentsOf(tally: Tally, plan: DeletePlan): string {
  const kinds = new Set(plan.settle.dependents.map(dependent => dependent.target.kind.kind));
  const [only = 'dependent'] = kinds.size === 1 ? kinds : [];
  return plural(tally.dependentsGone, only);
}

/** Who removed the dependents: said where the collector had a part in it. */
function byWhom(tally: Tally): string {
  if (tally.byCollector === 0) return '';
  return tally.byUs === 0
    ? ' (by the garbage collector)'
    : ` (${tally.byUs} by us, ${tally.byCollector} by the garbage collector)`;
}
