// `resume` for people: the preview, a line for each object that was given back, and how it ended.
import type { Event } from '../model/event.ts';
import type { ResumePlan } from '../model/plan.ts';
import { isClearAnswer } from '../model/problem.ts';
import { label, plain } from '../model/ref.ts';
import type { ResumeAction, ResumeEffect } from '../model/resume-plan.ts';
import { spent } from './age.ts';
import { changeWords } from './change-words.ts';
import { plural } from './counted.ts';
import { digestLine, dryRunMark } from './heading.ts';
import { noteLines } from './note-lines.ts';
import { rejectionLines } from './rejection-words.ts';
import type { Lines } from './renderer.ts';
import { resumePreview } from './resume-preview.ts';
import type { Tally } from './tally.ts';

interface Showing {
  readonly wide: boolean;
  readonly asks: boolean;
}

export function resumeLines(event: Event, plan: ResumePlan, how: Showing): Lines {
  switch (event.type) {
    case 'plan':
      return planLines(plan, how);
    case 'changed':
      return { out: [changedLine(event.action as ResumeAction, event.state, plan)] };
    case 'not-changed': {
      const { action, problem, blame } = event;
      const head = `error: ${label(action.target)} ${isClearAnswer(problem) ? 'not resumed' : 'may not be resumed, no clear answer came'}: ${problem.text}`;
      const why = problem.rejection === undefined ? [] : rejectionLines(problem.rejection, blame, false);
      return { err: [plain(head), ...why] };
    }
    case 'put-back':
      return {
        err: [plain(`error: ${label(event.target)} is suspended again: somebody put it back after us`)],
      };
    case 'interrupted':
      return { err: [`interrupted: ${plural(event.notStarted.length, 'object')} not resumed`] };
    default:
      return {};
  }
}

function planLines(plan: ResumePlan, { wide, asks }: Showing): Lines {
  const preview = resumePreview(plan, wide);
  if (plan.dryRun !== 'none') return { out: [...preview, ...digestLine(plan)] };
  if (asks || wide) return { err: preview };
  // a list of what is stopped is the answer itself
  if (plan.actions.length === 0) return { out: preview };
  return { err: noteLines(plan) };
}

const deeds: Record<ResumeEffect, string> = {
  'skip-missed': 'missed runs are counted as served',
  'give-back': 'resumed',
  'release-evidence': 'released',
  'run-now': 'started',
};

function changedLine(
  action: ResumeAction,
  state: 'done' | 'already-gone' | 'dry-run',
  plan: ResumePlan,
): string {
  const { target, does, changes, jobName } = action;
  if (state === 'already-gone') return plain(`${label(target)} was already gone`);
  const what =
    does === 'run-now'
      ? `job.batch/${jobName ?? ''} created from ${label(target)}`
      : `${label(target)} ${deeds[does]}`;
  const set = changes.length === 0 ? '' : `: ${changes.map(changeWords).join(' · ')}`;
  return plain(`${what}${set}${dryRunMark(plan)}`);
}

export function resumeSummary(tally: Tally, plan: ResumePlan): string[] {
  const failed = tally.failed + tally.putBack;
  const what =
    plan.dryRun === 'server'
      ? `${plural(tally.changed, 'write')} would be accepted${dryRunMark(plan)}`
      : plural(tally.changed, 'write');
  return [
    `${failed > 0 || tally.interrupted ? 'not all is resumed' : 'resumed'}: ${what}, ${failed} failed (${spent(tally.ms)})`,
  ];
}
