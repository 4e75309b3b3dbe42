// What a test may do to the contents of the fake behind the back of whoever talks to it, and what it may look at.
import { randomUUID } from 'node:crypto';
import { apiTime } from '../time.ts';
import { isHeld } from './delete.ts';
import { deadService } from './discovery.ts';
import type { ServedKind } from './kinds.ts';
import { type LogOf, logKey } from './logs.ts';
import { fieldsOf, isTerminating, type RawObject, withMetadata } from './object.ts';
import type { Rights } from './rights.ts';
import type { Cluster } from './routes.ts';
import type { Stored } from './store.ts';

/** What a builder of world.ts is, or what was written by hand. */
export type Made = RawObject | { build(): RawObject; readonly padding: number };

export class Contents {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster, podsEndAfterMs: number | undefined) {
    this.#cluster = cluster;
    if (podsEndAfterMs === undefined) return;
    cluster.store.onChange((stored, isGone) => {
      if (
        isGone ||
        stored.kind.kind !== 'Pod' ||
        (stored.object.metadata.deletionGracePeriodSeconds ?? 0) === 0
      )
        return;
      // unref: a Pod that is still terminating must not keep the tests alive
      setTimeout(() => this.#end(stored.object.metadata.uid ?? ''), podsEndAfterMs).unref();
    });
  }

  get rights(): Rights {
    return this.#cluster.rights;
  }

  /** The server's clock. */
  now(): Date {
    return this.#cluster.now();
  }

  add(...made: readonly Made[]): RawObject[] {
    return made.map(one => this.#put(one).object);
  }

  #put(made: Made): Stored {
    const [raw, padding] = 'build' in made ? [made.build(), made.padding] : [made, 0];
    const kind = this.#kindOf(raw);
    const { namespace } = raw.metadata;
    if (namespace !== undefined && this.get('namespaces', undefined, namespace) === undefined) {
      this.add({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace },
        status: { phase: 'Active' },
      });
    }
    const defaults = { creationTimestamp: apiTime(this.now()), generation: 1 };
    const object = withMetadata(raw, { ...defaults, ...raw.metadata });
    return this.#cluster.store.put({ kind, object, padding });
  }

  #kindOf({ apiVersion, kind }: RawObject): ServedKind {
    const found = this.#cluster.kinds.find(
      one =>
        one.kind === kind && (one.group === '' ? one.version : `${one.group}/${one.version}`) === apiVersion,
    );
    if (found === undefined)
      throw new Error(`the fake serves no ${kind} of ${apiVersion}; add it with addKind(aKind(…))`);
    return found;
  }

  #served(resource: string): ServedKind {
    const found = this.#cluster.kinds.find(one => one.resource === resource);
    if (found === undefined) throw new Error(`the fake serves no ${resource}`);
    return found;
  }

  get(resource: string, namespace: string | undefined, name: string): RawObject | undefined {
    return this.#cluster.store.get(this.#served(resource), namespace, name)?.object;
  }

  list(resource: string, namespace?: string): RawObject[] {
    return this.#cluster.store.list(this.#served(resource), namespace).map(({ object }) => object);
  }

  names(resource: string, namespace?: string): string[] {
    return this.list(resource, namespace).map(({ metadata }) => metadata.name);
  }

  /** Another client writes. */
  update(
    resource: string,
    namespace: string | undefined,
    name: string,
    change: (object: RawObject) => RawObject,
  ): void {
    const stored = this.#cluster.store.get(this.#served(resource), namespace, name);
    if (stored === undefined) throw new Error(`there is no ${resource} ${name}`);
    const object = change(stored.object);
    if (isTerminating(object) && !isHeld(object)) this.#cluster.store.remove({ ...stored, object });
    else this.#cluster.store.put({ ...stored, object });
  }

  /** Gone, finalizers or not. */
  remove(resource: string, namespace: string | undefined, name: string): void {
    const stored = this.#cluster.store.get(this.#served(resource), namespace, name);
    if (stored !== undefined) this.#cluster.store.remove(stored);
  }

  /** The kubelet is done with a terminating Pod: it goes, unless a finalizer holds it. */
  endPod(namespace: string, name: string): void {
    this.#end(this.get('pods', namespace, name)?.metadata.uid ?? '');
  }

  endPods(): void {
    for (const { metadata } of this.list('pods')) this.#end(metadata.uid ?? '');
  }

  #end(uid: string): void {
    const stored = this.#cluster.store.byUid(uid);
    if (stored === undefined || !isTerminating(stored.object)) return;
    const { name, namespace } = stored.object.metadata;
    this.update('pods', namespace, name, object => ({
      ...withMetadata(object, { deletionGracePeriodSeconds: 0 }),
      status: { ...fieldsOf(object.status), phase: 'Failed', containerStatuses: [] },
    }));
  }

  /** What a container wrote; without it, nothing. */
  writeLog(of: LogOf, text: string): void {
    this.#cluster.logs.set(logKey(of), text);
  }

  /** D12: lists show it, a GET or DELETE of it says that it does not exist. */
  ghost(...made: readonly Made[]): void {
    for (const one of made) this.#cluster.ghosts.add(this.#put(one).object.metadata.uid ?? '');
  }

  /** D11: a controller makes it again, under the same name, as soon as it is gone. */
  recreate(...made: readonly RawObject[]): void {
    for (const { metadata } of made) {
      this.#cluster.store.onChange((stored, isGone) => {
        if (!isGone || stored.object.metadata.uid !== metadata.uid) return;
        const unset = {
          uid: randomUUID(),
          deletionTimestamp: undefined,
          deletionGracePeriodSeconds: undefined,
        };
        this.#put(
          withMetadata(stored.object, {
            ...unset,
            finalizers: metadata.finalizers,
            creationTimestamp: apiTime(this.now()),
          }),
        );
      });
    }
  }

  addKind(...kinds: readonly ServedKind[]): void {
    this.#cluster.kinds.push(...kinds);
  }

  /** D17: discovery says Stale, its addresses answer 503, its APIService is not Available. */
  silence(group: string, version: string): void {
    this.#cluster.silentGroups.push({ group, version });
    this.add(deadService({ group, version }));
  }

  /** Every continue token given so far is answered with 410. */
  expireTokens(): void {
    this.#cluster.lists.expireTokens();
  }
}
