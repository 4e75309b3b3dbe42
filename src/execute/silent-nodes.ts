// Nodes that do not answer: what runs there cannot be told to end. Asking costs a request each, and it takes 40 s and more until a node
// counts as silent.
import type { ClusterReader } from '../cluster/contract.ts';
import { isSilent } from '../model/node.ts';
import type { JobProgress, PodProgress } from '../model/stopping.ts';
import type { Run } from './doors.ts';

const everyMs = 5000;
const mostAsked = 20;

export class SilentNodes {
  readonly #read: ClusterReader;
  readonly #run: Run;
  readonly #names: Set<string>;
  #askedMs = 0;

  /** `names`: is kept as it is found. */
  constructor(read: ClusterReader, run: Run, names: Set<string>) {
    this.#read = read;
    this.#run = run;
    this.#names = names;
  }

  /** Where the end of a Pod is overdue, its node may be the reason; asked now and then. */
  async askIfOverdue(jobs: readonly JobProgress[]): Promise<void> {
    if (this.#run.elapsedMs() - this.#askedMs < everyMs) return;
    await this.#ask(jobs, ({ is, leftSeconds = 0 }) => is !== 'ended' && leftSeconds < 0);
  }

  /** The time is out: a Pod with grace left may be on a node that does not answer, too. */
  askAll(jobs: readonly JobProgress[]): Promise<void> {
    return this.#ask(jobs, ({ is }) => is !== 'ended');
  }

  async #ask(jobs: readonly JobProgress[], isMeant: (pod: PodProgress) => boolean): Promise<void> {
    const pods = jobs.flatMap(job => job.pods).filter(isMeant);
    const nodes = [...new Set(pods.flatMap(({ node }) => node ?? []))].slice(0, mostAsked);
    if (nodes.length > 0) this.#askedMs = this.#run.elapsedMs();
    for (const name of nodes) {
      const node = await this.#read.readNode(name);
      if (isSilent(node)) this.#names.add(name);
      else if (node.state === 'read') this.#names.delete(name);
    }
  }
}
