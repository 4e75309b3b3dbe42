// After a write of `unstick`: what to do when the object has changed in between, and what became of it. Pure.
import { controllerWords } from '../model/controller-words.ts';
import type { LeftCode } from '../model/event.ts';
import { says } from '../model/evidence.ts';
import type { Facts } from '../model/facts.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { restsOnAbsence } from '../model/hold.ts';
import { isPodKind } from '../model/kind.ts';
import { graceLeftSeconds, type ObjectMeta } from '../model/object.ts';
import type { Ref } from '../model/ref.ts';
import type { Became, Freeing, NextTry } from '../model/settling.ts';

/**
 * Decided again from the newest version. Another finalizer that was added or removed in between is not ours to undo. Where the
 * decision rested on a controller that was not seen, and it is the controller that has written, it is at work. What else a decision
 * rests on hardly turns back within these moments: a Job that is gone or over, a claim that is being deleted and takes no new Pod,
 * an owner that is being deleted and gets no new dependent.
 */
function nextTry(action: FinalizerAction, now: ObjectMeta | undefined, takenAt: Date): NextTry {
  if (now === undefined || now.ref.uid !== action.target.uid) return { do: 'nothing', because: 'gone' };
  const writer = controllerAtWork(action, now, takenAt);
  if (writer !== undefined) return { do: 'stop', writer };
  if (action.where === 'spec') return { do: 'write', action: { ...action, target: now.ref } };
  const left = action.remove.map((name, at) => ({ name, cause: action.causes[at] }));
  const still = left.filter(({ name }) => now.finalizers.includes(name));
  if (still.length === 0) return { do: 'nothing', because: 'unneeded' };
  const remove = still.map(({ name }) => name);
  const causes = still.flatMap(({ cause }) => cause ?? []);
  const keeps = now.finalizers.filter(finalizer => !action.remove.includes(finalizer));
  return { do: 'write', action: { ...action, target: now.ref, remove, causes, keeps } };
}

function controllerAtWork(action: FinalizerAction, now: ObjectMeta, takenAt: Date): string | undefined {
  const words = action.remove
    .filter((_, at) => restsOnAbsence.has(action.causes[at] ?? 'draining'))
    .flatMap(finalizer => controllerWords(finalizer, now.ref.kind).words);
  // managedFields have whole seconds
  const late = now.writers?.find(
    ({ manager, at }) =>
      at !== undefined && at.getTime() >= takenAt.getTime() - 1000 && words.some(word => says(manager, word)),
  );
  return late?.manager;
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
