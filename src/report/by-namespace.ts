// Under -A: how many go and stay in each namespace, so that what belongs to others is seen before it goes (C25).
import type { DeletePlan } from '../model/plan.ts';
import { plural } from './counted.ts';
import { table } from './table.ts';

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function byNamespace(plan: DeletePlan, what = 'nothing to prune'): string[] {
  const spaces = Map.groupBy(plan.findings, finding => finding.target.namespace ?? '');
  const rows = [...spaces]
    .sort(([a], [b]) => compare(a, b))
    .map(([namespace, findings]) => {
      const goes = findings.filter(finding => finding.verdict === 'delete').length;
      return [namespace, String(goes), String(findings.length - goes)];
    });
  const busy = rows.filter(([, goes]) => goes !== '0');
  const quiet = rows.length - busy.length;
  return [
    ...(busy.length === 0 ? [] : ['', ...table([['NAMESPACE', 'GO', 'STAY'], ...busy])]),
    ...(quiet === 0 ? [] : [`${plural(quiet, 'namespace')} with ${what}`]),
  ];
}
