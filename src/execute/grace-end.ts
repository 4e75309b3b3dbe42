// Pods that take all of their grace period: at its end the kubelet kills what still runs, and no Event says so. The exit code stands in
// the Pod's status for 0.1 to 0.9 s before the Pod is gone, and it is never gone before that end (measured on 1.34 and 1.37). So it is
// looked at closely there, and what was seen is told.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import { type ObjectMeta, overdueSince } from '../model/object.ts';
import type { DeletePlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { Present } from '../model/settling.ts';
import type { WorkingPod } from '../model/working-pod.ts';
import { never, pool } from '../pool.ts';

/** SIGKILL, 128 + 9. */
const killedCode = 137;
/** More than these at once are not looked at closely: the server has enough to do with their end. */
const mostAtOnce = 20;
const closeLookMs = 50;
/** A Pod that is still there so long after its end is on a node that does not answer, or held: it is looked at as any other. */
const closeForMs = 10_000;
/** deletionTimestamp has whole seconds: the true end may be so much later. */
const cutOffMs = 1000;
const readsAtOnce = 8;

/** What was seen of a Pod past the end of its grace period. */
interface Ending {
  readonly graceSeconds: number;
  /** The version in which its containers were read: nothing is new before the next one. */
  readonly version?: string;
  readonly killed: readonly string[];
  /** Every container has ended, so that none is left to be killed. */
  readonly allEnded: boolean;
  /** It was there when its grace period was over for certain. */
  readonly tookAll: boolean;
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
    const ends = [...objects.values()].flatMap(pod => {
      const endMs = overdueSince(pod)?.getTime();
      const isMeant = this.#running.has(pod.ref.uid) && (pod.deletionGraceSeconds ?? 0) > 0;
      return isMeant && endMs !== undefined && nowMs - endMs < closeForMs ? [{ pod, endMs }] : [];
    });
    ends.sort((one, other) => one.endMs - other.endMs).splice(mostAtOnce);
    this.#nextEndMs = ends[0]?.endMs ?? Infinity;
    const late = ends.filter(({ endMs }) => endMs <= nowMs);
    for await (const { item, result } of pool(late, readsAtOnce, never, ({ pod }) => this.#seen(pod))) {
      const { pod, endMs } = item;
      this.#late.set(pod.ref.uid, { ...result, tookAll: nowMs - endMs >= cutOffMs });
    }
  }

  async #seen({ ref, deletionGraceSeconds = 0 }: ObjectMeta): Promise<Omit<Ending, 'tookAll'>> {
    const { name, namespace = '', uid, resourceVersion: version } = ref;
    const known = this.#late.get(uid);
    if (known?.version === version) return known;
    const before = known ?? { graceSeconds: deletionGraceSeconds, killed: [], allEnded: false };
    const listed = await this.#read.listWorkingPods({ namespace, fieldSelector: `metadata.name=${name}` });
    const pod = listed.state === 'read' ? listed.value.find(one => one.ref.uid === uid) : undefined;
    return pod === undefined ? before : { ...before, version, ...endOf(pod) };
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
      const { graceSeconds, killed, allEnded, tookAll } = ending;
      if (killed.length > 0 || (tookAll && !allEnded))
        yield { type: 'grace-used-up', target, graceSeconds, containers: killed };
    }
  }
}

function endOf({ containers }: WorkingPod): Pick<Ending, 'killed' | 'allEnded'> {
  const own = containers.filter(({ kind }) => kind !== 'ephemeral');
  return {
    killed: own
      .filter(({ exitCode, reason }) => exitCode === killedCode && reason !== 'OOMKilled')
      .map(({ name }) => name),
    allEnded: own.length > 0 && own.every(({ is }) => is === 'terminated'),
  };
}
