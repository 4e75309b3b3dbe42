// preStop hooks that failed: the kubelet tells it in an Event of the Pod, which is there when the Pod goes and stays for an hour
// (measured on 1.34 and 1.37). That there is none proves nothing: a kubelet limits its Events.
import type { Event } from '../model/event.ts';
import type { DeletePlan } from '../model/plan.ts';
import type { Doors } from './doors.ts';

const reason = 'FailedPreStopHook';

/** One event for each Pod of the plan whose hook the kubelet reported. Asked only where hooks were to run. */
export async function* failedHooks(plan: DeletePlan, { read }: Doors): AsyncGenerator<Event> {
  const hooked = plan.findings.filter(
    ({ seen }) => seen.as === 'pod' && !seen.ended && seen.preStopHooks > 0,
  );
  const going = new Set(
    [...plan.settle.targets, ...plan.settle.dependents.map(({ target }) => target)].map(({ uid }) => uid),
  );
  const pods = new Map(
    hooked.filter(({ target }) => going.has(target.uid)).map(({ target }) => [target.uid, target]),
  );
  for (const namespace of new Set([...pods.values()].map(({ namespace = '' }) => namespace))) {
    const warnings = await read.readEvidence('warnings', { namespace, fieldSelector: `reason=${reason}` });
    if (warnings.state !== 'read') {
      yield {
        type: 'hooks-unknown',
        namespace,
        problem: warnings.state === 'unreadable' ? warnings.problem.text : '',
      };
      continue;
    }
    for (const { about, container = '' } of warnings.value) {
      const target = pods.get(about);
      if (target !== undefined) yield { type: 'hook-failed', target, container };
    }
  }
}
