// The preview of `delete`: a tree of what goes, what goes with it, and what stays although it hangs there.
import { isFinished } from '../model/job.ts';
import type { DeletePlan, Finding } from '../model/plan.ts';
import { label, plain } from '../model/ref.ts';
import { age } from './age.ts';
import { outcome } from './prune-preview.ts';
import { table } from './table.ts';
import { reasons } from './words.ts';

const rowsShown = 40;

export function deletePreview(plan: DeletePlan, wide: boolean): string[] {
  const children = Map.groupBy(plan.findings, finding => finding.under ?? '');
  const rows: string[][] = [];
  const walk = (finding: Finding, head: string, indent: string): void => {
    rows.push([plain(`${head}${label(finding.target)}`), plain(saying(finding, plan))]);
    const below = children.get(finding.target.uid) ?? [];
    below.forEach((child, at) => {
      const isLast = at === below.length - 1;
      walk(child, `${indent}${isLast ? '└─ ' : '├─ '}`, `${indent}${isLast ? '   ' : '│  '}`);
    });
  };
  const many = new Set(plan.findings.map(finding => finding.target.namespace)).size > 1;
  for (const finding of children.get('') ?? []) {
    walk(finding, many && finding.target.namespace !== undefined ? `${finding.target.namespace}: ` : '', '');
  }
  const shown = wide ? rows : rows.slice(0, rowsShown);
  const more = rows.length - shown.length;
  return [...table(shown), ...(more > 0 ? [`… ${more} more (-o wide shows all)`] : [])];
}

function saying(finding: Finding, plan: DeletePlan): string {
  const parts = [stateOf(finding, plan), verdictOf(finding)].filter(part => part !== '');
  return parts.join('; ');
}

function stateOf({ seen }: Finding, plan: DeletePlan): string {
  if (seen.as === 'job') {
    const state = seen.state;
    return isFinished(state)
      ? `${outcome(state)}, ${age(plan.takenAt.getTime() - state.endedAt.getTime())} ago`
      : outcome(state);
  }
  if (seen.as !== 'pod') return '';
  if (seen.ended) return seen.phase;
  const hooks =
    seen.preStopHooks === 0
      ? ''
      : `, ${seen.preStopHooks} preStop ${seen.preStopHooks === 1 ? 'hook runs' : 'hooks run'} first`;
  return `${seen.phase}: up to ${seen.graceSeconds}s grace${hooks}`;
}

function verdictOf({ verdict, why }: Finding): string {
  if (verdict === 'delete' || verdict === 'goes-with-owner') return '';
  return verdict === 'refused'
    ? `refused: ${reasons[why.code].row(why.facts ?? {})}`
    : reasons[why.code].row(why.facts ?? {});
}
