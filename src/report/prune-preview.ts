// The preview of `prune jobs`: what goes, in a table by owner; what stays, in one sentence. Under -o wide every object has its row.
import { isFinished, type JobState } from '../model/job.ts';
import type { DeletePlan, Finding } from '../model/plan.ts';
import { plain } from '../model/ref.ts';
import { age } from './age.ts';
import { byNamespace, compare } from './by-namespace.ts';
import { table } from './table.ts';
import { reasons } from './words.ts';

const rowsShown = 20;

export function prunePreview(plan: DeletePlan, wide: boolean): string[] {
  const rows = plan.findings.filter(finding => wide || finding.verdict === 'delete');
  const sorted = [...rows].sort((a, b) => compare(sortKey(a), sortKey(b)));
  const shown = wide ? sorted : sorted.slice(0, rowsShown);
  const more = sorted.length - shown.length;
  return [
    ...(shown.length === 0 ? [] : jobTable(shown, plan, wide)),
    ...(more > 0 ? [`… ${more} more (-o wide shows all)`] : []),
    ...(plan.allNamespaces ? byNamespace(plan) : []),
  ];
}

/** By namespace and owner, the oldest first, as a person reads a history. */
function sortKey({ target, seen }: Finding): string {
  const ended = seen.as === 'job' && isFinished(seen.state) ? seen.state.endedAt.toISOString() : '9';
  return [target.namespace ?? '', groupLabel(seen), ended, target.name].join('\n');
}

const groupLabel = (seen: Finding['seen']): string => (seen.as === 'job' ? (seen.group?.label ?? '-') : '-');

function jobTable(shown: readonly Finding[], plan: DeletePlan, wide: boolean): string[] {
  const header = [
    ...(plan.allNamespaces ? ['NAMESPACE'] : []),
    ...['OWNER', 'KEEPS', 'JOB', 'ENDED', 'OUTCOME', 'PODS', ...(wide ? ['VERDICT'] : []), 'WHY'],
  ];
  let above = '';
  const rows = shown.map(finding => {
    const key = `${finding.target.namespace} ${groupLabel(finding.seen)}`;
    const first = key !== above;
    above = key;
    return jobRow(finding, plan, wide, first);
  });
  return table([header, ...rows]);
}

function jobRow(finding: Finding, plan: DeletePlan, wide: boolean, first: boolean): string[] {
  const { target, seen, why, verdict } = finding;
  const job = seen.as === 'job' ? seen : undefined;
  const ended =
    job !== undefined && isFinished(job.state)
      ? `${age(plan.takenAt.getTime() - job.state.endedAt.getTime())} ago`
      : '-';
  return [
    ...(plan.allNamespaces ? [target.namespace ?? ''] : []),
    owner(job?.group) + (job?.manual === true ? ' (by hand)' : ''),
    first ? keeps(job?.group) : '',
    target.name,
    ended,
    job === undefined ? '-' : outcome(job.state),
    job?.pods === undefined ? '?' : String(job.pods),
    ...(wide ? [verdict] : []),
    reasons[why.code].row(why.facts ?? {}),
  ].map(plain);
}

type Shown = Extract<Finding['seen'], { as: 'job' }>['group'];

function owner(group: Shown): string {
  if (group === undefined) return '-';
  return group.kind === 'owner-gone' ? `${group.label} (owner gone)` : group.label;
}

function keeps(group: Shown): string {
  if (group?.keepSucceeded === undefined && group?.keepFailed === undefined) return '-';
  return `${group.keepSucceeded ?? '-'} ok, ${group.keepFailed ?? '-'} failed`;
}

/** `Complete`, `Failed (BackoffLimitExceeded)`, or the state of one that has not ended. */
export function outcome(state: JobState): string {
  if (state.is === 'complete') return 'Complete';
  if (state.is === 'failed') return state.reason === '' ? 'Failed' : `Failed (${state.reason})`;
  return state.is;
}
