// What kind of yes a plan needs. Pure: the whole truth table is in test/unit/confirm/gate.test.ts.
import type { Safety } from '../model/options.ts';
import { type Plan, touchedBy } from '../model/plan.ts';
import type { Refusal } from '../model/refusal.ts';

export type Gate =
  | { readonly gate: 'nothing-to-do' }
  /** A dry run ends here; with dryRun=server the writer exists, but every call is marked. */
  | { readonly gate: 'go' }
  | ({ readonly gate: 'refuse' } & Refusal)
  | { readonly gate: 'ask-yes-or-no' }
  | { readonly gate: 'ask-word'; readonly word: string };

export interface Circumstances {
  /** Why nobody can be asked: standard input and standard error are no terminals, or the plan is not shown to people. */
  readonly cannotAsk?: 'no-terminal' | 'quiet';
  /** Namespaces (or '' for cluster-scoped) where a review said that we may not delete, with the resource: `jobs.batch in batch`. */
  readonly denied: readonly string[];
  /** What a review said that we may not read of what a stop is to save: `get pods/log in batch`. */
  readonly unsavable?: readonly string[];
}

export function gate(plan: Plan, safety: Safety, now: Circumstances): Gate {
  const refused = refusalOfTargets(plan);
  if (refused !== undefined) return { gate: 'refuse', ...refused };
  if (safety.confirm !== undefined && safety.confirm !== plan.digest) {
    return { gate: 'refuse', code: 'plan-changed', facts: { expected: safety.confirm, found: plan.digest } };
  }
  if (safety.interactive && now.cannotAsk !== undefined && plan.dryRun === 'none')
    return { gate: 'refuse', code: 'no-terminal-to-choose-on', facts: {} };
  if (plan.actions.length === 0) return { gate: 'nothing-to-do' };
  const going = touchedBy(plan);
  if (safety.max !== undefined && going > safety.max) {
    return { gate: 'refuse', code: 'too-many', facts: { going, max: safety.max } };
  }
  if (now.denied.length > 0)
    return { gate: 'refuse', code: 'no-right', facts: { what: now.denied.join(', ') } };
  const unsavable = now.unsavable ?? [];
  if (unsavable.length > 0)
    return { gate: 'refuse', code: 'no-right-to-save', facts: { what: unsavable.join(', ') } };
  if (plan.dryRun !== 'none' || safety.yes || safety.confirm !== undefined) return { gate: 'go' };
  if (now.cannotAsk !== undefined)
    return { gate: 'refuse', code: now.cannotAsk, facts: { digest: plan.digest } };
  return plan.dangers.length === 0 ? { gate: 'ask-yes-or-no' } : { gate: 'ask-word', word: wordToType(plan) };
}

/** Deletes that were named together are done together or not at all; each stuck object stands for itself. */
function refusalOfTargets(plan: Plan): Refusal | undefined {
  if (plan.verb === 'unstick' && plan.actions.length > 0) return undefined;
  // something could be freed, if only it were said of what: a dry run tells, a run must not look as if it had been done
  if (plan.verb === 'unstick' && plan.findings.some(({ verdict }) => verdict === 'could-be-freed'))
    return plan.isScan || plan.dryRun !== 'none' ? undefined : { code: 'finalizer-not-named', facts: {} };
  const count = plan.findings.filter(finding => finding.verdict === 'refused').length;
  return count > 0 ? { code: 'targets-refused', facts: { count } } : undefined;
}

/** The namespace, where there is one; else the context or the server: what a wrong terminal window would get wrong. */
function wordToType(plan: Plan): string {
  const [namespace, more] = plan.namespaces;
  if (!plan.allNamespaces && namespace !== undefined && more === undefined) return namespace;
  return plan.context ?? plan.server;
}
