// Why a plan is not carried out, and what would let it be.

import type { Plan } from '../model/plan.ts';
import { plain } from '../model/ref.ts';
import type { Refusal } from '../model/refusal.ts';

interface Sentence {
  readonly why: string;
  readonly next: string;
}

export function refusalWords({ code, facts }: Refusal, verb?: Plan['verb']): Sentence {
  const isUnstick = verb === 'unstick';
  const nothing = isUnstick ? 'nothing was changed' : 'nothing was deleted';
  switch (code) {
    case 'targets-refused':
      if (isUnstick) {
        return {
          why: 'none of the named objects can be freed, so nothing was changed',
          next: 'The reasons stand above.',
        };
      }
      return {
        why: `${facts['count']} of the named objects ${Number(facts['count']) === 1 ? 'is' : 'are'} not to be deleted, so nothing was`,
        next: 'Leave out what is refused above, or add --include-protected where a mark is the reason.',
      };
    case 'finalizer-not-named':
      return {
        why: 'nothing was changed: it is not proven that nobody needs what holds these objects',
        next: 'Name the finalizer that is to go: the commands stand above.',
      };
    case 'no-right':
      return {
        why: `you may not delete ${plain(String(facts['what']))}; ${nothing}`,
        next: 'The README lists the role that each verb needs.',
      };
    case 'too-many':
      return {
        why: `the plan ${isUnstick ? 'ends' : 'deletes'} ${facts['going']} objects, --max allows ${facts['max']}; ${nothing}`,
        next: 'Look at the plan with --dry-run; raise --max if it is right.',
      };
    case 'plan-changed':
      return {
        why: `the plan is ${facts['found']} now, not ${plain(String(facts['expected']))}; ${nothing}`,
        next: 'Look at it again with --dry-run.',
      };
    case 'changed-meanwhile':
      return {
        why: `while the question stood, what it was about has changed; ${nothing}`,
        next: 'Look at it again.',
      };
    case 'no-terminal':
      return {
        why: `no terminal to ask on; ${nothing}`,
        next: `Pass --yes to go ahead, or --confirm ${facts['digest']} for exactly this plan.`,
      };
    case 'no-terminal-to-choose-on':
      return {
        why: `--interactive needs a terminal to choose on; ${nothing}`,
        next: 'Leave it out and name the objects, or use a selector.',
      };
  }
}
