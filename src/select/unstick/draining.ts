// Many objects on one finalizer may be drained by a controller that simply needs its time: a second look tells.
import type { ClusterReader } from '../../cluster/contract.ts';
import { type Draining, drainKey } from '../../model/evidence.ts';
import { given } from '../../model/given.ts';
import { isTerminating, type ObjectMeta } from '../../model/object.ts';

/** Below this a controller that works would be done by now. */
const manyAlike = 10;
const lookForMs = 10_000;
const lookEveryMs = 2000;

export interface SecondLook {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
  readonly pause: (ms: number) => Promise<void>;
  readonly elapsedMs: () => number;
  /** What takes time now: one updating line. */
  readonly tell: (status: string) => Promise<void>;
}

/** Ends as soon as every group has shown that it falls, or after ten seconds. */
export async function readDraining(objects: readonly ObjectMeta[], at: SecondLook): Promise<Draining[]> {
  const groups = new Map<string, { of: ObjectMeta; finalizer: string; uids: Set<string> }>();
  for (const object of objects) {
    for (const finalizer of isTerminating(object) ? object.finalizers : []) {
      const key = drainKey(object.ref, finalizer);
      const group = groups.get(key) ?? { of: object, finalizer, uids: new Set<string>() };
      group.uids.add(object.ref.uid);
      groups.set(key, group);
    }
  }
  const found: Draining[] = [];
  const open = new Map([...groups].filter(([, { uids }]) => uids.size >= manyAlike));
  const startedMs = at.elapsedMs();
  for (let ms = 0; ms < lookForMs && open.size > 0 && !at.signal.aborted; ms = at.elapsedMs() - startedMs) {
    const seconds = Math.ceil((lookForMs - ms) / 1000);
    await at.tell(`many alike: looking again for ${seconds}s whether they go by themselves`);
    await at.pause(lookEveryMs);
    for (const [key, group] of open) {
      const after = await countAgain(group, at.read);
      const before = group.uids.size;
      if (after === undefined || after >= before) continue;
      found.push({ key, before, after, ms: at.elapsedMs() - startedMs });
      open.delete(key);
    }
  }
  return found;
}

/** How many of the same objects still hold on; undefined: not known now. */
async function countAgain(
  group: { of: ObjectMeta; finalizer: string; uids: ReadonlySet<string> },
  read: ClusterReader,
): Promise<number | undefined> {
  const { kind, namespace } = group.of.ref;
  const holding = new Set<string>();
  const listed = await read.listMetadata(kind, given({ namespace, unasked: true }), object => {
    if (group.uids.has(object.ref.uid) && object.finalizers.includes(group.finalizer))
      holding.add(object.ref.uid);
    return false;
  });
  return listed.state === 'read' ? holding.size : undefined;
}
