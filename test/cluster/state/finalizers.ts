// Objects that will not go: held by a finalizer nobody works on.
import { type Admin, collection, type KubeObject } from '../admin.ts';
import { until } from '../until.ts';
import { metadataOf, type Wanted } from './draft.ts';

export const configMapPath = (namespace: string, name?: string): string =>
  collection('v1', 'configmaps', namespace) + (name === undefined ? '' : `/${name}`);

/** The simplest object that can be owned, labelled or held. */
export const createConfigMap = (admin: Admin, wanted: Wanted): Promise<KubeObject> =>
  admin.create(configMapPath(wanted.namespace), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(wanted),
  });

/** Emptied, as after a test: the object goes if it was deleted. */
export const releaseObject = async (admin: Admin, path: string): Promise<void> => {
  if (await admin.find(path)) await admin.patch(path, { metadata: { finalizers: null } });
};

export const untilGone = (admin: Admin, path: string, deadlineMs = 30_000): Promise<true> =>
  until(`${path} to be gone`, deadlineMs, async () => (await admin.find(path)) === undefined);
