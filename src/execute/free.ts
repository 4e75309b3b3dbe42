// Runs a plan of `unstick`: removals wave by wave, leaves first; then the look at what became of them.
import type { Written } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import type { UnstickPlan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { pool } from '../pool.ts';
import { aftermath } from './aftermath.ts';
import { blame } from './blame.ts';
import type { Doors, Run } from './doors.ts';
import { endsAll } from './ends-all.ts';
import { performFree, toProgress } from './perform.ts';

export async function* free(plan: UnstickPlan, doors: Doors, run: Run): AsyncGenerator<Event> {
  const halt = new AbortController();
  const signal = AbortSignal.any([run.signal, halt.signal]);
  const started = new Set<FinalizerAction>();
  const freed: FinalizerAction[] = [];
  const startedMs = run.elapsedMs();
  const perform = (action: FinalizerAction): Promise<Outcome> => {
    started.add(action);
    return freeOne(action, plan, doors, run);
  };
  let done = 0;
  for (const wave of wavesOf(plan)) {
    for await (const { item, result } of pool(wave, plan.concurrency, signal, perform)) {
      if (result.is !== 'failed') freed.push(result.action ?? item);
      else if (endsAll.has(result.problem.code)) halt.abort();
      yield await toEvent(result, item, plan, doors);
      done += 1;
      yield toProgress(done, plan.actions.length, startedMs, { doors, run });
    }
  }
  const notStarted = plan.actions.filter(action => !started.has(action)).map(({ target }) => target);
  if (run.signal.aborted) yield { type: 'interrupted', notStarted, left: [] };
  else if (halt.signal.aborted) yield { type: 'halted', notStarted };
  else yield* look(plan, freed, doors, run);
  yield { type: 'end', ms: Math.round(run.elapsedMs()), throttled: doors.read.throttled() };
}

async function* look(
  plan: UnstickPlan,
  freed: readonly FinalizerAction[],
  doors: Doors,
  run: Run,
): AsyncGenerator<Event> {
  if (plan.dryRun !== 'none' || !plan.aftermath.wait) return;
  yield* aftermath(plan, { freed, allFreed: freed.length === plan.actions.length }, doors, run);
}

function wavesOf(plan: UnstickPlan): FinalizerAction[][] {
  const waves = Map.groupBy(plan.actions, ({ wave }) => wave);
  return [...waves].sort(([a], [b]) => a - b).map(([, actions]) => actions);
}

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
    if (isLast) return { is: 'failed', problem: written.problem };
    // a writer that never rests is met at a moment of its own
    if (tries >= pauseAfterTries) await run.pause(pauseMs * (tries - pauseAfterTries + 1));
    const again = await decideAgain(action, doors, run);
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
  return { is: 'failed', problem: { code: 'invalid', text, rejection: { by: 'mutation' } } };
}

async function decideAgain(
  action: FinalizerAction,
  { read }: Doors,
  run: Run,
): Promise<Outcome | FinalizerAction> {
  const { kind, name, namespace } = action.target;
  const now = await read.getMetadata(kind, name, namespace);
  if (now.state === 'unreadable') return { is: 'failed', problem: now.problem };
  const next = run.freeing.nextTry(action, now.state === 'read' ? now.value : undefined);
  if (next.do === 'write') return next.action;
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
