// What there is to say of one hold, line by line: what the matter is, what its controller does, what a removal costs, what to do.
import type { Hold } from '../model/hold.ts';
import type { FinalizerId } from '../model/known-finalizer.ts';
import { plain } from '../model/ref.ts';
import { plural } from './counted.ts';
import { finalizerWords } from './finalizer-words.ts';
import { has, holdWords, number } from './hold-words.ts';

const worksOn = (id: FinalizerId): string => `${finalizerWords[id].tool} ${finalizerWords[id].does}`;

/** What a removal costs, as the end of a sentence. */
export function costOf({ facts, loss, cause }: Hold): string {
  const left = has(facts, 'known') ? finalizerWords[facts['known'] as FinalizerId].left : undefined;
  const counted = [
    ...(has(facts, 'runningJobs')
      ? [`${plural(number(facts, 'runningJobs'), 'running Job')} of it will end`]
      : []),
    ...(has(facts, 'managed') ? [`${plural(number(facts, 'managed'), 'managed object')} of it`] : []),
  ];
  const more = counted.length === 0 ? '' : ` (${counted.join('; ')})`;
  if (left !== undefined) return left + more;
  if (cause === 'orphaning') return 'its dependents are let go or deleted';
  switch (loss) {
    case 'nothing':
      return `nothing is lost${more}`;
    case 'outside':
      return `something outside of the cluster may be left behind${more}`;
    case 'data':
      return `data may be lost${more}`;
  }
}

/** What the matter is, what a removal costs, what to do: a line each, as far as there is something to say. */
export function holdLines(hold: Hold, isRemoved: boolean): string[] {
  const { why, next } = holdWords[hold.cause];
  const isRemovable = isRemoved || hold.allowance === 'proven' || hold.allowance === 'if-named';
  const after = isRemoved ? '' : next(hold.facts, hold.finalizer);
  const lines = [
    why(hold.facts, hold.finalizer),
    has(hold.facts, 'known') ? worksOn(hold.facts['known'] as FinalizerId) : '',
    isRemovable ? `removing it: ${costOf(hold)}` : '',
    after,
  ];
  return lines.filter(line => line !== '').map(plain);
}
