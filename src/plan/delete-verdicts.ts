// `delete`, one target at a time: whether it may go, and what stands against it.
import type { ObjectMeta } from '../model/object.ts';
import type { DeleteOptions } from '../model/options.ts';
import type { Finding, Seen, Verdict } from '../model/plan.ts';
import { isEnded } from '../model/pod.ts';
import { label } from '../model/ref.ts';
import type { DeleteSnapshot, Looked } from '../model/snapshot.ts';
import type { Why } from '../model/why.ts';
import type { Fate } from './dependents.ts';
import { protectedBy } from './guards.ts';

export function targetFinding(
  looked: Looked,
  snapshot: DeleteSnapshot,
  options: DeleteOptions,
  chosen: ReadonlySet<string> | undefined,
): Finding {
  const { object } = looked;
  const as = (verdict: Verdict, why: Why): Finding => ({
    target: object.ref,
    verdict,
    why,
    seen: seenOf(looked),
  });
  // by force a Pod that its kubelet does not end is taken out of the API all the same: that needs a delete of its own
  const isForced = options.force && looked.as === 'pod';
  if (object.deletingSince !== undefined && !isForced) {
    const sinceMs = snapshot.takenAt.getTime() - object.deletingSince.getTime();
    return as('already-terminating', {
      code: 'terminating',
      facts: { sinceMs, finalizers: object.finalizers.join(', ') },
    });
  }
  const byName = options.words.by !== 'selection';
  const blocked = blockedBy(looked, snapshot, options);
  if (blocked !== undefined) return as(byName ? 'refused' : 'stays', blocked);
  if (chosen !== undefined && !chosen.has(object.ref.uid)) return as('stays', { code: 'not-chosen' });
  return as('delete', { code: byName ? 'named' : 'selected' });
}

function blockedBy(looked: Looked, snapshot: DeleteSnapshot, options: DeleteOptions): Why | undefined {
  const { object } = looked;
  const includeHooks = options.includeProtected;
  const inside = snapshot.contents.find(({ of, kept }) => of === label(object.ref) && kept > 0);
  if (inside !== undefined && !options.includeProtected)
    return { code: 'kept-contents', facts: { count: inside.kept, resource: inside.resource } };
  const why = protectedBy(object, {
    includeProtected: options.includeProtected,
    includeHooks,
    allNamespaces: options.allNamespaces,
  });
  if (why !== undefined || options.propagation === 'Orphan') return why;
  // a preset `orphan` finalizer is overridden by Background and Foreground (measured on 1.36.3): its dependents would go
  if (object.finalizers.includes('orphan')) return { code: 'orphan-finalizer' };
  return undefined;
}

/** By uid of whatever stands above it: the first dependent that is to stay and would go all the same. */
export function aboveKept(
  possible: readonly Fate[],
  isKept: (object: ObjectMeta) => boolean,
): ReadonlyMap<string, ObjectMeta> {
  const byUid = new Map(possible.map(fate => [fate.looked.object.ref.uid, fate.looked.object]));
  const found = new Map<string, ObjectMeta>();
  for (const { looked, goes } of possible) {
    if (!goes || !isKept(looked.object)) continue;
    const above = looked.object.owners.map(owner => owner.uid);
    for (let uid = above.pop(); uid !== undefined; uid = above.pop()) {
      if (found.has(uid)) continue;
      found.set(uid, looked.object);
      above.push(...(byUid.get(uid)?.owners.map(owner => owner.uid) ?? []));
    }
  }
  return found;
}

export function seenOf(looked: Looked): Seen {
  if (looked.as === 'job') return { as: 'job', state: looked.object.state, manual: looked.object.manual };
  if (looked.as === 'object') return { as: 'object' };
  const { phase, graceSeconds, preStopHooks } = looked.object;
  return { as: 'pod', phase, ended: isEnded(looked.object), graceSeconds, preStopHooks };
}
