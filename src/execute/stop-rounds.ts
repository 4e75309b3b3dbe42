// A stop, round by round: what was seen last and what the rule asks for, and of whom nothing more is asked.
import type { Written } from '../cluster/contract.ts';
import type { Event, Left } from '../model/event.ts';
import type { ProblemCode } from '../model/problem.ts';
import type { StopAction } from '../model/stop-plan.ts';
import type { JobProgress, StopStep, Work } from '../model/stopping.ts';
import { pool } from '../pool.ts';
import { blameBy } from './blame.ts';
import { endsAll } from './ends-all.ts';
import { SilentNodes } from './silent-nodes.ts';
import { performStop } from './stop-authority.ts';
import { StopEyes } from './stop-eyes.ts';
import { leftOf } from './stop-left.ts';
import { StopNews } from './stop-news.ts';
import type { Suspending } from './stop-sources.ts';

/** A controller in the middle of a sync may still make one Job after the suspension. */
const lastLookAfterMs = 1500;
const mostTries = 5;
/**
 * So long a round tells Pods to end; the next look tells the others. Of many, the first have ended meanwhile, and 10 s after that the Job
 * controller replaces them, unless parallelism has followed.
 */
const endingMs = 2000;

export class StopRounds {
  readonly #at: Suspending;
  readonly #eyes: StopEyes;
  readonly #news: StopNews;
  readonly #nodes: SilentNodes;
  readonly #blame: ReturnType<typeof blameBy>;
  /** Uids of Jobs that were given up: a write on them, or on one of their Pods, was refused. */
  readonly #givenUp = new Set<string>();
  readonly #tries = new Map<string, number>();
  #works = new Map<string, Work>();
  #steps: readonly StopStep[] = [];
  readonly #startedMs: number;
  #wholeSight = false;
  unreadable: ReadonlySet<string> = new Set();
  isHalted = false;

  constructor(at: Suspending) {
    this.#at = at;
    this.#startedMs = at.run.elapsedMs();
    this.#eyes = new StopEyes(at.plan, at.doors.read);
    this.#news = new StopNews(at.plan);
    this.#nodes = new SilentNodes(at.doors.read, at.run, this.#eyes.silentNodes);
    this.#blame = blameBy(at.doors.read);
  }

  get progress(): readonly JobProgress[] {
    return this.#steps.map(({ progress }) => progress);
  }

  /** Jobs that are still on their way. */
  get open(): readonly JobProgress[] {
    return this.#unfinished.filter(job => !this.#givenUp.has(job.target.uid));
  }

  get #unfinished(): readonly JobProgress[] {
    return this.progress.filter(job => !this.#at.run.stopping.isOver(job));
  }

  get left(): readonly Left[] {
    return leftOf(this.open, this.unreadable);
  }

  get givenUp(): readonly Left[] {
    const jobs = this.#unfinished.filter(job => this.#givenUp.has(job.target.uid));
    return leftOf(jobs, this.unreadable);
  }

  get isOver(): boolean {
    return this.#wholeSight && this.open.length === 0 && this.#spentMs >= lastLookAfterMs;
  }

  get isLate(): boolean {
    const { timeoutMs } = this.#at.plan.terms;
    return timeoutMs > 0 && this.#spentMs >= timeoutMs;
  }

  get #spentMs(): number {
    return this.#at.run.elapsedMs() - this.#startedMs;
  }

  async *look(): AsyncGenerator<Event> {
    const { run, authority } = this.#at;
    const sight = await this.#eyes.look();
    if (run.signal.aborted) return;
    this.#wholeSight = sight.unreadable.size === 0;
    this.unreadable = new Set(sight.unreadable.keys());
    for (const uid of sight.gone) this.#works.delete(uid);
    for (const work of sight.works) {
      authority.extendTo(work);
      this.#works.set(work.job.ref.uid, work);
    }
    this.#decide();
    yield* this.#news.of(sight, this.progress);
    await this.#nodes.askIfOverdue(this.open);
  }

  #decide(): void {
    const { plan, doors, run } = this.#at;
    const now = doors.read.now();
    this.#steps = [...this.#works.values()].map(work => run.stopping.step(work, plan, now));
  }

  /** Writes what the rule asks for; answers whether there was anything. */
  async *write(): AsyncGenerator<Event, boolean> {
    const { plan, run } = this.#at;
    const writes = this.#steps
      .filter(({ progress }) => !this.#isLeftAlone(progress))
      .flatMap(({ progress, writes }) => writes.map(action => ({ action, job: progress.target.uid })))
      .sort((one, other) => Number(isEnd(one.action)) - Number(isEnd(other.action)));
    const halt = new AbortController();
    const signal = AbortSignal.any([run.signal, halt.signal]);
    const startedMs = run.elapsedMs();
    const perform = async ({ action }: { action: StopAction }) => {
      const isLate = isEnd(action) && run.elapsedMs() - startedMs > endingMs;
      return isLate ? undefined : await this.#perform(action);
    };
    for await (const { item, result } of pool(writes, plan.concurrency, signal, perform)) {
      if (result === undefined) continue;
      yield* this.#answered(item.action, item.job, result);
      if (result.state === 'failed' && endsAll.has(result.problem.code)) halt.abort();
    }
    this.isHalted = halt.signal.aborted;
    return writes.length > 0;
  }

  /** Given up, or in a namespace of which nothing is known now. */
  #isLeftAlone({ target }: JobProgress): boolean {
    return this.#givenUp.has(target.uid) || this.unreadable.has(target.namespace ?? '');
  }

  /** Undefined: it is not to be written any more, or not so; the next look decides. */
  async #perform(action: StopAction): Promise<Written | undefined> {
    const { plan, doors, run, authority } = this.#at;
    if (isEnd(action)) return await performStop(action, authority, doors.write);
    // a Pod that was made since the lists were read would be one too many for the parallelism that they gave
    const work = this.#works.get(action.target.uid);
    const again = work === undefined ? undefined : await this.#eyes.lookAgain(work.job.ref);
    if (again === undefined) return undefined;
    const same = run.stopping
      .step(again, plan, doors.read.now())
      .writes.find(({ does, target }) => does === action.does && target.uid === action.target.uid);
    return same === undefined ? undefined : await performStop(same, authority, doors.write);
  }

  async *#answered(action: StopAction, job: string, written: Written): AsyncGenerator<Event> {
    if (written.state !== 'failed') {
      this.#tries.delete(action.target.uid);
      yield { type: 'changed', action, state: written.state === 'already-gone' ? 'already-gone' : 'done' };
      return;
    }
    const { problem } = written;
    // the next look decides again
    if (problem.code === 'changed-since-read' || problem.code === 'interrupted') return;
    const tries = (this.#tries.get(action.target.uid) ?? 0) + 1;
    this.#tries.set(action.target.uid, tries);
    if (!refusals.has(problem.code) && tries < mostTries) return;
    this.#givenUp.add(job);
    const blame = await this.#blame(problem, action.target.kind);
    yield { type: 'not-changed', action, problem, blame };
  }

  /** The time is out: which of the nodes do not answer is said. */
  async askAllNodes(): Promise<void> {
    await this.#nodes.askAll(this.open);
    this.#decide();
  }
}

const isEnd = ({ does }: StopAction): boolean => does === 'end-pod';

/** The server has said no, and would say it again. */
const refusals: ReadonlySet<ProblemCode> = new Set(['forbidden', 'invalid', 'unreachable', 'unauthorized']);
