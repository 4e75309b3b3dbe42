// Why a wait came to nothing: a garbage collector that cannot work, or a node that does not answer. Asked only after a timeout.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Left } from '../model/event.ts';
import { isPodKind } from '../model/kind.ts';
import { isSilent } from '../model/node.ts';

const mostPodsAskedAbout = 20;

export async function findCauses(
  left: readonly Left[],
  read: ClusterReader,
): Promise<{ left: readonly Left[]; causes: readonly string[] }> {
  const onCollector = left.some(
    item => item.code === 'waits-for-collector' || item.code === 'waits-for-dependents',
  );
  const blockers = onCollector ? await read.readGarbageCollectorBlockers() : undefined;
  const causes =
    blockers?.state === 'read' ? blockers.value.map(({ object, reason }) => `${object}: ${reason}`) : [];
  const asked = left.slice(0, mostPodsAskedAbout).map(item => withNode(item, read));
  return { left: [...(await Promise.all(asked)), ...left.slice(mostPodsAskedAbout)], causes };
}

/** A Pod past its grace, without finalizers, waits for its kubelet: is its node there? */
async function withNode(item: Left, read: ClusterReader): Promise<Left> {
  const { kind, name, namespace } = item.target;
  if (item.code !== 'past-grace' || !isPodKind(kind) || namespace === undefined) return item;
  const pod = await read.getPod(name, namespace);
  if (pod.state !== 'read' || pod.value.node === undefined) return item;
  const node = await read.readNode(pod.value.node);
  return isSilent(node)
    ? { ...item, code: 'node-unreachable', facts: { ...item.facts, node: pod.value.node } }
    : item;
}
