// The question before anything is deleted: it names the counts, the dependents, the place, and what makes it dangerous.
import type { Danger, Finding, Plan, UnstickPlan } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import { age } from './age.ts';
import { countOf, goingOf, plural } from './counted.ts';
import { scopeOf } from './heading.ts';
import { costOf } from './hold-lines.ts';
import { typedFor } from './next-command.ts';
import { outcome } from './prune-preview.ts';
import { resumedOf } from './resume-preview.ts';
import { stoppedOf } from './stop-preview.ts';

const dangers: Record<Danger, string> = {
  'running-work': 'running work among them ends',
  orphans: 'their dependents stay without an owner',
  'many-objects': 'more than 100 objects',
  'takes-contents': 'with everything inside',
  force: 'by force, their containers may still run',
  'outside-left': 'something outside of the cluster may be left behind',
  'data-lost': 'data may be lost',
  'abandons-contents': 'what is still inside stays in storage, out of reach',
  'without-memory': 'nothing remembers how it was before: it may have been suspended on purpose',
};

export function questionOf(plan: Plan): string {
  const why = plan.dangers.map(danger => dangers[danger]).join('; ');
  const cluster = plan.context ?? plan.server;
  const where =
    plan.namespaces.length === 0 && !plan.allNamespaces
      ? `of ${cluster}`
      : `in ${scopeOf(plan)} of ${cluster}`;
  return plain(`${whatOf(plan)} ${where}?${why === '' ? '' : ` (${why})`}`);
}

function whatOf(plan: Plan): string {
  switch (plan.verb) {
    case 'unstick':
      return `Free ${freedOf(plan)}`;
    case 'stop':
      return `Stop ${stoppedOf(plan)}`;
    case 'resume':
      return `Resume ${resumedOf(plan)}`;
    default:
      return `Delete ${goingOf(plan)}`;
  }
}

/** `2 objects of 3 finalizers` */
function freedOf({ actions }: UnstickPlan): string {
  const targets = [...new Map(actions.map(({ target }) => [target.uid, target])).values()];
  const names = actions.flatMap(({ remove }) => remove);
  const [only] = new Set(names);
  return `${countOf(targets)} of ${new Set(names).size === 1 ? only : plural(names.length, 'finalizer')}`;
}

export const choiceQuestion = (plan: Plan): string =>
  plan.verb === 'unstick' ? 'Free which of these? (space picks, enter goes on)' : 'Which of these?';

const chosen: ReadonlySet<Finding['verdict']> = new Set([
  'delete',
  'free',
  'could-be-freed',
  'stop',
  'resume',
]);

/** What is listed to choose from: what the plan would do, and of stuck objects what it could do. */
export function choicesOf(plan: Plan): { value: string; name: string; checked: boolean }[] {
  return plan.findings
    .filter(({ verdict, seen }) => chosen.has(verdict) && !(verdict === 'stop' && seen.as === 'pod'))
    .map(finding => ({
      value: finding.target.uid,
      checked: finding.verdict !== 'could-be-freed',
      name: plain(`${place(finding)}${label(finding.target)}  ${state(finding, plan)}`),
    }));
}

const place = ({ target }: Finding): string =>
  target.namespace === undefined ? '' : `${target.namespace}  `;

function state({ seen }: Finding, plan: Plan): string {
  if (seen.as === 'pod') return seen.phase;
  if (seen.as === 'object' || seen.as === 'source') return '';
  if (seen.as === 'work') return outcome(seen.state);
  if (seen.as === 'stuck')
    return seen.holds
      .map(hold => [hold.finalizer, costOf(hold, typedFor(plan))].filter(part => part !== '').join(': '))
      .join('; ');
  const ended =
    'endedAt' in seen.state ? `, ${age(plan.takenAt.getTime() - seen.state.endedAt.getTime())} ago` : '';
  return outcome(seen.state) + ended;
}
