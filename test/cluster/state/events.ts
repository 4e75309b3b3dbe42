// Events, as controllers and kubelets write them about an object.
import { type Admin, collection, type KubeObject } from '../admin.ts';
import { apiTime, type Moment, toDate } from './draft.ts';

export interface WantedEvent {
  readonly reason: string;
  readonly message: string;
  /** Warning if not said. */
  readonly type?: 'Warning' | 'Normal';
  /** When it was last seen; now if not said. */
  readonly seen?: Moment;
  readonly count?: number;
  /** Who says so. */
  readonly component?: string;
}

/** Those about objects of the cluster are in the namespace `default`. */
export const eventPath = (about: KubeObject, name?: string): string =>
  collection('v1', 'events', about.metadata.namespace ?? 'default') + (name === undefined ? '' : `/${name}`);

export function createEvent(admin: Admin, about: KubeObject, wanted: WantedEvent): Promise<KubeObject> {
  const { reason, message, type = 'Warning', seen = '0s', count = 1, component = 'test-controller' } = wanted;
  const { apiVersion, kind, metadata } = about;
  const { name, namespace, uid, resourceVersion } = metadata;
  const time = apiTime(toDate(seen));
  return admin.create(eventPath(about), {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${name}.`, namespace: namespace ?? 'default' },
    involvedObject: {
      apiVersion,
      kind,
      name,
      uid,
      resourceVersion,
      ...(namespace === undefined ? {} : { namespace }),
    },
    type,
    reason,
    message,
    count,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component },
  });
}
