// A plan in a document: where it is about, what was looked at, and what goes along.
import { given } from '../model/given.ts';
import type { Hold } from '../model/hold.ts';
import type { Finding, Plan } from '../model/plan.ts';
import { toWrite } from './document-changes.ts';
import { toRef } from './document-ref.ts';
import { holdLines } from './hold-lines.ts';
import { type Typed, typedFor } from './next-command.ts';
import { notes, reasons } from './words.ts';

/** What it is about. */
export const toHead = (plan: Plan): object => ({
  verb: plan.verb,
  dryRun: plan.dryRun,
  ...given({ context: plan.context }),
  server: plan.server,
  namespaces: plan.namespaces,
  allNamespaces: plan.allNamespaces,
  takenAt: plan.takenAt.toISOString(),
  digest: plan.digest,
});

/** Every object that was looked at. */
export function toFindings(plan: Plan): object[] {
  const typed = typedFor(plan);
  return plan.findings.map(finding => toFinding(finding, typed));
}

/** What there is to say of the whole. */
export function toRest(plan: Plan): object {
  const typed = typedFor(plan);
  return {
    notes: plan.notes.map(({ code, facts }) => ({ code, facts, text: notes[code](facts, typed) })),
    dangers: plan.dangers,
  };
}

/** What goes along with the targets, or is written on them: the field of the document, and its entries. */
export function toOthers(
  plan: Plan,
): readonly [field: 'follows' | 'writes' | 'dependents', entries: object[]] {
  switch (plan.verb) {
    case 'unstick':
      return ['follows', plan.aftermath.follows.map(({ target }) => toRef(target))];
    case 'stop':
    case 'resume':
      return ['writes', plan.actions.map(toWrite)];
    default:
      return ['dependents', plan.settle.dependents.map(({ target, by }) => ({ ...toRef(target), by }))];
  }
}

function toFinding({ target, under, verdict, why, seen }: Finding, typed: Typed): object {
  const text = reasons[why.code].row(why.facts ?? {});
  return {
    ...toRef(target),
    ...given({ under }),
    verdict,
    reason: { ...why, text },
    seen: seen.as === 'stuck' ? { ...seen, holds: seen.holds.map(hold => toHold(hold, typed)) } : seen,
  };
}

const toHold = (hold: Hold, typed: Typed): object => ({ ...hold, text: holdLines(hold, undefined, typed) });
