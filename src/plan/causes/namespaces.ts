// A Namespace goes when what is in it is gone. Its conditions say what the namespace controller still sees, also of kinds that are
// no longer served and that nobody can list. spec.finalizers is the last resort: what is inside is then abandoned in storage.
// Source: pkg/controller/namespace/deletion (status_condition_utils.go has the wording of the conditions).
import type { Condition, NamespaceState } from '../../model/evidence.ts';
import type { Hold } from '../../model/hold.ts';
import { type Case, somethingElse } from './case.ts';

/** `widgets.example.com has 3 resource instances`; a dot ends the name of a core resource. */
const remaining = /([a-z0-9.-]+?)\.? has (\d+) resource instances/g;

export function diagnoseNamespace(at: Case): Hold[] {
  const { ref } = at.looked.object;
  const state = at.snapshot.evidence.namespaces.find(({ uid }) => uid === ref.uid);
  if (state === undefined)
    return [{ ...hold('kubernetes'), cause: 'contents-unknown', facts: { why: '' }, loss: 'data' }];
  return state.finalizers.map(finalizer => diagnoseContents(finalizer, state, at));
}

const hold = (finalizer: string) => ({ finalizer, where: 'spec', allowance: 'never', waitsFor: [] }) as const;

function diagnoseContents(finalizer: string, state: NamespaceState, { snapshot }: Case): Hold {
  const base = hold(finalizer);
  const inside = snapshot.inside.get(state.uid);
  const count = (inside?.counts ?? []).reduce((sum, { count: some }) => sum + some, 0);
  const told = remainingIn(state.conditions);
  const unserved = [...told.keys()].filter(resource => !snapshot.served.has(resource));
  if (unserved.length > 0)
    return { ...base, cause: 'contents-unserved', facts: { resources: unserved.join(', ') }, loss: 'data' };
  const failure = failureIn(state.conditions);
  if (count === 0 && (failure !== undefined || inside?.whole !== true))
    return { ...base, cause: 'contents-unknown', facts: { why: failure?.message ?? '' }, loss: 'data' };
  if (count === 0) return { ...base, cause: 'contents-gone', facts: {}, loss: 'nothing' };
  const stuck = inside?.stuck ?? [];
  const resources = (inside?.counts ?? []).map(({ resource, count: some }) => `${some} ${resource}`);
  return {
    ...base,
    cause: 'contents-remain',
    facts: { count, resources: resources.join(', '), stuck: stuck.length, why: failure?.message ?? '' },
    loss: 'data',
    waitsFor: stuck.length === count ? stuck : [...stuck, somethingElse],
  };
}

function remainingIn(conditions: readonly Condition[]): ReadonlyMap<string, number> {
  const content = conditions.find(
    ({ type, status }) => type === 'NamespaceContentRemaining' && status === 'True',
  );
  const found = [...(content?.message ?? '').matchAll(remaining)];
  return new Map(found.map(([, resource = '', some]) => [resource, Number(some)]));
}

const failureIn = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.find(({ type, status }) => /^NamespaceDeletion.*Failure$/.test(type) && status === 'True');
