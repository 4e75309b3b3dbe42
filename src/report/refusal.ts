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
  const deletes = verb === 'delete' || verb === 'prune jobs' || verb === 'prune pods';
  const nothing = deletes ? 'nothing was deleted' : 'nothing was changed';
  switch (code) {
    case 'targets-refused':
      return targetsRefused(Number(facts['count']), verb);
    case 'finalizer-not-named':
      return {
        why: 'nothing was changed: it is not proven that nobody needs what holds these objects',
        next: 'Name the finalizer that is to go: the commands stand above.',
      };
    case 'no-right':
      return {
        why: `you may not ${deletes ? 'delete' : 'patch'} ${plain(String(facts['what']))}; ${nothing}`,
        next: 'The README lists the role that each verb needs.',
      };
    case 'no-right-to-save':
      return {
        why: `what is to be kept cannot be saved: you may not ${plain(String(facts['what']))}; ${nothing}`,
        next: 'Pass --ignore-save-errors to save what can be saved, or --no-save to save nothing.',
      };
    case 'too-many':
      return {
        why: `the plan ${deletes ? 'deletes' : isUnstick ? 'ends' : 'changes'} ${facts['going']} objects, --max allows ${facts['max']}; ${nothing}`,
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
    case 'quiet':
      return {
        why: `${code === 'quiet' ? '--quiet shows no plan to agree to' : 'no terminal to ask on'}; ${nothing}`,
        next: `Pass --yes to go ahead, or --confirm ${facts['digest']} for exactly this plan.`,
      };
    case 'no-terminal-to-choose-on':
      return {
        why: `--interactive needs a terminal to choose on; ${nothing}`,
        next: 'Leave it out and name the objects, or use a selector.',
      };
  }
}

function targetsRefused(count: number, verb: Plan['verb'] | undefined): Sentence {
  switch (verb) {
    case 'unstick':
      return {
        why: 'none of the named objects can be freed, so nothing was changed',
        next: 'The reasons stand above.',
      };
    case 'stop':
      return {
        why: `${count} of these cannot be stopped without losing what is to be kept, or are protected, so nothing was changed`,
        next: 'The reasons stand above. --suspend-only sees to it that no new Jobs are made; name other Jobs to end those, or add --include-protected where a mark is the reason.',
      };
    case 'resume':
      return {
        why: `${count} of the named objects cannot be given back, so nothing was changed`,
        next: 'The reasons stand above; add --include-protected where a mark is the reason.',
      };
    default:
      return {
        why: `${count} of the named objects ${count === 1 ? 'is' : 'are'} not to be deleted, so nothing was`,
        next: 'Leave out what is refused above, or add --include-protected where a mark is the reason.',
      };
  }
}
