// Runs a plan of `unstick`: removals wave by wave, leaves first; then the look at what became of them.
import type { Event } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { given } from '../model/given.ts';
import type { UnstickPlan } from '../model/plan.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import type { Ref } from '../model/ref.ts';
import { pool } from '../pool.ts';
import { aftermath } from './aftermath.ts';
import { type Blame, blameBy } from './blame.ts';
import type { Doors, Run } from './doors.ts';
import { endsAll } from './ends-all.ts';
import { freeOne, type Outcome } from './free-one.ts';
import { toProgress } from './perform.ts';

export async function* free(plan: UnstickPlan, doors: Doors, run: Run): AsyncGenerator<Event> {
  const work = new Work(plan, doors, run);
  const looks = plan.dryRun === 'none' && plan.aftermath.wait;
  yield* work.runAll(plan.actions.filter(({ where }) => where === 'metadata'));
  const last = plan.actions.filter(({ where }) => where === 'spec');
  // what still goes by itself is not abandoned, whether or not the end is waited for
  const finalized = new Set(last.map(({ target }) => target.uid));
  const inside = plan.aftermath.follows.filter(({ target }) => !finalized.has(target.uid));
  if (last.length > 0 && plan.dryRun === 'none' && !work.isOver) yield* work.look(inside, goesAtOnceMs);
  yield* work.runAll(last);
  const notStarted = work.notStarted();
  if (run.signal.aborted) yield { type: 'interrupted', notStarted, left: [] };
  else if (work.isOver) yield { type: 'halted', notStarted };
  else if (looks) yield* work.look(plan.aftermath.follows);
  yield { type: 'end', ms: Math.round(run.elapsedMs()), throttled: doors.read.throttled() };
}

const goesAtOnceMs = 30_000;

/** What was done so far, and what failed. */
class Work {
  readonly #plan: UnstickPlan;
  readonly #doors: Doors;
  readonly #run: Run;
  readonly #halt = new AbortController();
  readonly #started = new Set<FinalizerAction>();
  readonly #startedMs: number;
  readonly #blame: Blame;
  #freed: FinalizerAction[] = [];
  /** Uids that could not be freed, or that were freed and stay. */
  readonly #stuck = new Set<string>();
  /** Of those, where another try may do. */
  readonly #mayGoLater = new Set<string>();
  /** Uids of what was seen to end. */
  readonly #ended = new Set<string>();
  #done = 0;

  constructor(plan: UnstickPlan, doors: Doors, run: Run) {
    this.#plan = plan;
    this.#doors = doors;
    this.#run = run;
    this.#startedMs = run.elapsedMs();
    this.#blame = blameBy(doors.read);
  }

  get isOver(): boolean {
    return this.#halt.signal.aborted || this.#run.signal.aborted;
  }

  notStarted(): Ref[] {
    return this.#plan.actions.filter(action => !this.#started.has(action)).map(({ target }) => target);
  }

  async *runAll(actions: readonly FinalizerAction[]): AsyncGenerator<Event> {
    const signal = AbortSignal.any([this.#run.signal, this.#halt.signal]);
    const waves = Map.groupBy(actions, ({ wave }) => wave);
    for (const [, wave] of [...waves].sort(([a], [b]) => a - b)) {
      const perform = (action: FinalizerAction) => this.#perform(action);
      for await (const { item, result } of pool(wave, this.#plan.concurrency, signal, perform)) {
        this.#remember(item, result);
        yield await toEvent(result, item, this.#plan, this.#blame);
        this.#done += 1;
        yield toProgress(this.#done, this.#plan.actions.length, this.#startedMs, {
          doors: this.#doors,
          run: this.#run,
        });
      }
    }
  }

  /** `atMostMs`: and then on, without a word about what is left. */
  async *look(follows: UnstickPlan['aftermath']['follows'], atMostMs?: number): AsyncGenerator<Event> {
    const open = follows.filter(({ target }) => !this.#ended.has(target.uid));
    const looking = { freed: this.#freed, stuck: this.#stuck, follows: open, ...given({ atMostMs }) };
    for await (const event of aftermath(this.#plan, looking, this.#doors, this.#run)) {
      const ended = endedBy(event);
      if (ended !== undefined) this.#ended.add(ended.uid);
      this.#freed = this.#freed.filter(({ target }) => target.uid !== ended?.uid);
      yield event;
    }
  }

  async #perform(action: FinalizerAction): Promise<Outcome> {
    this.#started.add(action);
    // the last resort is for what cannot be freed; not for what could not be freed at this moment
    const inTheWay = action.where === 'spec' ? this.#mayGoLater : this.#stuck;
    const isBlocked = action.after.some(uid => inTheWay.has(uid));
    return isBlocked
      ? { is: 'failed', problem: notTried }
      : await freeOne(action, this.#plan, this.#doors, this.#run);
  }

  #remember(action: FinalizerAction, result: Outcome): void {
    if (result.is === 'removed' || result.is === 'unneeded') this.#freed.push(result.action ?? action);
    if (result.is !== 'failed') return;
    this.#stuck.add(action.target.uid);
    if (!refusals.has(result.problem.code)) this.#mayGoLater.add(action.target.uid);
    if (endsAll.has(result.problem.code)) this.#halt.abort();
  }
}

/** The server has said no, and would say it again. */
const refusals: ReadonlySet<ProblemCode> = new Set(['forbidden', 'invalid']);

function endedBy(event: Event): Ref | undefined {
  if (event.type === 'seen-gone') return event.target;
  return event.type === 'stays-held' ? event.left.target : undefined;
}

/** Freed before its leaves, it would leave them behind. */
const notTried: Problem = { code: 'invalid', text: 'not tried: what has to go before it could not be freed' };

async function toEvent(
  outcome: Outcome,
  action: FinalizerAction,
  plan: UnstickPlan,
  blame: Blame,
): Promise<Event> {
  if (outcome.is === 'failed') {
    const { problem } = outcome;
    return { type: 'not-freed', action, problem, blame: await blame(problem, action.target.kind) };
  }
  const state = plan.dryRun === 'server' && outcome.is === 'removed' ? 'dry-run' : outcome.is;
  return { type: 'freed', action: outcome.action ?? action, state };
}
