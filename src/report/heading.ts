// The first line of every preview: where it would happen. The wrong cluster is the most expensive mistake. And the last one of a dry
// run: how to go on with exactly this.
import type { Plan } from '../model/plan.ts';
import { plain } from '../model/ref.ts';
import type { Moment } from '../model/snapshot.ts';

export const heading = (plan: Plan): string => placeHeading(plan) + dryRunMark(plan);

type Scope = Pick<Moment, 'allNamespaces' | 'namespaces'>;

export function placeHeading({
  context,
  server,
  ...scope
}: Scope & Pick<Moment, 'context' | 'server'>): string {
  const cluster = context === undefined ? server : `${context} (${server})`;
  return plain(`${cluster}, ${scopeOf(scope)}`);
}

export function scopeOf({ allNamespaces, namespaces }: Scope): string {
  if (allNamespaces) return 'all namespaces';
  if (namespaces.length === 0) return 'cluster-scoped';
  return `namespace${namespaces.length === 1 ? '' : 's'} ${namespaces.join(', ')}`;
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
