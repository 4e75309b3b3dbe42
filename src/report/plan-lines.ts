// A plan, shown: on standard output for a dry run, on standard error where a question or a refusal follows.
import type { DeletePlan } from '../model/plan.ts';
import { goingOf, stayingOf } from './counted.ts';
import { deletePreview } from './delete-preview.ts';
import { digestLine, heading } from './heading.ts';
import { noteLines } from './note-lines.ts';
import { prunePodsPreview } from './prune-pods-preview.ts';
import { prunePreview } from './prune-preview.ts';
import type { Lines } from './renderer.ts';

/** The preview and what else is to be said before anything is done. */
export function planLines(plan: DeletePlan, how: { readonly wide: boolean; readonly asks: boolean }): Lines {
  const said = noteLines(plan);
  if (plan.dryRun !== 'none') {
    return { out: [...preview(plan, how.wide), ...said, ...digestLine(plan)] };
  }
  if (how.asks || how.wide || plan.actions.length === 0)
    return { err: [...preview(plan, how.wide), ...said] };
  // with --yes the plan is not a question: only what is out of the ordinary is said
  const odd = plan.findings.filter(
    finding => finding.verdict === 'refused' || finding.verdict === 'already-terminating',
  );
  const oddLines = odd.length === 0 ? [] : preview({ ...plan, findings: odd }, false).slice(1);
  return { err: [...oddLines, ...said] };
}

const previews: Record<DeletePlan['verb'], (plan: DeletePlan, wide: boolean) => string[]> = {
  delete: deletePreview,
  'prune jobs': prunePreview,
  'prune pods': prunePodsPreview,
};

function preview(plan: DeletePlan, wide: boolean): string[] {
  const rows = previews[plan.verb](plan, wide);
  const staying = stayingOf(plan.findings);
  const verb = plan.dryRun === 'none' ? 'will' : 'would';
  const going =
    plan.actions.length === 0 || plan.findings.some(finding => finding.verdict === 'refused')
      ? nothing(plan)
      : `${goingOf(plan)} ${verb} be deleted${policy(plan)}.`;
  return [
    heading(plan),
    '',
    ...rows,
    ...(rows.length === 0 ? [] : ['']),
    `${going}${staying === undefined ? '' : ` ${staying}.`}`,
  ];
}

function policy(plan: DeletePlan): string {
  const [action] = plan.actions;
  return action === undefined || plan.verb !== 'delete' ? '' : ` (${action.propagation})`;
}

function nothing(plan: DeletePlan): string {
  if (plan.findings.some(finding => finding.verdict === 'refused')) return 'Nothing will be deleted.';
  // there may be Jobs of other shards
  const isEmpty = plan.findings.length === 0 && plan.notes.every(({ code }) => code !== 'other-shards');
  if (plan.verb === 'prune jobs') return isEmpty ? 'No Jobs here.' : 'Nothing to prune.';
  if (plan.verb === 'prune pods')
    return plan.findings.length === 0 ? 'No Pods here.' : 'No leaked Pods to prune.';
  return plan.findings.length === 0 ? 'No resources found.' : 'Nothing new to delete.';
}
