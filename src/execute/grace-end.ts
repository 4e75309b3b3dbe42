// Pods that take all of their grace period: at its end the kubelet kills what still runs, and no Event says so. The exit code stands in
// the Pod's status for 0.1 to 0.9 s before the Pod is gone, and it is never gone before that end (measured on 1.34 and 1.37). So it is
// looked at closely there, and what was seen is told.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import { overdueSince } from '../model/object.ts';
import type { DeletePlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { Present } from '../model/settling.ts';
import type { WorkingPod } from '../model/working-pod.ts';
import { never, pool } from '../pool.ts';

/** SIGKILL, 128 + 9. */
const killed = 137;
/** More than these at once are not looked at closely: the server has enough to do with their end. */
const mostAtOnce = 20;
const closeLookMs = 200;
const readsAtOnce = 8;

interface Ending {
  readonly graceSeconds: number;
  /** Containers that were seen to have been killed. */
  containers: readonly string[];
}

export class GraceEnds {
  readonly #read: ClusterReader;
  /** Pods that ran when the plan was made, by uid: only these have a grace period to take. */
  readonly #running: ReadonlySet<string>;
  readonly #late = new Map<string, Ending>();
  #nextEndMs = Infinity;

  constructor(plan: DeletePlan, read: ClusterReader) {
    this.#read = read;
    const running = plan.findings.filter(({ seen }) => seen.as === 'pod' && !seen.ended);
    this.#running = new Set(running.map(({ target }) => target.uid));
  }

  /** Notes what is there past its end, and which of its containers were killed. */
  async look({ objects }: Present): Promise<void> {
    const nowMs = this.#read.now().getTime();
    const pods = [...objects.values()].filter(({ ref }) => this.#running.has(ref.uid)).slice(0, mostAtOnce);
    const ends = pods.map(pod => ({ pod, endMs: overdueSince(pod)?.getTime() ?? Infinity }));
    this.#nextEndMs = Math.min(...ends.map(({ endMs }) => endMs));
    const late = ends.filter(({ pod, endMs }) => endMs <= nowMs && (pod.deletionGraceSeconds ?? 0) > 0);
    for (const { pod } of late)
      if (!this.#late.has(pod.ref.uid))
        this.#late.set(pod.ref.uid, { graceSeconds: pod.deletionGraceSeconds ?? 0, containers: [] });
    const refs = late.map(({ pod }) => pod.ref);
    const read = ({ name, namespace = '' }: (typeof refs)[number]) =>
      this.#read.listWorkingPods({ namespace, fieldSelector: `metadata.name=${name}` });
    for await (const { item, result } of pool(refs, readsAtOnce, never, read)) {
      const pod = result.state === 'read' ? result.value.find(({ ref }) => ref.uid === item.uid) : undefined;
      const ending = this.#late.get(item.uid);
      if (pod !== undefined && ending !== undefined) ending.containers = killedIn(pod);
    }
  }

  /** How long to wait before the next look: shorter where a grace period is about to end. */
  pauseMs(wantedMs: number): number {
    const leftMs = this.#nextEndMs - this.#read.now().getTime();
    return leftMs > wantedMs ? wantedMs : Math.min(wantedMs, Math.max(leftMs, closeLookMs));
  }

  /** Of those that are seen to be gone now, the ones that took all of their grace period. */
  *goneNow(gone: readonly Ref[]): Generator<Event> {
    for (const target of gone) {
      const ending = this.#late.get(target.uid);
      if (ending === undefined) continue;
      this.#late.delete(target.uid);
      yield { type: 'grace-used-up', target, ...ending };
    }
  }
}

const killedIn = ({ containers }: WorkingPod): string[] =>
  containers
    .filter(({ exitCode, reason }) => exitCode === killed && reason !== 'OOMKilled')
    .map(({ name }) => name);
