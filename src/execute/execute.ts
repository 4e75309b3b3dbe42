// Runs a plan; one of deletes here: the deletes, then the wait. Yields events; what the plan does not cover is never written.
import type { Event } from '../model/event.ts';
import type { DeletePlan, Plan } from '../model/plan.ts';
import { deleteTargets } from './delete-targets.ts';
import type { Doors, Run } from './doors.ts';
import { free } from './free.ts';
import { failedHooks } from './hooks.ts';
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
  const { notStarted, isHalted, ...outcome } = yield* deleteTargets(plan, doors, run);
  const waits = plan.settle.wait && plan.dryRun === 'none';
  if (run.signal.aborted) yield { type: 'interrupted', notStarted, left: [] };
  else if (isHalted) yield { type: 'halted', notStarted };
  else if (waits) yield* settle(plan, outcome, doors, run);
  if (waits && !run.signal.aborted && !isHalted) yield* failedHooks(plan, doors);
  yield { type: 'end', ms: Math.round(run.elapsedMs()), throttled: doors.read.throttled() };
}
