// A small cluster whose objects are freed: a patch takes its finalizers, and an object without any goes, unless a test says otherwise.
import type { Written } from '../../../src/cluster/contract.ts';
import type { Doors } from '../../../src/execute/doors.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import type { Ref } from '../../../src/model/ref.ts';
import { smallCluster } from './small-cluster.ts';

export interface Patched {
  readonly target: Ref;
  readonly to: 'patch' | 'finalize';
  readonly patch: Readonly<Record<string, unknown>>;
  /** Names of the objects whose removal was under way when this one was sent. */
  readonly underWay: readonly string[];
}

export interface FreeingCluster extends Doors {
  readonly objects: Map<string, ObjectMeta>;
  /** Every removal that was sent, in order. */
  readonly sent: Patched[];
}

/** Instead of the effect of a removal; undefined: the effect. */
export type Change = (sent: Patched, cluster: FreeingCluster) => Written | undefined;

export function freeingCluster(
  objects: readonly ObjectMeta[],
  answer: Change = () => undefined,
): FreeingCluster {
  const { objects: stored, read, write } = smallCluster(objects);
  const underWay: string[] = [];
  const send = async (one: Omit<Patched, 'underWay'>): Promise<Written> => {
    const sent = { ...one, underWay: [...underWay] };
    cluster.sent.push(sent);
    underWay.push(one.target.name);
    await Promise.resolve();
    underWay.splice(underWay.indexOf(one.target.name), 1);
    return answer(sent, cluster) ?? take(sent, stored);
  };
  const cluster: FreeingCluster = {
    objects: stored,
    sent: [],
    // nobody installed a webhook, unless a test says otherwise
    read: { ...read, readEvidence: () => Promise.resolve({ state: 'read', value: [] }) },
    write: {
      ...write,
      patchObject: (target, patch) => send({ target, to: 'patch', patch }),
      finalizeNamespace: target => send({ target, to: 'finalize', patch: {} }),
    },
  };
  return cluster;
}

function take({ target, patch }: Patched, stored: Map<string, ObjectMeta>): Written {
  const now = stored.get(target.uid);
  if (now === undefined) return { state: 'already-gone' };
  const { finalizers = [] } = (patch['metadata'] ?? {}) as { finalizers?: readonly string[] };
  if (finalizers.length === 0) stored.delete(target.uid);
  else stored.set(target.uid, { ...now, ref: { ...now.ref, resourceVersion: '99' }, finalizers });
  return { state: 'done' };
}
