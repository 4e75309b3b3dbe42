// `customresourcecleanup.apiextensions.k8s.io`: the API server's own. Stripped, the custom resources stay in storage, where a new
// definition of the same name finds them again. What is stuck are the custom resources.
// Source: apiextensions-apiserver pkg/controller/finalizer.
import { isDefinitionKind } from '../../model/kind.ts';
import { type Diagnosis, somethingElse } from './case.ts';

export const diagnoseDefinition: Diagnosis = (finalizer, { looked, snapshot }) => {
  const { ref } = looked.object;
  if (finalizer !== 'customresourcecleanup.apiextensions.k8s.io' || !isDefinitionKind(ref.kind))
    return undefined;
  const hold = { finalizer, where: 'metadata' } as const;
  const inside = snapshot.inside.get(ref.uid);
  const count = (inside?.counts ?? []).reduce((sum, { count: some }) => sum + some, 0);
  if (inside === undefined || (count === 0 && !inside.whole))
    return { ...hold, cause: 'instances-unknown', facts: {}, loss: 'data', allowance: 'never', waitsFor: [] };
  if (count === 0)
    return {
      ...hold,
      cause: 'instances-gone',
      facts: {},
      loss: 'nothing',
      allowance: 'if-named',
      waitsFor: [],
    };
  return {
    ...hold,
    cause: 'instances-remain',
    facts: { count, stuck: inside.stuck.length, name: ref.name },
    loss: 'data',
    allowance: 'never',
    waitsFor: inside.stuck.length === count ? inside.stuck : [...inside.stuck, somethingElse],
  };
};
