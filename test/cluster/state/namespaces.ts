// Namespaces that stay Terminating.
import type { Admin, KubeObject } from '../admin.ts';
import { until } from '../until.ts';
import { metadataOf, type Wanted } from './draft.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export const namespacePath = (name: string): string => `/api/v1/namespaces/${name}`;

/** Of the test's own making, with finalizers in its metadata if wanted; the test has to remove it. */
export const createNamespace = (
  admin: Admin,
  wanted: Pick<Wanted, 'name' | 'labels' | 'annotations' | 'finalizers'>,
): Promise<KubeObject> =>
  admin.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: metadataOf(wanted),
  });

/** Pods can be made in it from then on. */
export const untilServiceAccount = (admin: Admin, namespace: string): Promise<KubeObject> =>
  until(`service account default in namespace ${namespace}`, 60_000, () =>
    admin.find(`${namespacePath(namespace)}/serviceaccounts/default`),
  );

export const namespaceConditions = (namespace: KubeObject): readonly Condition[] =>
  (namespace.status?.['conditions'] ?? []) as readonly Condition[];

const isTrue = (namespace: KubeObject, type: string): boolean =>
  namespaceConditions(namespace).some(condition => condition.type === type && condition.status === 'True');

async function deleteUntil(
  admin: Admin,
  name: string,
  what: string,
  isSo: (namespace: KubeObject) => boolean,
): Promise<KubeObject> {
  const path = namespacePath(name);
  await admin.delete(path);
  return until(`namespace ${name} ${what}`, 60_000, async () => {
    const namespace = await admin.get(path);
    return isSo(namespace) && namespace;
  });
}

/** Deletes a namespace with something in it that a finalizer holds; answers once its conditions say so. */
export const deleteHeldNamespace = (admin: Admin, name: string): Promise<KubeObject> =>
  deleteUntil(
    admin,
    name,
    'to say what remains',
    namespace =>
      isTrue(namespace, 'NamespaceContentRemaining') && isTrue(namespace, 'NamespaceFinalizersRemaining'),
  );

/** Deletes a namespace that a finalizer of its own holds; answers once it is empty and only that is left. */
export const deleteEmptyNamespace = (admin: Admin, name: string): Promise<KubeObject> =>
  deleteUntil(
    admin,
    name,
    'to be empty',
    ({ spec }) => ((spec?.['finalizers'] ?? []) as readonly string[]).length === 0,
  );
