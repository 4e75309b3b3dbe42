// What was done and seen, in a document: one entry for each event that is about an object.
import type { Event } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { ofStop, toChanged } from './document-changes.ts';
import { toRef } from './document-ref.ts';

/** Undefined: nothing is told of it but in the counts at the end. */
export function toAction(event: Event): object | undefined {
  switch (event.type) {
    case 'deleted': {
      const { state, finalizers } = event;
      return { ...toDelete(event), state, ...(finalizers.length > 0 ? { finalizers } : {}) };
    }
    case 'failed':
      return { ...toDelete(event), state: 'failed', problem: event.problem };
    case 'spared':
      return { ...toRef(event.target), as: 'target', state: 'spared', job: event.job };
    case 'seen-gone':
      return { ...toRef(event.target), as: event.as, state: 'seen-gone', by: event.by };
    case 'hooks-unknown':
      return { state: event.type, namespace: event.namespace, problem: { text: event.problem } };
    case 'freed':
    case 'not-freed':
      return toFreed(event);
    case 'stays-held': {
      const { target, code, facts } = event.left;
      return { ...toRef(target), state: 'still-there', code, facts };
    }
    case 'made-anew':
      return { ...toRef(event.target), state: 'made-anew' };
    case 'changed':
    case 'not-changed':
      return toChanged(event);
    default:
      return ofStop(event);
  }
}

const toDelete = ({ action, as }: Extract<Event, { type: 'deleted' | 'failed' }>): object => ({
  ...toRef(action.target),
  as,
  propagationPolicy: action.propagation,
});

function toFreed(event: Extract<Event, { type: 'freed' | 'not-freed' }>): object {
  if (event.type === 'freed') return { ...toRemoval(event.action), state: event.state };
  const { action, problem, blame } = event;
  return { ...toRemoval(action), state: 'failed', problem, ...(blame.length === 0 ? {} : { blame }) };
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
