// What was done and seen, in a document: one entry for each event that is about an object.
import type { Event } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { ofStop, toChanged } from './document-changes.ts';
import { toRef } from './document-ref.ts';

/** Undefined: nothing is told of it but in the counts at the end. */
export function toAction(event: Event): object | undefined {
  if (event.type === 'deleted') {
    const { action, as, state, finalizers } = event;
    return {
      ...toRef(action.target),
      as,
      propagationPolicy: action.propagation,
      state,
      ...(finalizers.length > 0 ? { finalizers } : {}),
    };
  }
  if (event.type === 'failed') {
    const { action, as, problem } = event;
    return { ...toRef(action.target), as, propagationPolicy: action.propagation, state: 'failed', problem };
  }
  if (event.type === 'spared')
    return { ...toRef(event.target), as: 'target', state: 'spared', job: event.job };
  if (event.type === 'freed') {
    const { action, state } = event;
    return { ...toRemoval(action), state };
  }
  if (event.type === 'not-freed') {
    const { action, problem, blame } = event;
    return { ...toRemoval(action), state: 'failed', problem, ...(blame.length === 0 ? {} : { blame }) };
  }
  if (event.type === 'stays-held') {
    const { target, code, facts } = event.left;
    return { ...toRef(target), state: 'still-there', code, facts };
  }
  if (event.type === 'changed' || event.type === 'not-changed') return toChanged(event);
  const seen = ofStop(event);
  if (seen !== undefined) return seen;
  if (event.type === 'made-anew') return { ...toRef(event.target), state: 'made-anew' };
  return event.type === 'seen-gone'
    ? { ...toRef(event.target), as: event.as, state: 'seen-gone', by: event.by }
    : undefined;
}

/** What was taken away and what stays, in full: the way back, as far as there is one. */
const toRemoval = ({ target, where, remove, causes, keeps }: FinalizerAction): object => ({
  ...toRef(target),
  as: 'target',
  list: where === 'spec' ? 'spec.finalizers' : 'metadata.finalizers',
  removed: remove,
  causes,
  kept: keeps,
});
