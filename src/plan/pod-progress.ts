// How far one Pod is on its way to its end, container by container.
import { given } from '../model/given.ts';
import { graceLeftSeconds } from '../model/object.ts';
import { isEnded } from '../model/pod.ts';
import type { PodProgress } from '../model/stopping.ts';
import { isActive, type WorkingPod } from '../model/working-pod.ts';

export function progressOf(pod: WorkingPod, silentNodes: ReadonlySet<string>, now: Date): PodProgress {
  const { ref, node, phase, reason, containers, graceSeconds } = pod;
  const leftSeconds = leftOf(pod, now);
  return {
    target: ref,
    is: stateOf(pod),
    phase,
    containers,
    graceSeconds,
    nodeSilent: node !== undefined && silentNodes.has(node),
    ...given({ node, reason, leftSeconds }),
  };
}

function stateOf(pod: WorkingPod): PodProgress['is'] {
  if (isEnded(pod)) return 'ended';
  if (pod.deletingSince !== undefined) return 'terminating';
  if (!isActive(pod)) return 'phase-only';
  if (pod.startedAt === undefined) return 'never-started';
  return (pod.deadlineSeconds ?? Infinity) > 1 ? 'running' : 'ending';
}

/** A deadline that somebody else set says nothing about since when: only ours carries its time. */
function leftOf(pod: WorkingPod, now: Date): number | undefined {
  if (pod.deletingSince !== undefined) return graceLeftSeconds(pod, now);
  if (pod.remembered.state !== 'remembered') return undefined;
  const sinceMs = now.getTime() - pod.remembered.memory.at.getTime();
  return Math.round(pod.graceSeconds - sinceMs / 1000);
}
