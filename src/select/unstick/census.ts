// Sees every object of a scan once: keeps what is terminating and what is owned, and counts the rest where it is.
import { resourceName } from '../../model/kind.ts';
import { isTerminating, type ObjectMeta } from '../../model/object.ts';
import type { UnstickSnapshot } from '../../model/unstick-snapshot.ts';

export class Census {
  readonly #named: ReadonlySet<string>;
  /** A list that had to start again shows its objects twice, and some objects are served by two groups. */
  readonly #seen = new Set<string>();
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #live = new Map<string, UnstickSnapshot['liveWith'][number]>();

  /** `finalizers`: those that were named; live objects that carry one will be held by it later. */
  constructor(finalizers: readonly string[]) {
    this.#named = new Set(finalizers);
  }

  readonly keep = (object: ObjectMeta): boolean => {
    if (!this.#seen.has(object.ref.uid)) this.#count(object);
    this.#seen.add(object.ref.uid);
    return isTerminating(object) || object.owners.length > 0;
  };

  #count(object: ObjectMeta): void {
    const place = object.ref.namespace ?? '';
    const inPlace = this.#counts.get(place) ?? new Map<string, number>();
    const resource = resourceName(object.ref.kind);
    inPlace.set(resource, (inPlace.get(resource) ?? 0) + 1);
    this.#counts.set(place, inPlace);
    if (!isTerminating(object)) this.#countLive(object, resource);
  }

  #countLive(object: ObjectMeta, resource: string): void {
    for (const finalizer of object.finalizers) {
      if (!this.#named.has(finalizer)) continue;
      const key = `${resource} ${finalizer}`;
      const count = (this.#live.get(key)?.count ?? 0) + 1;
      this.#live.set(key, { resource, finalizer, count });
    }
  }

  get liveWith(): UnstickSnapshot['liveWith'] {
    return [...this.#live.values()];
  }

  /** What is in a namespace, by resource. */
  inNamespace(name: string): { resource: string; count: number }[] {
    return [...(this.#counts.get(name) ?? [])]
      .map(([resource, count]) => ({ resource, count }))
      .sort(byResource);
  }

  /** How many of one resource there are, wherever. */
  ofResource(resource: string): number {
    return [...this.#counts.values()].reduce((sum, inPlace) => sum + (inPlace.get(resource) ?? 0), 0);
  }
}

const byResource = (a: { resource: string }, b: { resource: string }): number =>
  a.resource < b.resource ? -1 : 1;
