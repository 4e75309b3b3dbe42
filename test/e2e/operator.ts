// The user that scenarios run as: no member of system:masters, which is exempt from priority and fairness and may do everything.
import type { TestContext } from 'node:test';
import type { ControlPlane } from '../cluster/control-plane.ts';
import { aNamespace } from '../cluster/shared.ts';
import { createNode, nodePath } from '../cluster/state/nodes.ts';
import { allowEverywhere, allowIn, type Rule } from '../cluster/state/roles.ts';
import { type Session, session } from './kubectl-jobctl.ts';

/** What the README says that `delete` and `prune` need, and the reads that make the preview whole. */
export const operatorRules: readonly Rule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'delete'] },
];

export interface Place extends Session {
  readonly namespace: string;
  readonly user: string;
  readonly kubeconfig: string;
}

/** A namespace of the test's own, and an operator in it. `rules` instead of the usual ones; `everywhere`: a ClusterRole. */
export async function aPlace(
  t: TestContext,
  plane: ControlPlane,
  how: { readonly rules?: readonly Rule[]; readonly everywhere?: boolean } = {},
): Promise<Place> {
  const namespace = await aNamespace(t, plane);
  const user = `operator-${namespace}`;
  const allowed = { user, rules: how.rules ?? operatorRules };
  await (how.everywhere === true
    ? allowEverywhere(plane.admin, allowed)
    : allowIn(plane.admin, namespace, allowed));
  const kubeconfig = plane.kubeconfigFor({ user, namespace });
  return { namespace, user, kubeconfig, ...session(plane, kubeconfig) };
}

/** A node for the Pods of one test, without a kubelet: their end is played by the test. `Unknown`: one that does not answer. */
export async function aNode(
  t: TestContext,
  { admin }: ControlPlane,
  namespace: string,
  ready: 'True' | 'Unknown' = 'True',
): Promise<string> {
  const name = `node-${namespace}`;
  await createNode(admin, { name, ready });
  t.after(() => admin.delete(nodePath(name)));
  return name;
}
