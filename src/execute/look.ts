// What of the watched objects is still there: whole lists first, so that nothing new is missed; single reads once few are left.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Left } from '../model/event.ts';
import { given } from '../model/given.ts';
import { isSameKind, type Kind } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { DeletePlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { Present } from '../model/settling.ts';
import { groupKind } from '../model/snapshot.ts';
import { never, pool } from '../pool.ts';

interface Place {
  readonly kind: Kind;
  /** Absent: all namespaces, or a cluster-scoped kind. */
  readonly namespace?: string;
}

const fewEnoughToReadOneByOne = 10;
const listsAtOnce = 4;
const manyNamespaces = 5;

export class Look {
  readonly #read: ClusterReader;
  readonly #places: readonly Place[];
  readonly #watched: Map<string, Ref>;
  /** What the next look reads one by one; undefined: lists. */
  #few: readonly Ref[] | undefined;
  /** Whether the newest look listed everything: only that can show that nothing new has appeared. */
  wasWhole = false;

  constructor(plan: DeletePlan, held: ReadonlySet<string>, read: ClusterReader) {
    this.#read = read;
    const { targets, dependents } = plan.settle;
    this.#watched = new Map(
      [...targets, ...dependents.map(({ target }) => target)].map(ref => [ref.uid, ref]),
    );
    this.#places = placesOf(plan, held);
  }

  async again(): Promise<Present> {
    const few = this.#few;
    this.wasWhole = few === undefined;
    return few === undefined ? await this.#listAll() : await this.#readEach(few);
  }

  narrowTo(left: readonly Left[]): void {
    const few = left.length > 0 && left.length <= fewEnoughToReadOneByOne;
    this.#few = few ? left.map(item => item.target) : undefined;
  }

  async #listAll(): Promise<Present> {
    const objects = new Map<string, ObjectMeta>();
    const unknown = new Set<string>();
    const keep = (object: ObjectMeta): boolean => this.#isOfInterest(object);
    const list = (place: Place) =>
      this.#read.listMetadata(place.kind, given({ namespace: place.namespace }), keep);
    for await (const { item, result } of pool(this.#places, listsAtOnce, never, list)) {
      if (result.state === 'read') for (const object of result.value) this.#remember(object, objects);
      // a kind that is no longer served is not known to be empty
      else for (const ref of this.#watched.values()) if (isAt(ref, item)) unknown.add(ref.uid);
    }
    return { objects, unknown };
  }

  async #readEach(refs: readonly Ref[]): Promise<Present> {
    const objects = new Map<string, ObjectMeta>();
    const unknown = new Set<string>();
    const get = (ref: Ref) => this.#read.getMetadata(ref.kind, ref.name, ref.namespace);
    for await (const { item, result } of pool(refs, listsAtOnce, never, get)) {
      // the same name with another uid is another object: the one that we wait for is gone
      if (result.state === 'read' && result.value.ref.uid === item.uid) objects.set(item.uid, result.value);
      if (result.state === 'unreadable') unknown.add(item.uid);
    }
    return { objects, unknown };
  }

  /** What appeared since is watched from now on: what it may have made in turn belongs here too. */
  #remember(object: ObjectMeta, objects: Map<string, ObjectMeta>): void {
    objects.set(object.ref.uid, object);
    this.#watched.set(object.ref.uid, object.ref);
  }

  #isOfInterest(object: ObjectMeta): boolean {
    if (this.#watched.has(object.ref.uid)) return true;
    return object.owners.length > 0 && object.owners.every(owner => this.#watched.has(owner.uid));
  }
}

const isAt = (ref: Ref, place: Place): boolean =>
  isSameKind(ref.kind, place.kind) && (place.namespace === undefined || ref.namespace === place.namespace);

/** Where the held targets are, and where their dependents can be. A dependent lives in its owner's namespace. */
function placesOf(plan: DeletePlan, held: ReadonlySet<string>): Place[] {
  const { targets, dependents, kinds } = plan.settle;
  const refs = [...targets, ...dependents.map(({ target }) => target)];
  const namespaces = new Set(refs.flatMap(ref => (ref.namespace === undefined ? [] : [ref.namespace])));
  const heldKinds = targets.filter(target => held.has(target.uid)).map(target => target.kind);
  const wanted = new Map([...kinds, ...heldKinds].map(kind => [groupKind(kind), kind]));
  return [...wanted.values()].flatMap((kind): Place[] => {
    const everywhere = !kind.namespaced || (plan.allNamespaces && namespaces.size > manyNamespaces);
    return everywhere ? [{ kind }] : [...namespaces].map(namespace => ({ kind, namespace }));
  });
}
