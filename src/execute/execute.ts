// Runs a plan: the deletes, then the wait. Yields events; what the plan does not cover is never written.
import type { Written } from '../cluster/contract.ts';
import type { DeleteAction } from '../model/delete-action.ts';
import type { Event } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { pool } from '../pool.ts';
import type { Doors, Run } from './doors.ts';
import { performDelete, toEvent } from './perform.ts';
import { settle } from './settle.ts';

export async function* execute(plan: Plan, doors: Doors, run: Run): AsyncGenerator<Event> {
  const failed = new Set<string>();
  const held = new Set(plan.settle.targets.map(target => target.uid));
  const started = new Set<string>();
  const perform = (action: DeleteAction): Promise<Written> => {
    started.add(action.target.uid);
    return performDelete(action, plan, doors.write);
  };
  const startedMs = run.elapsedMs();
  let done = 0;
  for await (const { item, result } of pool(plan.actions, plan.concurrency, run.signal, perform)) {
    if (result.state === 'failed') failed.add(item.target.uid);
    if (result.state !== 'held') held.delete(item.target.uid);
    yield toEvent(item, result, 'target', plan.dryRun === 'server');
    done += 1;
    yield {
      type: 'progress',
      done,
      total: plan.actions.length,
      throttled: doors.read.throttled(),
      ms: run.elapsedMs() - startedMs,
    };
  }
  const notStarted = plan.actions.map(action => action.target).filter(target => !started.has(target.uid));
  for (const target of notStarted) failed.add(target.uid);
  if (run.signal.aborted) yield { type: 'interrupted', notStarted, left: [] };
  else if (plan.settle.wait && plan.dryRun === 'none') yield* settle(plan, { failed, held }, doors, run);
  yield { type: 'end', ms: Math.round(run.elapsedMs()), throttled: doors.read.throttled() };
}
