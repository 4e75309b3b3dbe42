// The first line of every preview: where it would happen. The wrong cluster is the most expensive mistake. And the last one of a dry
// run: how to go on with exactly this.
import type { Plan } from '../model/plan.ts';
import { plain } from '../model/ref.ts';

export function heading(plan: Plan): string {
  const cluster = plan.context === undefined ? plan.server : `${plan.context} (${plan.server})`;
  return plain(`${cluster}, ${scopeOf(plan)}${dryRunMark(plan)}`);
}

export function scopeOf(plan: Plan): string {
  if (plan.allNamespaces) return 'all namespaces';
  if (plan.namespaces.length === 0) return 'cluster-scoped';
  return `namespace${plan.namespaces.length === 1 ? '' : 's'} ${plan.namespaces.join(', ')}`;
}

/** kubectl's own marks. */
export function dryRunMark(plan: Pick<Plan, 'dryRun'>): string {
  if (plan.dryRun === 'none') return '';
  return plan.dryRun === 'client' ? ' (dry run)' : ' (server dry run)';
}

/** None where there is nothing to go on with, or where a run would refuse the whole plan. */
export const digestLine = ({ actions, digest, findings, verb }: Plan): string[] =>
  actions.length === 0 || (verb !== 'unstick' && findings.some(({ verdict }) => verdict === 'refused'))
    ? []
    : [`plan ${digest} (go on with exactly this: --confirm ${digest})`];
