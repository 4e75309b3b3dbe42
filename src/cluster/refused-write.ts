// A write that was not accepted: whether the object is gone, an earlier try of ours was the reason for that, or it failed.
import type { Ref } from '../model/ref.ts';
import type { Written } from './contract.ts';
import { problemOfAnswer } from './problem.ts';
import type { Answer } from './request.ts';

/** `arrived`: what it means when an earlier try, whose answer was lost, had its effect: a 404 then most likely answers that. */
export function refusedWrite(
  { status, body, mayHaveArrivedBefore }: Answer,
  target: Ref,
  arrived: Written,
): Written {
  const problem = problemOfAnswer(status, body, { name: target.name });
  if (problem.code !== 'not-found') return { state: 'failed', problem, mayHaveArrivedBefore };
  return mayHaveArrivedBefore ? arrived : { state: 'already-gone' };
}
