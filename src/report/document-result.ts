// How a run ended, in a document.
import type { Event, Left } from '../model/event.ts';
import { given } from '../model/given.ts';
import type { Plan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { Refusal } from '../model/refusal.ts';
import { toRef } from './document-ref.ts';
import { summaryOf } from './document-summary.ts';
import { refusalWords } from './refusal.ts';
import type { Tally } from './tally.ts';

/** Of the events, what is told once, at the end. */
export class Ending {
  #remaining: readonly Left[] = [];
  #causes: readonly string[] = [];
  #notStarted: readonly Ref[] | undefined;

  add(event: Event): void {
    if (event.type === 'timeout' || event.type === 'interrupted' || event.type === 'given-up')
      this.#remaining = event.left;
    if (event.type === 'timeout') this.#causes = event.causes;
    if (event.type === 'interrupted' || event.type === 'halted' || event.type === 'stopped-half-way')
      this.#notStarted = event.notStarted;
  }

  toResult(tally: Tally, exitCode: number, refusal: Refusal | undefined): object {
    return {
      remaining: this.#remaining.map(({ target, code, facts }) => ({ ...toRef(target), code, facts })),
      ...(this.#causes.length === 0 ? {} : { causes: this.#causes }),
      ...given({ notStarted: this.#notStarted?.map(toRef) }),
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
