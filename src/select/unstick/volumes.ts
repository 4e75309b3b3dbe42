// Evidence for claims and volumes: which Pods refer to a claim, what a volume is bound and attached to.
import type { ClusterReader } from '../../cluster/contract.ts';
import { given } from '../../model/given.ts';
import { isAttachmentKind, isClaimKind, isVolumeKind, type Kind } from '../../model/kind.ts';
import type { ObjectMeta } from '../../model/object.ts';
import type { Looked } from '../../model/snapshot.ts';
import type { Evidence } from '../../model/unstick-snapshot.ts';
import { pool } from '../../pool.ts';

const listsAtOnce = 4;

const isClaim = ({ ref }: ObjectMeta): boolean => isClaimKind(ref.kind);
const isVolume = ({ ref }: ObjectMeta): boolean => isVolumeKind(ref.kind);
const isAttachment = ({ ref }: ObjectMeta): boolean => isAttachmentKind(ref.kind);

/** Pods with volumes from a claim, in every namespace where a claim is stuck; a namespace that is not there could not be read. */
export async function readClaimUsers(
  objects: readonly ObjectMeta[],
  { read, signal }: { readonly read: ClusterReader; readonly signal: AbortSignal },
): Promise<Evidence['pods']> {
  const namespaces = new Set(objects.filter(isClaim).map(({ ref }) => ref.namespace ?? ''));
  const found = new Map<string, readonly Looked[]>();
  const list = (namespace: string) => read.listPods({ namespace }, pod => pod.claims.length > 0);
  for await (const { item, result } of pool([...namespaces], listsAtOnce, signal, list)) {
    if (result.state === 'read')
      found.set(
        item,
        result.value.map(object => ({ as: 'pod', object })),
      );
  }
  return found;
}

export async function readVolumes(
  objects: readonly ObjectMeta[],
  claimKind: Kind | undefined,
  read: ClusterReader,
): Promise<Pick<Evidence, 'volumes' | 'attachments' | 'claims'>> {
  const claims = new Map<string, 'there' | 'absent'>();
  if (!objects.some(object => isVolume(object) || isAttachment(object))) return { claims };
  const [volumes, attachments] = await Promise.all([
    read.readEvidence('volumes', {}),
    read.readEvidence('attachments', {}),
  ]);
  const stuck = new Set(objects.filter(isVolume).map(({ ref }) => ref.uid));
  for (const { uid, claim } of volumes.state === 'read' ? volumes.value : []) {
    if (!stuck.has(uid) || claim === undefined || claimKind === undefined) continue;
    const seen = await read.getMetadata(claimKind, claim.name, claim.namespace);
    const isThere = seen.state === 'read' && seen.value.ref.uid === claim.uid;
    if (seen.state !== 'unreadable') claims.set(claim.uid, isThere ? 'there' : 'absent');
  }
  return {
    claims,
    ...given({
      volumes: volumes.state === 'read' ? volumes.value : undefined,
      attachments: attachments.state === 'read' ? attachments.value : undefined,
    }),
  };
}
