// How a run ended, in a document.
import type { Event, Left } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import type { Refusal } from '../model/refusal.ts';
import { toRef } from './document-ref.ts';
import { summaryOf } from './document-summary.ts';
import { refusalWords } from './refusal.ts';
import type { Tally } from './tally.ts';

/** Of the events, what is told once, at the end. */
export class Ending {
  #remaining: readonly Left[] = [];
  #causes: readonly string[] = [];

  add(event: Event): void {
    if (event.type === 'timeout' || event.type === 'interrupted' || event.type === 'given-up')
      this.#remaining = event.left;
    if (event.type === 'timeout') this.#causes = event.causes;
  }

  toResult(tally: Tally, exitCode: number, refusal: Refusal | undefined): object {
    return {
      remaining: this.#remaining.map(({ target, code, facts }) => ({ ...toRef(target), code, facts })),
      ...(this.#causes.length === 0 ? {} : { causes: this.#causes }),
      ...(refusal === undefined ? {} : { refusal: toRefusal(refusal, tally.plan) }),
      summary: summaryOf(tally),
      exitCode,
    };
  }
}

function toRefusal(refusal: Refusal, plan: Plan | undefined): object {
  const { why, next } = refusalWords(refusal, plan?.verb);
  return { ...refusal, text: next === '' ? [why] : [why, next] };
}
