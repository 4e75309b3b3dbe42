// Rules written in CEL that the apiserver itself enforces: ValidatingAdmissionPolicies with their bindings.
import type { TestContext } from 'node:test';
import { type Admin, collection, type Fields, type KubeObject } from '../admin.ts';
import { namespaceSelector, type Probe, type Scope, untilInForce } from './admission.ts';

export interface WantedPolicy extends Scope {
  /** `['UPDATE']` if not said. */
  readonly operations?: readonly string[];
  /** The core group if not said. */
  readonly apiGroup?: string;
  /** `configmaps` */
  readonly resource: string;
  /** CEL that has to be true; a write for which it is false is refused. */
  readonly expression: string;
  readonly message: string;
  /** The status's reason, which decides the code: Invalid is 422, Forbidden 403. `Invalid` if not said, as on the server. */
  readonly reason?: 'Invalid' | 'Forbidden' | 'Unauthorized' | 'RequestEntityTooLarge';
  /** For everybody if not said. */
  readonly onlyFor?: { readonly user: string } | { readonly group: string };
  /** Has to be refused: with `onlyFor`, `by` is one of those. */
  readonly probe: Probe;
}

export interface Policy {
  readonly policy: KubeObject;
  readonly binding: KubeObject;
  readonly policyPath: string;
  readonly bindingPath: string;
}

const apiVersion = 'admissionregistration.k8s.io/v1';
const policies = collection(apiVersion, 'validatingadmissionpolicies');
const bindings = collection(apiVersion, 'validatingadmissionpolicybindings');

function matchConditions(onlyFor: WantedPolicy['onlyFor']): readonly Fields[] {
  if (onlyFor === undefined) return [];
  const expression =
    'user' in onlyFor
      ? `request.userInfo.username == ${JSON.stringify(onlyFor.user)}`
      : `${JSON.stringify(onlyFor.group)} in request.userInfo.groups`;
  return [{ name: 'only-for', expression }];
}

function policySpec(wanted: WantedPolicy): Fields {
  const { operations = ['UPDATE'], apiGroup = '', resource, expression, message, reason } = wanted;
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      namespaceSelector: namespaceSelector(wanted),
      resourceRules: [{ operations, apiGroups: [apiGroup], apiVersions: ['*'], resources: [resource] }],
    },
    matchConditions: matchConditions(wanted.onlyFor),
    validations: [{ expression, message, ...(reason === undefined ? {} : { reason }) }],
  };
}

/** Answers once it refuses; removed after the test. The binding has the policy's name with `-binding`. */
export async function createPolicy(t: TestContext, admin: Admin, wanted: WantedPolicy): Promise<Policy> {
  const { name, probe } = wanted;
  const [policyPath, bindingPath] = [`${policies}/${name}`, `${bindings}/${name}-binding`];
  t.after(async () => {
    // The test may have ended the server.
    for (const path of [bindingPath, policyPath]) await admin.delete(path).catch(() => undefined);
  });
  const policy = await admin.create(policies, {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: policySpec(wanted),
  });
  const binding = await admin.create(bindings, {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: `${name}-binding` },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  await untilInForce(admin, name, probe);
  return { policy, binding, policyPath, bindingPath };
}
