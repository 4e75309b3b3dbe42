// Why a plan is not carried out, and what would let it be.
import { plain } from '../model/ref.ts';
import type { Refusal } from '../model/refusal.ts';

interface Sentence {
  readonly why: string;
  readonly next: string;
}

export function refusalWords({ code, facts }: Refusal): Sentence {
  switch (code) {
    case 'targets-refused':
      return {
        why: `${facts['count']} of the named objects ${Number(facts['count']) === 1 ? 'is' : 'are'} not to be deleted, so nothing was`,
        next: 'Leave out what is refused above, or add --include-protected where a mark is the reason.',
      };
    case 'no-right':
      return {
        why: `you may not delete ${plain(String(facts['what']))}; nothing was deleted`,
        next: 'The README lists the role that each verb needs.',
      };
    case 'too-many':
      return {
        why: `the plan deletes ${facts['going']} objects, --max allows ${facts['max']}; nothing was deleted`,
        next: 'Look at the plan with --dry-run; raise --max if it is right.',
      };
    case 'plan-changed':
      return {
        why: `the plan is ${facts['found']} now, not ${plain(String(facts['expected']))}; nothing was deleted`,
        next: 'Look at it again with --dry-run.',
      };
    case 'no-terminal':
      return {
        why: 'no terminal to ask on; nothing was deleted',
        next: `Pass --yes to go ahead, or --confirm ${facts['digest']} for exactly this plan.`,
      };
    case 'no-terminal-to-choose-on':
      return {
        why: '--interactive needs a terminal to choose on; nothing was deleted',
        next: 'Leave it out and name the objects, or use a selector.',
      };
  }
}
