// No finalizer holds it. A Pod waits for its kubelet: for one that does not answer, for ever.
import type { CauseCode, Hold } from '../../model/hold.ts';
import { label } from '../../model/ref.ts';
import { type Case, warningOf } from './case.ts';

export function diagnoseWithoutFinalizer(at: Case): Hold {
  const { looked, snapshot } = at;
  const hold = { finalizer: '', where: 'none', loss: 'outside', allowance: 'never', waitsFor: [] } as const;
  const warning = warningOf(at);
  const warned = warning === undefined ? {} : { warning: `${warning.reason}: ${warning.message}` };
  if (looked.as !== 'pod' || looked.object.node === undefined)
    return { ...hold, cause: 'nothing-holds', facts: warned };
  const { node, ref } = looked.object;
  const state = snapshot.evidence.nodes.get(node);
  const causes: Record<string, CauseCode> = {
    ready: 'node-works',
    silent: 'node-silent',
    absent: 'node-silent',
  };
  const facts = { node, state: state ?? '', pod: label(ref), namespace: ref.namespace ?? '', ...warned };
  return { ...hold, cause: causes[state ?? ''] ?? 'node-unknown', facts };
}
