// The preview of `prune pods`: what goes, and what looks leaked and stays, in a table; the rest in one sentence. Under -o wide every Pod
// has its row.
import type { DeletePlan, Finding } from '../model/plan.ts';
import { plain } from '../model/ref.ts';
import type { ReasonCode } from '../model/why.ts';
import { age } from './age.ts';
import { byNamespace, compare } from './by-namespace.ts';
import { table } from './table.ts';
import { reasons } from './words.ts';

const rowsShown = 20;
/** So many of the Pods that only look leaked: more of the same say no more. */
const lookAlikesShown = 10;

/** Why a Pod stays that somebody might take for a leaked one. */
const looksLeaked: ReadonlySet<ReasonCode> = new Set([
  'leaked-running',
  'labels-disagree',
  'labels-incomplete',
  'selected-by-job',
  'collector-is-due',
  'jobs-unreadable',
  'end-unknown',
  'protected',
  'hook',
  'terminating',
]);

export function prunePodsPreview(plan: DeletePlan, wide: boolean): string[] {
  const going = oldestFirst(plan.findings.filter(({ verdict }) => verdict === 'delete'));
  const alike = oldestFirst(plan.findings.filter(isLookAlike));
  const all = wide ? oldestFirst(plan.findings) : going;
  const shown = wide ? all : all.slice(0, rowsShown);
  return [
    ...podTable(shown, plan, wide),
    ...more(all.length - shown.length),
    ...(wide || alike.length === 0 ? [] : ['', 'These stay:']),
    ...(wide ? [] : podTable(alike.slice(0, lookAlikesShown), plan, false)),
    ...more(wide ? 0 : alike.length - lookAlikesShown),
    ...(plan.allNamespaces ? byNamespace(plan, 'no leaked Pods to prune') : []),
  ];
}

const more = (count: number): string[] => (count > 0 ? [`… ${count} more (-o wide shows all)`] : []);

const isLookAlike = ({ verdict, why }: Finding): boolean => verdict !== 'delete' && looksLeaked.has(why.code);

const oldestFirst = (findings: readonly Finding[]): Finding[] =>
  findings
    .map(finding => ({ finding, key: sortKey(finding) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ finding }) => finding);

function sortKey({ target, seen }: Finding): string {
  const ended = seen.as === 'pod' ? seen.endedAt?.toISOString() : undefined;
  return [target.namespace ?? '', ended ?? '9', target.name].join('\n');
}

function podTable(shown: readonly Finding[], plan: DeletePlan, wide: boolean): string[] {
  if (shown.length === 0) return [];
  const header = [
    ...(plan.allNamespaces ? ['NAMESPACE'] : []),
    ...['POD', 'STATE', 'ENDED', ...(wide ? ['VERDICT'] : []), 'WHY'],
  ];
  return table([header, ...shown.map(finding => podRow(finding, plan, wide))]);
}

function podRow({ target, seen, why, verdict }: Finding, plan: DeletePlan, wide: boolean): string[] {
  const pod = seen.as === 'pod' ? seen : undefined;
  const endedAt = pod?.endedAt;
  return [
    ...(plan.allNamespaces ? [target.namespace ?? ''] : []),
    target.name,
    pod === undefined ? '-' : stateOf(pod),
    endedAt === undefined ? '-' : `${age(plan.takenAt.getTime() - endedAt.getTime())} ago`,
    ...(wide ? [verdict] : []),
    reasons[why.code].row(why.facts ?? {}),
  ].map(plain);
}

type SeenPod = Extract<Finding['seen'], { as: 'pod' }>;

/** `Succeeded`; `Running, up to 30s grace, 1 preStop hook`; `Failed, a container still runs`. */
function stateOf({ phase, ended, graceSeconds, preStopHooks }: SeenPod): string {
  if (ended) return phase;
  const isPhaseOnly = phase === 'Failed' || phase === 'Succeeded';
  const hooks = preStopHooks === 0 ? '' : `, ${preStopHooks} preStop hook${preStopHooks === 1 ? '' : 's'}`;
  return `${phase}${isPhaseOnly ? ', a container still runs' : ''}, up to ${graceSeconds}s grace${hooks}`;
}
