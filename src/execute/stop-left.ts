// What is not at its end when the time is out or somebody interrupts, and why.
import type { Left } from '../model/event.ts';
import type { JobProgress, PodProgress } from '../model/stopping.ts';

export function leftOf(open: readonly JobProgress[], unreadable: ReadonlySet<string>): Left[] {
  return open.flatMap(job => {
    const { target } = job;
    if (unreadable.has(target.namespace ?? '')) return [{ target, code: 'unreadable', facts: {} } as const];
    const pods = job.pods.filter(({ is }) => is !== 'ended').map(leftPod);
    if (pods.length > 0) return pods;
    const code = job.is === 'suspended' ? 'job-suspended' : 'waits-for-job-controller';
    return [{ target, code, facts: {} } as const];
  });
}

function leftPod({
  target,
  is,
  phase,
  graceSeconds,
  leftSeconds,
  containers,
  nodeSilent,
  node,
}: PodProgress): Left {
  if (nodeSilent) return { target, code: 'node-cannot-tell-it', facts: { node: node ?? '' } };
  if (is === 'phase-only') {
    const running = containers.filter(one => one.is === 'running').map(({ name }) => name);
    return { target, code: 'container-runs', facts: { phase, containers: running.join(', ') } };
  }
  if (is === 'running') return { target, code: 'not-told', facts: {} };
  if (is === 'never-started') return { target, code: 'waits-for-job-controller', facts: {} };
  if (leftSeconds === undefined || leftSeconds >= 0)
    return { target, code: 'in-grace', facts: { seconds: leftSeconds ?? graceSeconds, of: graceSeconds } };
  return { target, code: 'past-grace', facts: { seconds: -leftSeconds } };
}
