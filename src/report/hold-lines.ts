// What there is to say of one hold, line by line: what the matter is, what its controller does, what a removal costs, what to do.
import type { Facts } from '../model/facts.ts';
import type { CauseCode, Hold } from '../model/hold.ts';
import type { FinalizerId, Loss } from '../model/known-finalizer.ts';
import { plain } from '../model/ref.ts';
import { plural } from './counted.ts';
import { has, number, text } from './fact.ts';
import { finalizerWords } from './finalizer-words.ts';
import { holdWords, listed } from './hold-words.ts';
import { inNamespace, type Typed } from './next-command.ts';

/** What a removal costs, as the end of a sentence. */
export function costOf({ facts, loss, cause }: Hold, typed: Typed): string {
  const said = costs[cause]?.(facts, typed);
  if (said !== undefined) return said;
  const left = has(facts, 'known') ? finalizerWords[facts['known'] as FinalizerId].left : losses[loss];
  const counted = [
    ...(has(facts, 'runningJobs')
      ? [`${plural(number(facts, 'runningJobs'), 'running Job')} of it will end`]
      : []),
    ...(has(facts, 'managed') ? [`${plural(number(facts, 'managed'), 'managed object')} of it`] : []),
  ];
  return counted.length === 0 ? left : `${left} (${counted.join('; ')})`;
}

const losses: Record<Loss, string> = {
  nothing: 'nothing is lost',
  outside: 'something outside of the cluster may be left behind',
  data: 'data may be lost',
};

/** Causes whose cost is known better than by its grade. */
const costs: Partial<Record<CauseCode, (facts: Facts, typed: Typed) => string>> = {
  // measured on 1.37: the collector deletes what still names the owner, as soon as the owner is gone
  orphaning: (f, typed) =>
    `its dependents stay where the garbage collector has let them go already, and are deleted by it where it has not: ${listed(f)}. To end those that stay: ${typed('kubectl jobctl', 'delete', ...String(f['names']).split(', '), ...inNamespace(text(f, 'namespace')))}`,
  'volume-attached': f =>
    `the disk is left behind, perhaps still attached to node ${f['node']}; data may be lost`,
  'volume-bound': f => `claim ${f['claim']} loses its volume; data may be lost`,
};

/** How a line starts that is about something that is removed. */
const heads = {
  metadata: { will: 'will be removed', would: 'would be removed' },
  spec: { will: 'will be emptied by force', would: 'would be emptied by force' },
  none: { will: '', would: '' },
} as const;

/** What the matter is, what a removal costs, what to do: a line each, as far as there is something to say. */
export function holdLines(
  hold: Hold,
  fate: 'will' | 'would' | 'follows' | undefined,
  typed: Typed,
): string[] {
  const { why, next } = holdWords[hold.cause];
  const isRemoved = fate === 'will' || fate === 'would';
  const isRemovable = isRemoved || hold.allowance !== 'never';
  const known = has(hold.facts, 'known') ? (hold.facts['known'] as FinalizerId) : undefined;
  const lines = [
    `${isRemoved ? `${heads[hold.where][fate]}: ` : ''}${why(hold.facts, hold.finalizer)}`,
    known === undefined ? '' : `normally ${finalizerWords[known].tool} ${finalizerWords[known].does}`,
    isRemovable ? `removing it: ${costOf(hold, typed)}` : '',
    fate === undefined ? next(hold.facts, hold.finalizer, typed) : '',
  ];
  return lines.filter(line => line !== '').map(plain);
}
