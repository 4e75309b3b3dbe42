// The garbage collector: dependents of what is gone, and the two finalizers that are its own.
// Source: pkg/controller/garbagecollector/garbagecollector.go, attemptToDeleteItem and attemptToOrphanWorker.

import { deleteStored, isHeld } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';
import {
  finalizersOf,
  isTerminating,
  type OwnerReference,
  ownersOf,
  type RawObject,
  withMetadata,
} from './object.ts';
import type { Store, Stored } from './store.ts';

/** `perSecond`: objects looked at; a real one deletes 20 a second with default settings. */
export type CollectorPace = 'off' | 'at once' | { readonly perSecond: number };

export class Collector {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #queue = new Set<string>();
  #pace: CollectorPace;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, now: () => Date, pace: CollectorPace) {
    this.#store = store;
    this.#now = now;
    this.#pace = pace;
    store.onChange((stored, isGone) => this.#notice(stored, isGone));
  }

  /** What happened while it was off is made up for. */
  setPace(pace: CollectorPace): void {
    this.#pace = pace;
    this.#schedule();
  }

  stop(): void {
    this.#pace = 'off';
    clearTimeout(this.#timer);
  }

  #notice({ object }: Stored, isGone: boolean): void {
    const uid = object.metadata.uid ?? '';
    const own = finalizersOf(object);
    const isMine = own.includes('orphan') || own.includes('foregroundDeletion');
    if (!isGone && isTerminating(object) && isMine) this.#queue.add(uid);
    if (isGone)
      for (const { object } of this.#store.dependentsOf(uid)) this.#queue.add(object.metadata.uid ?? '');
    for (const owner of ownersOf(object)) {
      const found = this.#store.byUid(owner.uid);
      if (found !== undefined && isWaiting(found.object)) this.#queue.add(owner.uid);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#pace === 'off' || this.#timer !== undefined || this.#queue.size === 0) return;
    // never within the request that caused it: its answer goes out first, as from two processes
    this.#timer = setTimeout(() => this.#work(), this.#pace === 'at once' ? 0 : 1000 / this.#pace.perSecond);
  }

  #work(): void {
    this.#timer = undefined;
    const batch = this.#pace === 'at once' ? [...this.#queue] : [...this.#queue].slice(0, 1);
    for (const uid of batch) {
      this.#queue.delete(uid);
      const stored = this.#store.byUid(uid);
      if (stored !== undefined) this.#process(stored);
    }
    this.#schedule();
  }

  #process(stored: Stored): void {
    const { object } = stored;
    const own = finalizersOf(object);
    if (isTerminating(object) && own.includes('orphan')) this.#orphan(stored);
    else if (isTerminating(object) && own.includes('foregroundDeletion')) this.#deleteDependents(stored);
    else if (ownersOf(object).length > 0) this.#attemptToDelete(stored);
  }

  #orphan(owner: Stored): void {
    const { uid = '' } = owner.object.metadata;
    for (const dependent of this.#store.dependentsOf(uid))
      this.#dropOwners(dependent, one => one.uid === uid);
    this.#dropFinalizer(owner, 'orphan');
  }

  #deleteDependents(owner: Stored): void {
    const { uid = '' } = owner.object.metadata;
    const dependents = this.#store.dependentsOf(uid);
    for (const { object } of dependents)
      if (!isTerminating(object)) this.#queue.add(object.metadata.uid ?? '');
    const isBlocking = ({ object }: Stored) =>
      ownersOf(object).some(one => one.uid === uid && one.blockOwnerDeletion === true);
    if (!dependents.some(isBlocking)) this.#dropFinalizer(owner, 'foregroundDeletion');
  }

  #attemptToDelete(stored: Stored): void {
    const { object } = stored;
    const owners = ownersOf(object).map(owner => ({ owner, state: this.#stateOf(owner) }));
    if (owners.some(({ state }) => state === 'solid')) {
      const isSolid = (uid: string) =>
        owners.some(({ owner, state }) => owner.uid === uid && state === 'solid');
      if (owners.some(({ state }) => state !== 'solid')) this.#dropOwners(stored, one => !isSolid(one.uid));
      return;
    }
    if (isTerminating(object)) return;
    const isChain =
      owners.some(({ state }) => state === 'waiting') &&
      this.#store.dependentsOf(object.metadata.uid ?? '').length > 0;
    const options: DeleteOptions = { policy: isChain ? 'Foreground' : presetPolicy(object), isDryRun: false };
    deleteStored(this.#store, stored, options, this.#now());
  }

  #stateOf({ uid }: OwnerReference): 'solid' | 'waiting' | 'dangling' {
    const owner = this.#store.byUid(uid);
    if (owner === undefined) return 'dangling';
    return isWaiting(owner.object) ? 'waiting' : 'solid';
  }

  #dropOwners(stored: Stored, isDropped: (owner: OwnerReference) => boolean): void {
    const ownerReferences = ownersOf(stored.object).filter(owner => !isDropped(owner));
    this.#store.put({ ...stored, object: withMetadata(stored.object, { ownerReferences }) });
  }

  #dropFinalizer(stored: Stored, name: string): void {
    const object = withMetadata(stored.object, {
      finalizers: finalizersOf(stored.object).filter(one => one !== name),
    });
    if (isHeld(object)) this.#store.put({ ...stored, object });
    else this.#store.remove({ ...stored, object });
  }
}

const isWaiting = (object: RawObject): boolean =>
  isTerminating(object) && finalizersOf(object).includes('foregroundDeletion');

function presetPolicy(object: RawObject): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizersOf(object).includes('orphan')) return 'Orphan';
  return finalizersOf(object).includes('foregroundDeletion') ? 'Foreground' : 'Background';
}
