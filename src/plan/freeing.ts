// After a write of `unstick`: what to do when the object has changed in between, and what became of it. Pure.
import type { LeftCode } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { isPodKind } from '../model/kind.ts';
import { graceLeftSeconds, type ObjectMeta } from '../model/object.ts';
import type { Facts } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { Became, Freeing, NextTry } from '../model/settling.ts';

/**
 * Decided again from the newest list: another finalizer that was added or removed in between is not ours to undo. What else the
 * decision rested on cannot have turned back: a Job that is gone or over, a claim that no Pod may take up again, a controller's absence.
 */
function nextTry(action: FinalizerAction, now: ObjectMeta | undefined): NextTry {
  if (now === undefined || now.ref.uid !== action.target.uid) return { do: 'nothing', because: 'gone' };
  if (action.where === 'spec') return { do: 'write', action: { ...action, target: now.ref } };
  const remove = action.remove.filter(finalizer => now.finalizers.includes(finalizer));
  if (remove.length === 0) return { do: 'nothing', because: 'unneeded' };
  const keeps = now.finalizers.filter(finalizer => !action.remove.includes(finalizer));
  return { do: 'write', action: { ...action, target: now.ref, remove, keeps } };
}

function became(
  target: Ref,
  actions: readonly FinalizerAction[],
  now: ObjectMeta | undefined,
  at: Date,
): Became {
  if (now === undefined || now.ref.uid !== target.uid) return { is: 'gone' };
  const removed = actions.filter(({ where }) => where === 'metadata').flatMap(({ remove }) => remove);
  const back = now.finalizers.filter(finalizer => removed.includes(finalizer));
  if (back.length > 0)
    return held(target, 'came-back', { finalizers: back.join(', '), by: writerOf(back, now) });
  if (actions.some(({ goes }) => !goes) && now.finalizers.length > 0)
    return held(target, 'still-held', { finalizers: now.finalizers.join(', ') });
  return { is: 'going', left: { target, ...whyStill(now, at) } };
}

const held = (target: Ref, code: LeftCode, facts: Facts): Became => ({
  is: 'held',
  left: { target, code, facts },
});

/** The client that wrote it, as it calls itself in managedFields. */
const writerOf = (finalizers: readonly string[], { writers = [] }: ObjectMeta): string =>
  writers.find(writer => finalizers.some(finalizer => writer.finalizers.includes(finalizer)))?.manager ?? '';

function whyStill(now: ObjectMeta, at: Date): { code: LeftCode; facts: Facts } {
  if (now.finalizers.length > 0)
    return { code: 'held-by-finalizers', facts: { finalizers: now.finalizers.join(', ') } };
  if (!isPodKind(now.ref.kind)) return { code: 'lingers', facts: {} };
  const seconds = graceLeftSeconds(now, at) ?? 0;
  return seconds > 0
    ? { code: 'in-grace', facts: { seconds, of: now.deletionGraceSeconds ?? 0 } }
    : { code: 'past-grace', facts: { seconds: -seconds } };
}

export const freeing: Freeing = { nextTry, became };
