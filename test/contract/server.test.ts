// The same questions, asked of a real control plane.
import { aNamespace, sharedControlPlane } from '../cluster/shared.ts';
import { createDefinition } from '../cluster/state/custom-resources.ts';
import { createNode, nodePath } from '../cluster/state/nodes.ts';
import { allowEverywhere, allowIn, clusterRolePaths } from '../cluster/state/roles.ts';
import { askEverything } from './cluster.contract.ts';

const plane = await sharedControlPlane();
const { admin } = plane;
const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'delete', 'patch'] }];

askEverything(async t => {
  const namespace = await aNamespace(t, plane);
  const user = `operator-${namespace}`;
  await allowEverywhere(admin, { user, rules: everything });
  // cluster-scoped objects do not go with the namespace
  const removing = (...paths: readonly string[]) =>
    t.after(async () => {
      for (const path of paths) await admin.delete(path).catch(() => undefined);
    });
  removing(...clusterRolePaths(user));
  return {
    namespace,
    admin,
    kubeconfig: plane.kubeconfigFor({ user, namespace }),
    ordinaryUser: async rules => {
      const ordinary = `ordinary-${namespace}`;
      await allowIn(admin, namespace, { user: ordinary, rules });
      return plane.kubeconfigFor({ user: ordinary, namespace });
    },
    node: async () => {
      const name = `node-${namespace}`;
      removing(nodePath(name));
      return (await createNode(admin, { name })).metadata.name;
    },
    customKind: async () => {
      const group = `${namespace}.example.test`;
      const names = { group, kind: 'Widget', plural: 'widgets', shortNames: ['wdg'] };
      removing((await createDefinition(admin, names)).path);
      return group;
    },
    deprecatedKind: async () => undefined,
  };
});
