// Runs a plan; one of deletes here: the deletes, then the wait. Yields events; what the plan does not cover is never written.
import type { Written } from '../cluster/contract.ts';
import type { DeleteAction } from '../model/delete-action.ts';
import type { Event } from '../model/event.ts';
import type { DeletePlan, Plan } from '../model/plan.ts';
import { pool } from '../pool.ts';
import type { Doors, Run } from './doors.ts';
import { endsAll } from './ends-all.ts';
import { free } from './free.ts';
import { failedHooks } from './hooks.ts';
import { performDelete, toEvent, toProgress } from './perform.ts';
import { resume } from './resume.ts';
import { settle } from './settle.ts';
import { stop } from './stop.ts';

export function execute(plan: Plan, doors: Doors, run: Run): AsyncGenerator<Event> {
  switch (plan.verb) {
    case 'unstick':
      return free(plan, doors, run);
    case 'stop':
      return stop(plan, doors, run);
    case 'resume':
      return resume(plan, doors, run);
    default:
      return deleteAll(plan, doors, run);
  }
}

async function* deleteAll(plan: DeletePlan, doors: Doors, run: Run): AsyncGenerator<Event> {
  const failed = new Set<string>();
  const held = new Set(plan.settle.targets.map(target => target.uid));
  const started = new Set<string>();
  const halt = new AbortController();
  const perform = async (action: DeleteAction): Promise<Written> => {
    started.add(action.target.uid);
    const written = await performDelete(action, plan, doors.write);
    return (await isSuccessorThere(action, written, doors)) ? { state: 'already-gone' } : written;
  };
  const startedMs = run.elapsedMs();
  let done = 0;
  for await (const { item, result } of pool(
    plan.actions,
    plan.concurrency,
    AbortSignal.any([run.signal, halt.signal]),
    perform,
  )) {
    if (result.state === 'failed') failed.add(item.target.uid);
    if (result.state === 'failed' && endsAll.has(result.problem.code)) halt.abort();
    if (result.state !== 'held') held.delete(item.target.uid);
    yield toEvent(item, result, 'target', plan.dryRun === 'server');
    done += 1;
    yield toProgress(done, plan.actions.length, startedMs, { doors, run });
  }
  const notStarted = plan.actions.map(action => action.target).filter(target => !started.has(target.uid));
  for (const target of notStarted) failed.add(target.uid);
  if (run.signal.aborted) yield { type: 'interrupted', notStarted, left: [] };
  else if (halt.signal.aborted) yield { type: 'halted', notStarted };
  else if (plan.settle.wait && plan.dryRun === 'none') yield* settle(plan, { failed, held }, doors, run);
  if (plan.settle.wait && plan.dryRun === 'none' && !run.signal.aborted && !halt.signal.aborted)
    yield* failedHooks(plan, doors);
  yield { type: 'end', ms: Math.round(run.elapsedMs()), throttled: doors.read.throttled() };
}

/** 409 on a delete that is pinned by uid alone: the name may belong to another object now, and then ours is gone. */
async function isSuccessorThere(action: DeleteAction, written: Written, { read }: Doors): Promise<boolean> {
  if (written.state !== 'failed' || written.problem.code !== 'changed-since-read' || action.pin !== 'uid')
    return false;
  const { kind, name, namespace, uid } = action.target;
  const now = await read.getMetadata(kind, name, namespace);
  return now.state === 'absent' || (now.state === 'read' && now.value.ref.uid !== uid);
}
