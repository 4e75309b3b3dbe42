// Whether the Job that leaked a Pod is still gone, looked at right before the Pod is deleted: lists may have been stale (W04), and a
// question may have stood for long. One read for each Job and not for each of its Pods.
import type { ClusterReader } from '../cluster/contract.ts';
import type { GoneJob } from '../model/delete-action.ts';
import type { Problem } from '../model/problem.ts';

/** A read of the server's storage, not of its cache: a GET without a resourceVersion. */
type Sight = 'gone' | 'there' | { readonly problem: Problem };

/** No older than this when it is acted upon. A uid does not come back; a list that missed the Job might have. */
const freshMs = 5000;

export class GoneJobs {
  readonly #read: ClusterReader;
  readonly #elapsedMs: () => number;
  readonly #seen = new Map<string, { readonly atMs: number; readonly sight: Promise<Sight> }>();

  constructor(read: ClusterReader, elapsedMs: () => number) {
    this.#read = read;
    this.#elapsedMs = elapsedMs;
  }

  look(job: GoneJob): Promise<Sight> {
    const known = this.#seen.get(job.uid);
    const nowMs = this.#elapsedMs();
    if (known !== undefined && nowMs - known.atMs < freshMs) return known.sight;
    const sight = this.#ask(job);
    this.#seen.set(job.uid, { atMs: nowMs, sight });
    return sight;
  }

  async #ask({ uid, name, namespace }: GoneJob): Promise<Sight> {
    const job = await this.#read.getJob(name, namespace);
    if (job.state === 'unreadable') return { problem: job.problem };
    return job.state === 'read' && job.value.ref.uid === uid ? 'there' : 'gone';
  }
}
