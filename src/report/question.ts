// The question before anything is deleted: it names the counts, the dependents, the place, and what makes it dangerous.
import type { Danger, Finding, Plan } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import { age } from './age.ts';
import { goingOf } from './counted.ts';
import { scopeOf } from './heading.ts';
import { outcome } from './prune-preview.ts';

const dangers: Record<Danger, string> = {
  'running-work': 'running work among them ends',
  orphans: 'their dependents stay without an owner',
  'many-objects': 'more than 100 objects',
  'takes-contents': 'with everything inside',
  force: 'by force, their containers may still run',
};

export function questionOf(plan: Plan): string {
  const why = plan.dangers.map(danger => dangers[danger]).join('; ');
  const cluster = plan.context ?? plan.server;
  const where =
    plan.namespaces.length === 0 && !plan.allNamespaces
      ? `of ${cluster}`
      : `in ${scopeOf(plan)} of ${cluster}`;
  return plain(`Delete ${goingOf(plan)} ${where}?${why === '' ? '' : ` (${why})`}`);
}

/** What -i lists: every object that the plan would delete. */
export function choicesOf(plan: Plan): { value: string; name: string }[] {
  return plan.findings
    .filter(finding => finding.verdict === 'delete')
    .map(finding => ({
      value: finding.target.uid,
      name: plain(`${place(finding)}${label(finding.target)}  ${state(finding, plan)}`),
    }));
}

const place = ({ target }: Finding): string =>
  target.namespace === undefined ? '' : `${target.namespace}  `;

function state({ seen }: Finding, plan: Plan): string {
  if (seen.as === 'pod') return seen.phase;
  if (seen.as === 'object') return '';
  const ended =
    'endedAt' in seen.state ? `, ${age(plan.takenAt.getTime() - seen.state.endedAt.getTime())} ago` : '';
  return outcome(seen.state) + ended;
}
