// Claims and volumes. A claim is protected while any Pod refers to it, finished ones too; a volume while it is bound or attached.
// Source: pkg/controller/volume/pvcprotection, pkg/controller/volume/pvprotection, kubernetes-csi/external-attacher.
import { isClaimKind, isVolumeKind } from '../../model/kind.ts';
import type { Pod } from '../../model/pod.ts';
import { label } from '../../model/ref.ts';
import { type Case, type Diagnosis, somethingElse, uidOf } from './case.ts';

const shownNames = 5;

export const diagnoseClaim: Diagnosis = (finalizer, { looked, snapshot }) => {
  const { ref } = looked.object;
  if (finalizer !== 'kubernetes.io/pvc-protection' || !isClaimKind(ref.kind)) return undefined;
  const hold = { finalizer, where: 'metadata' } as const;
  const pods = snapshot.evidence.pods.get(ref.namespace ?? '');
  if (pods === undefined)
    return {
      ...hold,
      cause: 'claim-users-unknown',
      facts: {},
      loss: 'data',
      allowance: 'never',
      waitsFor: [],
    };
  const users = pods.filter(pod => pod.as === 'pod' && pod.object.claims.includes(ref.name));
  if (users.length === 0)
    return { ...hold, cause: 'claim-unused', facts: {}, loss: 'nothing', allowance: 'proven', waitsFor: [] };
  const names = users.slice(0, shownNames).map(user => {
    const phase = user.as === 'pod' ? ` (${phaseOf(user.object)})` : '';
    return `${label(user.object.ref)}${phase}`;
  });
  const more = users.length > shownNames ? ` and ${users.length - shownNames} more` : '';
  const facts = {
    count: users.length,
    names: names.join(', ') + more,
    first: label(users[0]?.object.ref ?? ref),
    namespace: ref.namespace ?? '',
  };
  return {
    ...hold,
    cause: 'claim-in-use',
    facts,
    loss: 'data',
    allowance: 'never',
    waitsFor: users.map(uidOf),
  };
};

/** The controller counts Pods on a node alone (measured on 1.37); one that waits for a node would still want the claim. */
const phaseOf = ({ phase, node }: Pod): string =>
  node === undefined ? `${phase}, not on a node yet` : phase;

export const diagnoseVolume: Diagnosis = (finalizer, at) => {
  const { ref } = at.looked.object;
  const isAttachers = finalizer.startsWith('external-attacher/');
  if (!isVolumeKind(ref.kind) || !(isAttachers || finalizer === 'kubernetes.io/pv-protection'))
    return undefined;
  const { volumes, attachments, claims } = at.snapshot.evidence;
  const hold = { finalizer, where: 'metadata', waitsFor: [] } as const;
  if (volumes === undefined || attachments === undefined)
    return { ...hold, cause: 'volume-unknown', facts: {}, loss: 'data', allowance: 'only-named' };
  const attached = attachments.find(({ volume }) => volume === ref.name);
  if (attached !== undefined) {
    const facts = { attachment: `volumeattachment/${attached.name}`, node: attached.node };
    return {
      ...hold,
      cause: 'volume-attached',
      facts,
      loss: 'data',
      allowance: 'only-named',
      waitsFor: [somethingElse],
    };
  }
  // nothing is attached: what the attacher still has to do is its controller's question
  if (isAttachers) return undefined;
  const claim = volumes.find(({ uid }) => uid === ref.uid)?.claim;
  if (claim === undefined || claims.get(claim.uid) === 'absent')
    return { ...hold, cause: 'volume-unbound', facts: {}, loss: 'nothing', allowance: 'proven' };
  const facts = { claim: `${claim.namespace}/${claim.name}` };
  return {
    ...hold,
    cause: 'volume-bound',
    facts,
    loss: 'data',
    allowance: 'only-named',
    waitsFor: waitFor(claim.uid, at),
  };
};

/** It is waited for where it is going itself. */
const waitFor = (uid: string, { uids }: Case): string[] => (uids.has(uid) ? [uid] : [somethingElse]);
