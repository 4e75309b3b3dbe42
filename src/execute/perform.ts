// One action, one write, one event. `perform` is the only word here that writes.
import type { ClusterWriter, Written } from '../cluster/contract.ts';
import type { DeleteAction } from '../model/delete-action.ts';
import type { Event } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import type { DeletePlan, UnstickPlan } from '../model/plan.ts';
import type { Doors, Run } from './doors.ts';

/** The only place that deletes. A uid that the plan does not name is a bug, not a decision. */
export function performDelete(
  action: DeleteAction,
  plan: DeletePlan,
  write: ClusterWriter,
): Promise<Written> {
  if (!authorityOf(plan).has(action.target.uid)) {
    throw new Error(
      `${action.target.kind.kind} ${action.target.name} (${action.target.uid}) was never confirmed`,
    );
  }
  return write.deleteObject(action);
}

/** The only place that removes finalizers: of objects that the plan names, and only names that the plan removes. */
export function performFree(
  action: FinalizerAction,
  plan: UnstickPlan,
  write: ClusterWriter,
): Promise<Written> {
  const { target, where, remove, keeps } = action;
  const agreed = removalsOf(plan);
  if (!remove.every(finalizer => agreed.has(removalKey(target.uid, where, finalizer)))) {
    throw new Error(
      `${target.kind.kind} ${target.name} (${target.uid}): ${remove.join(', ')} was never confirmed`,
    );
  }
  return where === 'spec'
    ? write.finalizeNamespace(target)
    : write.patchObject(target, { metadata: { finalizers: keeps } });
}

const removalKey = (uid: string, where: string, finalizer: string): string => `${uid} ${where} ${finalizer}`;

/** What a plan agrees to does not change: it is worked out once, not for each of its writes. */
function oncePerPlan<P extends object>(
  agreed: (plan: P) => readonly string[],
): (plan: P) => ReadonlySet<string> {
  const known = new WeakMap<P, ReadonlySet<string>>();
  return plan => {
    const keys = known.get(plan) ?? new Set(agreed(plan));
    known.set(plan, keys);
    return keys;
  };
}

const removalsOf = oncePerPlan((plan: UnstickPlan) =>
  plan.actions.flatMap(({ target, where, remove }) =>
    remove.map(finalizer => removalKey(target.uid, where, finalizer)),
  ),
);

/** The uids that the user agreed to: the actions, and the dependents that the plan says we delete. */
const authorityOf = oncePerPlan((plan: DeletePlan) => {
  const ours = plan.settle.dependents.filter(dependent => dependent.by === 'us');
  return [...plan.actions, ...ours].map(({ target }) => target.uid);
});

export function toEvent(
  action: DeleteAction,
  written: Written,
  as: 'target' | 'dependent',
  serverDryRun = false,
): Event {
  if (written.state === 'failed') return { type: 'failed', action, as, problem: written.problem };
  const finalizers = written.state === 'held' ? written.object.finalizers : [];
  const isDryRun = written.state === 'done' || (serverDryRun && written.state === 'gone');
  const state = isDryRun ? 'dry-run' : written.state;
  return { type: 'deleted', action, as, state, finalizers };
}

/** How far `done` of `total` deletes are, `startedMs` after the first was sent. */
export function toProgress(
  done: number,
  total: number,
  startedMs: number,
  at: { doors: Doors; run: Run },
): Event {
  return {
    type: 'progress',
    done,
    total,
    throttled: at.doors.read.throttled(),
    ms: at.run.elapsedMs() - startedMs,
  };
}
