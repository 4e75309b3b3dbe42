// What the fake cluster contains. A stored object is never changed, only replaced, so that a page of a list can remember it.
import { randomUUID } from 'node:crypto';
import type { ServedKind } from './kinds.ts';
import { ownersOf, type RawObject, withMetadata } from './object.ts';

export interface Stored {
  readonly kind: ServedKind;
  readonly object: RawObject;
  /** Bytes that are added each time it is written out, so that thousands of big objects need no memory. */
  readonly padding: number;
}

const keyOf = ({ metadata }: RawObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
const uidOf = ({ object }: Stored): string => object.metadata.uid ?? '';

export class Store {
  #version = 1000;
  readonly #collections = new Map<ServedKind, Map<string, Stored>>();
  readonly #byUid = new Map<string, Stored>();
  readonly #dependents = new Map<string, Set<string>>();
  readonly #onChange: ((stored: Stored, isGone: boolean) => void)[] = [];

  get version(): number {
    return this.#version;
  }

  /** Told of every change, after it was made. */
  onChange(listener: (stored: Stored, isGone: boolean) => void): void {
    this.#onChange.push(listener);
  }

  #collection(kind: ServedKind): Map<string, Stored> {
    const known = this.#collections.get(kind);
    if (known !== undefined) return known;
    const collection = new Map<string, Stored>();
    this.#collections.set(kind, collection);
    return collection;
  }

  get(kind: ServedKind, namespace: string | undefined, name: string): Stored | undefined {
    return this.#collection(kind).get(`${namespace ?? ''}/${name}`);
  }

  byUid(uid: string): Stored | undefined {
    return this.#byUid.get(uid);
  }

  /** In the order of their keys, as etcd gives them. */
  list(kind: ServedKind, namespace?: string): Stored[] {
    const entries = [...this.#collection(kind)];
    const within =
      namespace === undefined ? entries : entries.filter(([key]) => key.startsWith(`${namespace}/`));
    return within.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, stored]) => stored);
  }

  everything(): Stored[] {
    return [...this.#byUid.values()];
  }

  dependentsOf(uid: string): Stored[] {
    const uids = [...(this.#dependents.get(uid) ?? [])];
    return uids.flatMap(dependent => this.#byUid.get(dependent) ?? []);
  }

  /** Writes it with the next resourceVersion; a new object gets a uid if it has none. */
  put(stored: Stored): Stored {
    this.#version += 1;
    const { metadata } = stored.object;
    const made = {
      ...stored,
      object: withMetadata(stored.object, {
        uid: metadata.uid ?? randomUUID(),
        resourceVersion: String(this.#version),
      }),
    };
    const before = this.#byUid.get(uidOf(made));
    if (before !== undefined) this.#forgetOwners(before);
    for (const { uid } of ownersOf(made.object)) {
      const known = this.#dependents.get(uid);
      if (known === undefined) this.#dependents.set(uid, new Set([uidOf(made)]));
      else known.add(uidOf(made));
    }
    this.#collection(made.kind).set(keyOf(made.object), made);
    this.#byUid.set(uidOf(made), made);
    this.#tell(made, false);
    return made;
  }

  remove(stored: Stored): void {
    this.#version += 1;
    this.#collection(stored.kind).delete(keyOf(stored.object));
    this.#byUid.delete(uidOf(stored));
    this.#forgetOwners(stored);
    this.#tell(stored, true);
  }

  #forgetOwners(stored: Stored): void {
    for (const { uid } of ownersOf(stored.object)) this.#dependents.get(uid)?.delete(uidOf(stored));
  }

  #tell(stored: Stored, isGone: boolean): void {
    for (const listener of this.#onChange) listener(stored, isGone);
  }
}
