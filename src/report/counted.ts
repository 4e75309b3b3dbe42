// Findings and plans, counted and put into words: "40 Jobs with 52 Pods", "18 stay: 9 newest of their owner, 6 running".
import { isJobKind, isPodKind } from '../model/kind.ts';
import type { DeletePlan, Finding } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import { reasons } from './words.ts';

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `3 Jobs`, `1 Pod`, or `4 objects` where the kinds differ. */
export function countOf(refs: readonly Pick<Ref, 'kind'>[]): string {
  if (refs.length > 0 && refs.every(ref => isJobKind(ref.kind))) return plural(refs.length, 'Job');
  if (refs.length > 0 && refs.every(ref => isPodKind(ref.kind))) return plural(refs.length, 'Pod');
  const [first] = refs;
  const same = first !== undefined && refs.every(ref => ref.kind.kind === first.kind.kind);
  return same ? plural(refs.length, first.kind.kind) : plural(refs.length, 'object');
}

/** `40 Jobs with 52 Pods` */
export function goingOf(plan: DeletePlan): string {
  const actions = countOf(plan.actions.map(action => action.target));
  const dependents = plan.settle.dependents.map(dependent => dependent.target);
  return dependents.length === 0 ? actions : `${actions} with ${countOf(dependents)}`;
}

/** `18 stay: 9 newest of their owner, 6 running`, or undefined where nothing stays. */
export function stayingOf(findings: readonly Finding[]): string | undefined {
  const staying = findings.filter(
    finding => finding.verdict === 'stays' || finding.verdict === 'already-terminating',
  );
  if (staying.length === 0) return undefined;
  const byReason = Map.groupBy(staying, ({ why }) => reasons[why.code].many(why.facts ?? {}));
  const parts = [...byReason]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, { length }]) => `${length} ${reason}`);
  return `${staying.length} ${staying.length === 1 ? 'stays' : 'stay'}: ${parts.join(', ')}`;
}
