// What every object of a test may be given: name, owner, labels, annotations, finalizers; and how long ago something was.

import { apiTime, at } from '../../support/time.ts';
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

/** A moment: a Date, or how long ago it was: `90s`, `5m`, `2h`, `40d`. */
export type Moment = Date | string;

export const toDate = (moment: Moment): Date =>
  moment instanceof Date ? moment : at(`${moment} ago`, new Date());

export { apiTime };

/** A Pod's spec with one container that nothing will ever run. */
export const podSpec = (more: Fields = {}): Fields => ({
  restartPolicy: 'Never',
  containers: [{ name: 'main', image: 'registry.example/none:1' }],
  ...more,
});
