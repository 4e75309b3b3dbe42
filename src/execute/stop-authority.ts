// What a stop may write to: what the plan names, and what its sources and Jobs have made since. `perform` is the only word that writes.
import type { ClusterWriter, Written } from '../cluster/contract.ts';
import { patchOf, writeMemory } from '../model/memory.ts';
import { controllerOf } from '../model/object.ts';
import type { StopPlan } from '../model/plan.ts';
import type { StopAction } from '../model/stop-plan.ts';
import type { Work } from '../model/stopping.ts';

export class StopAuthority {
  readonly #uids: Set<string>;
  readonly #makers: ReadonlySet<string>;

  constructor({ terms, actions }: StopPlan) {
    const { sources, jobs, pods, makers } = terms;
    this.#uids = new Set(
      [...sources, ...jobs, ...pods, ...actions.map(({ target }) => target)].map(({ uid }) => uid),
    );
    this.#makers = new Set(makers);
  }

  /** What was made since by what the plan stops. */
  extendTo({ job, pods }: Work): void {
    if (this.#makers.has(controllerOf(job)?.uid ?? '')) this.#uids.add(job.ref.uid);
    if (!this.#uids.has(job.ref.uid)) return;
    for (const pod of pods) if (controllerOf(pod)?.uid === job.ref.uid) this.#uids.add(pod.ref.uid);
  }

  covers = (uid: string): boolean => this.#uids.has(uid);
}

/** The only place that writes for a stop: the change and its memory in one patch, pinned by the version that was decided on. */
export function performStop(
  action: StopAction,
  authority: StopAuthority,
  write: ClusterWriter,
): Promise<Written> {
  const { target, changes, memory } = action;
  if (!authority.covers(target.uid))
    throw new Error(`${target.kind.kind} ${target.name} (${target.uid}) was never confirmed`);
  return write.patchObject(target, patchOf(changes, writeMemory(memory)));
}
