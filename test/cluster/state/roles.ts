// What a user may do. A user that a test made up may do nothing until it is allowed here.
import { type Admin, collection } from '../admin.ts';

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Allowed {
  readonly user: string;
  readonly rules: readonly Rule[];
  /** The role's name; the user's if not said. */
  readonly name?: string;
}

const rbac = 'rbac.authorization.k8s.io';

async function allow(admin: Admin, { user, rules, name = user }: Allowed, namespace?: string): Promise<void> {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const apiVersion = `${rbac}/v1`;
  await admin.create(collection(apiVersion, `${kind.toLowerCase()}s`, namespace), {
    apiVersion,
    kind,
    metadata: { name },
    rules,
  });
  await admin.create(collection(apiVersion, `${kind.toLowerCase()}bindings`, namespace), {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name },
    roleRef: { apiGroup: rbac, kind, name },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  });
}

/** A Role and its RoleBinding. */
export const allowIn = (admin: Admin, namespace: string, allowed: Allowed): Promise<void> =>
  allow(admin, allowed, namespace);

/** What `allowEverywhere` made for this name. */
export const clusterRolePaths = (name: string): readonly string[] =>
  ['clusterrolebindings', 'clusterroles'].map(plural => `${collection(`${rbac}/v1`, plural)}/${name}`);

/** A ClusterRole and its ClusterRoleBinding; they outlive the test's namespace, so the names must be its own. */
export const allowEverywhere = (admin: Admin, allowed: Allowed): Promise<void> => allow(admin, allowed);
