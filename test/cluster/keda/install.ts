// What an installation of KEDA makes in a cluster before its operator starts: definitions, a namespace, rights.
import { type Admin, collection, type KubeObject } from '../admin.ts';
import type { ControlPlane } from '../control-plane.ts';
import { allowEverywhere, allowIn, clusterRolePaths, type Rule } from '../state/roles.ts';
import { until } from '../until.ts';
import { kedaManifests } from './module.ts';

export const kedaNamespace = 'keda';
/** No member of system:masters: what it may do stands in the ClusterRole of the same name. */
export const kedaUser = 'keda-operator';

/** Once for a control plane. */
export async function installKeda({ admin }: ControlPlane): Promise<void> {
  const { definitions, rules } = await kedaManifests();
  for (const definition of definitions)
    await admin.create(collection('apiextensions.k8s.io/v1', 'customresourcedefinitions'), definition);
  await admin.create(collection('v1', 'namespaces'), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: kedaNamespace },
  });
  await allowEverywhere(admin, { user: kedaUser, rules: rules.everywhere });
  await allowIn(admin, kedaNamespace, { user: kedaUser, rules: rules.inside });
  await until('the definitions of KEDA to be served', 30_000, async () => {
    await admin.list(collection('keda.sh/v1alpha1', 'scaledjobs'));
    return true;
  });
}

function without(rule: Rule, resource: string, verbs: readonly string[]): readonly Rule[] {
  if (!rule.resources.includes(resource)) return [rule];
  const others = rule.resources.filter(other => other !== resource);
  const left = rule.verbs.filter(verb => !verbs.includes(verb));
  return [
    { ...rule, resources: others },
    { ...rule, resources: [resource], verbs: left },
  ];
}

async function noneAllowed(admin: Admin, resource: string, verbs: readonly string[]): Promise<boolean> {
  const reviews = verbs.map(verb =>
    admin.create(collection('authorization.k8s.io/v1', 'subjectaccessreviews'), {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: { user: kedaUser, resourceAttributes: { group: 'keda.sh', resource, verb } },
    }),
  );
  return (await Promise.all(reviews)).every(review => review.status?.['allowed'] === false);
}

/** From now on the operator may not do this with a resource of KEDA's own group; answers how to give it back. */
export async function forbidKeda(
  admin: Admin,
  resource: string,
  verbs: readonly string[],
): Promise<() => Promise<unknown>> {
  const role = clusterRolePaths(kedaUser)[1] ?? '';
  const { rules } = (await admin.get(role)) as KubeObject & { readonly rules: readonly Rule[] };
  await admin.patch(role, { rules: rules.flatMap(rule => without(rule, resource, verbs)) });
  await until(`KEDA to be forbidden to ${verbs} ${resource}`, 10_000, () =>
    noneAllowed(admin, resource, verbs),
  );
  return () => admin.patch(role, { rules });
}
