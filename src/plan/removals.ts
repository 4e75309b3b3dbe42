// Whether a finalizer is removed, by what was asked for: nothing in particular, all of them, this very name, or a tick in the list.
import type { Hold } from '../model/hold.ts';
import type { UnstickOptions } from '../model/options.ts';

export interface Asked {
  readonly options: UnstickOptions;
  /** The user named this object. */
  readonly isNamed: boolean;
  /** It was named, or hangs below what was named: the command is about it. Not so in a scan, which only looks. */
  readonly isMeant: boolean;
  /** Picked from the list that was shown, or left out of it; `unasked` where no list was shown. */
  readonly pick: 'picked' | 'left-out' | 'unasked';
}

/** `if-asked`: it may be, and nobody has asked for it. */
export function mayRemove(hold: Hold, asked: Asked): 'yes' | 'no' | 'if-asked' {
  const { options, isNamed } = asked;
  if (hold.where === 'none') return 'no';
  // a Namespace's own, whatever holds it: only by its flag and its name, never by a scan
  if (hold.where === 'spec') return options.forceFinalize && isNamed ? 'yes' : 'no';
  if (hold.allowance === 'never') return 'no';
  if (options.finalizers.includes(hold.finalizer)) return 'yes';
  if (hold.allowance === 'only-named') return 'no';
  // with names given, those alone
  if (options.finalizers.length > 0) return 'no';
  if (options.allFinalizers || asked.pick === 'picked') return 'yes';
  const isAsked = hold.allowance === 'proven' && (asked.isMeant || isToGo(options));
  return isAsked ? 'yes' : 'if-asked';
}

/** With --yes, or a digest that a dry run with --yes has printed, a scan does what it may instead of only looking. */
const isToGo = ({ yes, confirm }: UnstickOptions): boolean => yes || confirm !== undefined;
