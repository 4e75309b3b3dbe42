// Runs a plan of `unstick`: removals wave by wave, leaves first; then the look at what became of them.
import type { Written } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { given } from '../model/given.ts';
import type { UnstickPlan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Ref } from '../model/ref.ts';
import { pool } from '../pool.ts';
import { aftermath } from './aftermath.ts';
import { blame } from './blame.ts';
import type { Doors, Run } from './doors.ts';
import { endsAll } from './ends-all.ts';
import { performFree, toProgress } from './perform.ts';

export async function* free(plan: UnstickPlan, doors: Doors, run: Run): AsyncGenerator<Event> {
  const work = new Work(plan, doors, run);
  const looks = plan.dryRun === 'none' && plan.aftermath.wait;
  yield* work.runAll(plan.actions.filter(({ where }) => where === 'metadata'));
  const last = plan.actions.filter(({ where }) => where === 'spec');
  // what may still go by itself is not abandoned
  if (last.length > 0 && looks && !work.isOver) yield* work.look([], goesAtOnceMs);
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
  #freed: FinalizerAction[] = [];
  /** Uids that could not be freed, or that were freed and stay. */
  readonly #stuck = new Set<string>();
  #done = 0;

  constructor(plan: UnstickPlan, doors: Doors, run: Run) {
    this.#plan = plan;
    this.#doors = doors;
    this.#run = run;
    this.#startedMs = run.elapsedMs();
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
        yield await toEvent(result, item, this.#plan, this.#doors);
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
    const looking = { freed: this.#freed, stuck: this.#stuck, follows, ...given({ atMostMs }) };
    for await (const event of aftermath(this.#plan, looking, this.#doors, this.#run)) {
      const ended =
        event.type === 'seen-gone'
          ? event.target
          : event.type === 'stays-held'
            ? event.left.target
            : undefined;
      if (ended !== undefined) this.#freed = this.#freed.filter(({ target }) => target.uid !== ended.uid);
      yield event;
    }
  }

  async #perform(action: FinalizerAction): Promise<Outcome> {
    this.#started.add(action);
    const leaf = action.after.find(uid => this.#stuck.has(uid));
    return leaf === undefined
      ? await freeOne(action, this.#plan, this.#doors, this.#run)
      : { is: 'failed', problem: notTried };
  }

  #remember(action: FinalizerAction, result: Outcome): void {
    if (result.is === 'removed' || result.is === 'unneeded') this.#freed.push(result.action ?? action);
    if (result.is !== 'failed') return;
    this.#stuck.add(action.target.uid);
    if (endsAll.has(result.problem.code)) this.#halt.abort();
  }
}

/** Freed before its leaves, it would leave them behind. */
const notTried: Problem = { code: 'invalid', text: 'not tried: what has to go before it could not be freed' };

type Outcome =
  | { readonly is: 'removed' | 'unneeded' | 'already-gone'; readonly action?: FinalizerAction }
  | { readonly is: 'failed'; readonly problem: Problem };

/** Somebody writes to the object all the time: each time it is read and decided on again, and the version is never left out. */
const mostTries = 20;
const pauseAfterTries = 5;
const pauseMs = 50;

async function freeOne(first: FinalizerAction, plan: UnstickPlan, doors: Doors, run: Run): Promise<Outcome> {
  let action = first;
  for (let tries = 1; ; tries += 1) {
    const written = await performFree(action, plan, doors.write);
    if (written.state === 'already-gone') return { is: 'already-gone' };
    if (written.state !== 'failed') return outcomeOf(written, action);
    const isLast = !isOutdated(written) || tries === mostTries || run.signal.aborted;
    if (isLast) return { is: 'failed', problem: afterTries(written.problem, tries) };
    // a writer that never rests is met at a moment of its own
    if (tries >= pauseAfterTries) await run.pause(pauseMs * (tries - pauseAfterTries + 1));
    const again = await decideAgain(action, plan.takenAt, doors, run);
    if ('is' in again) return again;
    action = again;
  }
}

/** 200 is not yet what was asked for: a mutating webhook may have put the name back on the way in (measured). */
function outcomeOf(written: Exclude<Written, { state: 'failed' }>, action: FinalizerAction): Outcome {
  const shown = written.state === 'done' && action.where === 'metadata' ? written.object : undefined;
  const kept = shown?.finalizers.filter(finalizer => action.remove.includes(finalizer)) ?? [];
  if (kept.length === 0) return { is: 'removed', action };
  const text = `the server answered 200, and the list still has ${kept.join(', ')}`;
  return { is: 'failed', problem: { code: 'invalid', text, rejection: { by: 'put-back' } } };
}

/** What the server says to one try says nothing of the others. */
const afterTries = (problem: Problem, tries: number): Problem =>
  tries < mostTries
    ? problem
    : { ...problem, text: `somebody writes to it all the time: ${tries} tries, each met a newer version` };

async function decideAgain(
  action: FinalizerAction,
  takenAt: Date,
  { read }: Doors,
  run: Run,
): Promise<Outcome | FinalizerAction> {
  const { kind, name, namespace } = action.target;
  const now = await read.getMetadata(kind, name, namespace);
  if (now.state === 'unreadable') return { is: 'failed', problem: now.problem };
  const next = run.freeing.nextTry(action, now.state === 'read' ? now.value : undefined, takenAt);
  if (next.do === 'write') return next.action;
  if (next.do === 'stop') {
    const text = `${next.writer} wrote to it a moment ago: its controller is at work after all`;
    return { is: 'failed', problem: { code: 'changed-since-read', text } };
  }
  return { is: next.because === 'gone' ? 'already-gone' : 'unneeded' };
}

/** A conflict; or a list from which another finalizer has gone meanwhile, which counts as adding it again. */
const isOutdated = (written: Extract<Written, { state: 'failed' }>): boolean =>
  written.problem.code === 'changed-since-read' ||
  /no new finalizers can be added/.test(written.problem.text);

async function toEvent(
  outcome: Outcome,
  action: FinalizerAction,
  plan: UnstickPlan,
  doors: Doors,
): Promise<Event> {
  if (outcome.is === 'failed') {
    const { problem } = outcome;
    return {
      type: 'not-freed',
      action,
      problem,
      blame: await blame(problem, action.target.kind, doors.read),
    };
  }
  const state = plan.dryRun === 'server' && outcome.is === 'removed' ? 'dry-run' : outcome.is;
  return { type: 'freed', action: outcome.action ?? action, state };
}
