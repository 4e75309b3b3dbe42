// What happened to Jobs and Pods since the last look, each thing told once: ended, closed, appeared, lost.
import type { Event } from '../model/event.ts';
import type { StopPlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { JobProgress, PodProgress } from '../model/stopping.ts';
import type { Sight } from './stop-eyes.ts';

export class StopNews {
  /** Uids of what was told. */
  readonly #told = new Set<string>();
  /** Everything that should be there: what the plan saw, and what was seen since. */
  readonly #expected = new Map<string, Ref>();
  readonly #notKept: Set<string>;
  readonly #planned: ReadonlySet<string>;
  readonly #closed = new Set<string>();

  constructor({ terms, findings }: StopPlan) {
    const { jobs, pods, notKept } = terms;
    this.#notKept = new Set(notKept);
    // what had ended before is no news
    for (const { target, why } of findings) if (why.code === 'pod-ended') this.#told.add(target.uid);
    this.#planned = new Set([...jobs, ...pods].map(({ uid }) => uid));
    for (const target of [...jobs, ...pods]) this.#expected.set(target.uid, target);
  }

  *of({ works, unreadable }: Sight, jobs: readonly JobProgress[]): Generator<Event> {
    const there = new Set(works.flatMap(({ job, pods }) => [job.ref.uid, ...pods.map(({ ref }) => ref.uid)]));
    for (const job of jobs) {
      if (!there.has(job.target.uid)) continue;
      yield* this.#see(job.target);
      for (const pod of job.pods) {
        yield* this.#see(pod.target);
        yield* this.#podNews(pod);
      }
      yield* this.#jobNews(job);
    }
    yield* this.#lost(there, unreadable);
  }

  *#see(target: Ref): Generator<Event> {
    if (this.#expected.has(target.uid)) return;
    this.#expected.set(target.uid, target);
    if (!this.#planned.has(target.uid)) yield { type: 'appeared', target };
  }

  *#podNews(pod: PodProgress): Generator<Event> {
    // it has no logs to lose: the Job controller deletes it, as we want it to
    if (pod.is === 'never-started' || (pod.is === 'terminating' && !hasRun(pod)))
      this.#notKept.add(pod.target.uid);
    if (pod.is !== 'ended' || this.#told.has(pod.target.uid)) return;
    this.#told.add(pod.target.uid);
    this.#notKept.delete(pod.target.uid);
    yield { type: 'pod-ended', pod };
  }

  *#jobNews({ target, state, is, pods }: JobProgress): Generator<Event> {
    if (is !== 'closed' || this.#closed.has(target.uid)) return;
    this.#closed.add(target.uid);
    yield { type: 'job-closed', target, state, pods };
  }

  *#lost(there: ReadonlySet<string>, unreadable: Sight['unreadable']): Generator<Event> {
    for (const [uid, target] of this.#expected) {
      if (there.has(uid) || unreadable.has(target.namespace ?? '')) continue;
      this.#expected.delete(uid);
      yield { type: 'lost', target, foretold: this.#notKept.has(uid) };
    }
  }
}

const hasRun = ({ containers }: PodProgress): boolean => containers.some(({ is }) => is !== 'waiting');
