// An object as the API sends it, as far as the fake looks into it.

export type Fields = Readonly<Record<string, unknown>>;

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  /** Only what a test writes into it: the fake keeps no record of who wrote what. */
  readonly managedFields?: readonly Fields[];
}

export interface RawObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly data?: Fields;
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const finalizersOf = ({ metadata }: RawObject): readonly string[] => metadata.finalizers ?? [];
export const ownersOf = ({ metadata }: RawObject): readonly OwnerReference[] =>
  metadata.ownerReferences ?? [];
export const isTerminating = ({ metadata }: RawObject): boolean => metadata.deletionTimestamp !== undefined;

/** A copy with other metadata; an empty list or undefined takes a field away, as the server does. */
export function withMetadata(
  object: RawObject,
  change: { readonly [K in keyof Metadata]?: Metadata[K] | undefined },
): RawObject {
  const kept = Object.entries({ ...object.metadata, ...change }).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return { ...object, metadata: Object.fromEntries(kept) as unknown as Metadata };
}
