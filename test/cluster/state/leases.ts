// Leases: how a controller with leader election shows that it is there.
import { type Admin, collection, type KubeObject } from '../admin.ts';
import { type Moment, metadataOf, toDate, type Wanted } from './draft.ts';

export interface WantedLease extends Wanted {
  /** `widget-operator-7d9f_8b0c`, a Pod's name most often; without it nobody holds the lease. */
  readonly holder?: string;
  /** When its holder was last seen. */
  readonly renewed: Moment;
  /** How long a holder counts as alive without being seen; 15 if not said. */
  readonly seconds?: number;
}

export const leasePath = (namespace: string, name?: string): string =>
  collection('coordination.k8s.io/v1', 'leases', namespace) + (name === undefined ? '' : `/${name}`);

/** The server wants all six digits. */
export const microTime = (date: Date): string => date.toISOString().replace('Z', '000Z');

export function createLease(admin: Admin, wanted: WantedLease): Promise<KubeObject> {
  const { holder, renewed, seconds = 15 } = wanted;
  const time = microTime(toDate(renewed));
  return admin.create(leasePath(wanted.namespace), {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: metadataOf(wanted),
    spec: {
      ...(holder === undefined ? {} : { holderIdentity: holder }),
      leaseDurationSeconds: seconds,
      acquireTime: time,
      renewTime: time,
    },
  });
}
