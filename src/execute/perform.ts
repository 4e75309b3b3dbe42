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

const agreedRemovals = new WeakMap<UnstickPlan, ReadonlySet<string>>();

function removalsOf(plan: UnstickPlan): ReadonlySet<string> {
  const known = agreedRemovals.get(plan);
  if (known !== undefined) return known;
  const keys = plan.actions.flatMap(({ target, where, remove }) =>
    remove.map(finalizer => removalKey(target.uid, where, finalizer)),
  );
  const agreed = new Set(keys);
  agreedRemovals.set(plan, agreed);
  return agreed;
}

const authorities = new WeakMap<DeletePlan, ReadonlySet<string>>();

/** The uids that the user agreed to: the actions, and the dependents that the plan says we delete. */
function authorityOf(plan: DeletePlan): ReadonlySet<string> {
  const known = authorities.get(plan);
  if (known !== undefined) return known;
  const ours = plan.settle.dependents.filter(dependent => dependent.by === 'us');
  const uids = new Set([...plan.actions, ...ours].map(({ target }) => target.uid));
  authorities.set(plan, uids);
  return uids;
}

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
