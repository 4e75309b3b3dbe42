// The look after finalizers were removed: only what is seen to be gone is gone. What came back, or is held by another name, is told
// at once; what still goes is waited for, until the time is out.
import type { Event, Left } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { UnstickPlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import { never, pool } from '../pool.ts';
import { findCauses } from './causes.ts';
import type { Doors, Run } from './doors.ts';

const readsAtOnce = 8;
const firstPauseMs = 50;
const longestPauseMs = 2000;

interface Watched {
  readonly target: Ref;
  readonly as: 'target' | 'dependent';
  /** What was removed from it; none for what follows. */
  readonly actions: readonly FinalizerAction[];
}

export async function* aftermath(
  plan: UnstickPlan,
  { freed, allFreed }: { readonly freed: readonly FinalizerAction[]; readonly allFreed: boolean },
  doors: Doors,
  run: Run,
): AsyncGenerator<Event> {
  const startedMs = run.elapsedMs();
  const isLate = () =>
    plan.aftermath.timeoutMs > 0 && run.elapsedMs() - startedMs >= plan.aftermath.timeoutMs;
  let watched = watchedOf(plan, freed);
  let left: readonly Left[] = [];
  let allGo = allFreed;
  for (let pauseMs = firstPauseMs; !run.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const round = await lookAtEach(watched, doors, run);
    // reads that a Ctrl-C cut off say nothing
    if (run.signal.aborted) break;
    yield* round.events;
    left = round.left;
    const leftUids = new Set(left.map(({ target }) => target.uid));
    watched = watched.filter(({ target }) => leftUids.has(target.uid));
    if (watched.length === 0) return;
    allGo &&= !round.events.some(({ type }) => type === 'stays-held');
    if (!allGo && watched.every(({ as }) => as === 'dependent')) {
      // what they wait for does not go, so neither do they
      for (const item of left) yield { type: 'stays-held', left: item };
      return;
    }
    if (isLate()) {
      yield { type: 'timeout', afterMs: plan.aftermath.timeoutMs, ...(await findCauses(left, doors.read)) };
      return;
    }
    yield { type: 'waiting', left };
    await run.pause(pauseMs);
  }
  yield { type: 'interrupted', notStarted: [], left };
}

function watchedOf(plan: UnstickPlan, freed: readonly FinalizerAction[]): Watched[] {
  const byTarget = Map.groupBy(freed, ({ target }) => target.uid);
  const targets = [...byTarget.values()].map((actions): Watched[] => {
    const [first] = actions;
    return first === undefined ? [] : [{ target: first.target, as: 'target', actions }];
  });
  const followers = plan.aftermath.follows.map(
    (target): Watched => ({ target, as: 'dependent', actions: [] }),
  );
  return [...targets.flat(), ...followers];
}

interface Round {
  readonly events: readonly Event[];
  readonly left: readonly Left[];
}

async function lookAtEach(watched: readonly Watched[], doors: Doors, run: Run): Promise<Round> {
  const events: Event[] = [];
  const left: Left[] = [];
  const look = ({ target }: Watched) => doors.read.getMetadata(target.kind, target.name, target.namespace);
  for await (const { item, result } of pool(watched, readsAtOnce, never, look)) {
    const { target, as, actions } = item;
    if (result.state === 'unreadable') {
      left.push({ target, code: 'unreadable', facts: {} });
      continue;
    }
    const now = result.state === 'read' ? result.value : undefined;
    const became = run.freeing.became(target, actions, now, doors.read.now());
    if (became.is === 'held') events.push({ type: 'stays-held', left: became.left });
    if (became.is === 'going') left.push(became.left);
    if (became.is !== 'gone') continue;
    events.push({ type: 'seen-gone', target, as, by: 'us' });
    if (now !== undefined) events.push(madeAnew(now));
  }
  return { events, left };
}

/** The name is taken again: somebody makes the object anew, and it will be held in the same way when it goes. */
const madeAnew = (now: ObjectMeta): Event => ({
  type: 'made-anew',
  target: now.ref,
  by: now.writers?.[0]?.manager ?? '',
});
