// What every builder of world.ts can do: metadata. Each call answers the builder itself; `build` makes the object.
import { createHash } from 'node:crypto';
import type { Fields, OwnerReference, RawObject } from './fake/object.ts';
import { apiTime, at } from './time.ts';

/** Where objects live unless a test says otherwise: the namespace of the fake's context. */
const standardNamespace = 'batch';

/** The same for the same object in every run, in the form of a real one. */
function uidOf(kind: string, namespace: string | undefined, name: string): string {
  const hex = createHash('sha1').update(`${kind}/${namespace}/${name}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Kinds without a namespace, among those that the fake knows. */
const clusterWide = new Set([
  'APIService',
  'ClusterRole',
  'CustomResourceDefinition',
  'MutatingWebhookConfiguration',
  'Namespace',
  'Node',
  'PersistentVolume',
  'ValidatingWebhookConfiguration',
  'VolumeAttachment',
]);

interface Owned {
  readonly owner: ObjectBuilder;
  readonly more: Partial<OwnerReference>;
}

export class ObjectBuilder {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  padding = 0;
  protected spec: Fields | undefined;
  protected status: Fields | undefined;
  protected labels: Readonly<Record<string, string>> = {};
  #namespace: string | undefined;
  #uid: string | undefined;
  #created = '40d ago';
  #annotations: Readonly<Record<string, string>> = {};
  #finalizers: readonly string[] = [];
  #deleting: { readonly since: string; readonly graceSeconds: number } | undefined;
  readonly #owners: (Owned | OwnerReference)[] = [];

  constructor(apiVersion: string, kind: string, name: string) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.name = name;
  }

  in(namespace: string): this {
    this.#namespace = namespace;
    return this;
  }

  /** Instead of the one made from kind, namespace and name: a second life of the same name. */
  withUid(uid: string): this {
    this.#uid = uid;
    return this;
  }

  /** Several calls, several owners. The reference is one of a controller that blocks its owner, unless `more` says otherwise. */
  ownedBy(owner: ObjectBuilder, more: Partial<OwnerReference> = {}): this {
    this.#owners.push({ owner, more });
    return this;
  }

  /** A reference written by hand: to what does not exist, or in a version that is no longer served. */
  ownedByReference(reference: OwnerReference): this {
    this.#owners.push(reference);
    return this;
  }

  labelled(labels: Readonly<Record<string, string>>): this {
    this.labels = { ...this.labels, ...labels };
    return this;
  }

  annotated(annotations: Readonly<Record<string, string>>): this {
    this.#annotations = { ...this.#annotations, ...annotations };
    return this;
  }

  finalizers(names: readonly string[]): this {
    this.#finalizers = names;
    return this;
  }

  created(moment: string): this {
    this.#created = moment;
    return this;
  }

  /** The delete was accepted then; the server writes the end of the grace period into deletionTimestamp. */
  deletingSince(since: string, graceSeconds = 0): this {
    this.#deleting = { since, graceSeconds };
    return this;
  }

  /** Merged into what is there, one level deep. */
  withSpec(fields: Fields): this {
    this.spec = { ...this.spec, ...fields };
    return this;
  }

  withStatus(fields: Fields): this {
    this.status = { ...this.status, ...fields };
    return this;
  }

  /** So many bytes more, each time it is sent. */
  padded(bytes: number): this {
    this.padding = bytes;
    return this;
  }

  /** Cluster-scoped kinds have none. */
  get namespace(): string | undefined {
    return clusterWide.has(this.kind) ? undefined : (this.#namespace ?? standardNamespace);
  }

  get uid(): string {
    return this.#uid ?? uidOf(this.kind, this.namespace, this.name);
  }

  /** An owner that was not put anywhere is where its dependent is. */
  #reference({ owner, more }: Owned): OwnerReference {
    const { apiVersion, kind, name } = owner;
    const namespace = owner.#namespace ?? this.namespace;
    const uid = owner.#uid ?? uidOf(kind, clusterWide.has(kind) ? undefined : namespace, name);
    return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true, ...more };
  }

  build(): RawObject {
    const { apiVersion, kind, name, namespace, uid } = this;
    const owners = this.#owners.map(one => ('owner' in one ? this.#reference(one) : one));
    return {
      apiVersion,
      kind,
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        uid,
        generation: 1,
        creationTimestamp: apiTime(at(this.#created)),
        ...this.#deletion(),
        ...given('labels', this.labels),
        ...given('annotations', this.#annotations),
        ...(owners.length === 0 ? {} : { ownerReferences: owners }),
        ...(this.#finalizers.length === 0 ? {} : { finalizers: this.#finalizers }),
      },
      ...(this.spec === undefined ? {} : { spec: this.spec }),
      ...(this.status === undefined ? {} : { status: this.status }),
    };
  }

  #deletion() {
    if (this.#deleting === undefined) return {};
    const { since, graceSeconds } = this.#deleting;
    const end = new Date(at(since).getTime() + graceSeconds * 1000);
    return { deletionTimestamp: apiTime(end), deletionGracePeriodSeconds: graceSeconds };
  }
}

const given = (key: string, texts: Readonly<Record<string, string>>) =>
  Object.keys(texts).length === 0 ? {} : { [key]: texts };
