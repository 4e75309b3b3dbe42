// What every object of a test may be given: name, owner, labels, annotations, finalizers; and how long ago something was.
import type { Fields, KubeObject } from '../admin.ts';

export interface Wanted {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  /** Becomes the controlling owner. */
  readonly owner?: KubeObject;
  /** Instead of `owner`, exactly as they are to be. */
  readonly ownerReferences?: readonly Fields[];
}

export function ownerReference(owner: KubeObject, more: Fields = {}): Fields {
  const { apiVersion, kind, metadata } = owner;
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true, ...more };
}

export function metadataOf(wanted: Omit<Wanted, 'namespace'> & { readonly namespace?: string }): Fields {
  const { name, namespace, labels, annotations, finalizers, owner } = wanted;
  const owners = wanted.ownerReferences ?? (owner === undefined ? undefined : [ownerReference(owner)]);
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(finalizers === undefined ? {} : { finalizers }),
    ...(owners === undefined ? {} : { ownerReferences: owners }),
  };
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A moment: a Date, or how long ago it was: `90s`, `5m`, `2h`, `40d`. */
export type Moment = Date | string;

export function toDate(moment: Moment): Date {
  if (moment instanceof Date) return moment;
  const [, count, unit] = /^(\d+)([smhd])$/.exec(moment) ?? [];
  if (count === undefined || unit === undefined)
    throw new Error(`"${moment}" is no age; write 90s, 5m, 2h or 40d`);
  return new Date(Date.now() - Number(count) * unitMs[unit as keyof typeof unitMs]);
}

/** As the API writes times: without fractions of a second. */
export const apiTime = (date: Date): string => date.toISOString().replace(/\.\d+Z$/, 'Z');

/** A Pod's spec with one container that nothing will ever run. */
export const podSpec = (more: Fields = {}): Fields => ({
  restartPolicy: 'Never',
  containers: [{ name: 'main', image: 'registry.example/none:1' }],
  ...more,
});
