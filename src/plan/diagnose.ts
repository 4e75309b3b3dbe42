// What holds a stuck object: each finalizer is put to the causes that we know, in turn; the last one asks for its controller.
import { drainKey } from '../model/evidence.ts';
import type { Hold } from '../model/hold.ts';
import { isNamespaceKind } from '../model/kind.ts';
import { isTerminating, overdueSince } from '../model/object.ts';
import type { Case, Diagnosis } from './causes/case.ts';
import { diagnoseCollector } from './causes/collector.ts';
import { diagnoseController } from './causes/controllers.ts';
import { diagnoseDefinition } from './causes/definitions.ts';
import { diagnoseJobTracking } from './causes/job-tracking.ts';
import { diagnoseNamespace } from './causes/namespaces.ts';
import { diagnoseWithoutFinalizer } from './causes/no-finalizer.ts';
import { diagnoseClaim, diagnoseVolume } from './causes/volumes.ts';

const causes: readonly Diagnosis[] = [
  diagnoseCollector,
  diagnoseJobTracking,
  diagnoseClaim,
  diagnoseVolume,
  diagnoseDefinition,
];

/** One stuck object with what was found out about it, before anything of it is decided. */
export interface Diagnosed {
  readonly at: Case;
  readonly holds: readonly Hold[];
  readonly sinceMs: number;
}

export const diagnose = (at: Case): Diagnosed => ({ at, holds: holdsOf(at), sinceMs: sinceOf(at) });

/** How long beyond the end of its grace period. */
function sinceOf({ looked, snapshot }: Case): number {
  const overdue = overdueSince(looked.object);
  return overdue === undefined ? 0 : snapshot.takenAt.getTime() - overdue.getTime();
}

function holdsOf(at: Case): Hold[] {
  const { object } = at.looked;
  // nothing holds what nobody has deleted
  if (!isTerminating(object)) return [];
  const inMetadata = object.finalizers.map(finalizer => unlessDraining(diagnoseOne(finalizer, at), at));
  const inSpec = isNamespaceKind(object.ref.kind) ? diagnoseNamespace(at) : [];
  const all = [...inMetadata, ...inSpec];
  return all.length > 0 ? all : [diagnoseWithoutFinalizer(at)];
}

function diagnoseOne(finalizer: string, at: Case): Hold {
  for (const cause of causes) {
    const hold = cause(finalizer, at);
    if (hold !== undefined) return hold;
  }
  return diagnoseController(finalizer, at);
}

/** Their number falls by itself: whoever works on it has only not come to this one. */
function unlessDraining(hold: Hold, { looked, snapshot }: Case): Hold {
  const drains = snapshot.draining.find(({ key }) => key === drainKey(looked.object.ref, hold.finalizer));
  if (drains === undefined || hold.allowance === 'never') return hold;
  const { before, after, ms } = drains;
  return { ...hold, cause: 'draining', facts: { before, after, ms }, allowance: 'only-named' };
}
