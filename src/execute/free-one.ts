// One removal, until it is answered for good: what changed in between is read and decided on again, and the version is never left out.
import type { Written } from '../cluster/contract.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import type { UnstickPlan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Doors, Run } from './doors.ts';
import { performFree } from './perform.ts';

export type Outcome =
  /** `action`: as it was written at last. */
  | { readonly is: 'removed' | 'unneeded' | 'already-gone'; readonly action?: FinalizerAction }
  | { readonly is: 'failed'; readonly problem: Problem };

/** Somebody may write to the object all the time. */
const mostTries = 20;
const pauseAfterTries = 5;
const pauseMs = 50;

export async function freeOne(
  first: FinalizerAction,
  plan: UnstickPlan,
  doors: Doors,
  run: Run,
): Promise<Outcome> {
  let action = first;
  let arrived = false;
  for (let tries = 1; ; tries += 1) {
    const written = await performFree(action, plan, doors.write);
    if (written.state !== 'failed') return outcomeOf(written, action);
    arrived ||= written.mayHaveArrivedBefore === true;
    const isLast = !isOutdated(written) || tries === mostTries || run.signal.aborted;
    if (isLast) return { is: 'failed', problem: afterTries(written.problem, tries) };
    // a writer that never rests is met at a moment of its own
    if (tries >= pauseAfterTries) await run.pause(pauseMs * (tries - pauseAfterTries + 1));
    const again = await decideAgain(action, plan.takenAt, doors, run);
    if ('is' in again) return arrived ? asOurs(again, action) : again;
    action = again;
  }
}

/** A try whose answer was lost may be the reason that nothing is left to do: then it was ours. */
const asOurs = (outcome: Outcome, action: FinalizerAction): Outcome =>
  outcome.is === 'failed' ? outcome : { is: 'removed', action };

/** What the server says to one try says nothing of the others. */
const afterTries = (problem: Problem, tries: number): Problem =>
  tries < mostTries
    ? problem
    : { ...problem, text: `somebody writes to it all the time: ${tries} tries, each met a newer version` };

/** 200 is not yet what was asked for: a mutating webhook may have put the name back on the way in (measured). */
function outcomeOf(written: Exclude<Written, { state: 'failed' }>, action: FinalizerAction): Outcome {
  if (written.state === 'already-gone') return { is: 'already-gone' };
  const shown = written.state === 'done' && action.where === 'metadata' ? written.object : undefined;
  const kept = shown?.finalizers.filter(finalizer => action.remove.includes(finalizer)) ?? [];
  if (kept.length === 0) return { is: 'removed', action };
  const text = `the server answered 200, and the list still has ${kept.join(', ')}`;
  return { is: 'failed', problem: { code: 'invalid', text, rejection: { by: 'put-back' } } };
}

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
