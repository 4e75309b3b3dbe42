// The look after finalizers were removed: only what is seen to be gone is gone. What came back, or is held by another name, is told
// at once; what still goes is waited for, until the time is out.
import type { Read } from '../cluster/contract.ts';
import type { Event, Left } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { isDefinitionKind, resourceName } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { UnstickPlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { Became } from '../model/settling.ts';
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
  /** Uids, for what follows. */
  readonly waitsFor: readonly string[];
}

export interface Looking {
  readonly freed: readonly FinalizerAction[];
  /** Uids that could not be freed: what waits for them waits in vain. Those that turn out to stay are added. */
  readonly stuck: Set<string>;
  readonly follows: UnstickPlan['aftermath']['follows'];
  /** And then on, without a word about what is left. */
  readonly atMostMs?: number;
}

export async function* aftermath(
  plan: UnstickPlan,
  looking: Looking,
  doors: Doors,
  run: Run,
): AsyncGenerator<Event> {
  const startedMs = run.elapsedMs();
  const limitMs = looking.atMostMs ?? plan.aftermath.timeoutMs;
  const isLate = () => limitMs > 0 && run.elapsedMs() - startedMs >= limitMs;
  const isSilent = looking.atMostMs !== undefined;
  const eyes = new Eyes(looking, doors, run);
  for (let pauseMs = firstPauseMs; !run.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const events = await eyes.again();
    // reads that a Ctrl-C cut off say nothing
    if (run.signal.aborted) break;
    yield* events;
    if (eyes.left.length === 0 || (isSilent && isLate())) return;
    if (isLate()) {
      yield { type: 'timeout', afterMs: limitMs, ...(await findCauses(eyes.left, doors.read)) };
      return;
    }
    yield { type: 'waiting', left: eyes.left };
    await run.pause(pauseMs);
  }
  if (!isSilent) yield { type: 'interrupted', notStarted: [], left: eyes.left };
}

/** What is still watched, and what was seen of it last. */
class Eyes {
  readonly #stuck: Set<string>;
  readonly #doors: Doors;
  readonly #run: Run;
  readonly #goneDefinitions = new Set<string>();
  #watched: readonly Watched[];
  left: readonly Left[] = [];

  constructor(looking: Looking, doors: Doors, run: Run) {
    this.#stuck = looking.stuck;
    this.#doors = doors;
    this.#run = run;
    this.#watched = watchedOf(looking);
  }

  /** One look at each; what came to its end is no longer watched. */
  async again(): Promise<Event[]> {
    const events: Event[] = [];
    const left: Left[] = [];
    const { read } = this.#doors;
    const look = ({ target }: Watched) => read.getMetadata(target.kind, target.name, target.namespace);
    for await (const { item, result } of pool(this.#watched, readsAtOnce, never, look)) {
      const became = this.#became(item, result);
      if (became.is === 'going') left.push(became.left);
      else if (became.is === 'held') this.#stuck.add(item.target.uid);
      events.push(...endOf(item, became, result));
    }
    for (const event of events) if (event.type === 'seen-gone') this.#remember(event.target);
    const inVain = waitingInVain(this.#watched, this.#stuck);
    this.left = left.filter(({ target }) => !inVain.has(target.uid));
    const leftUids = new Set(this.left.map(({ target }) => target.uid));
    this.#watched = this.#watched.filter(({ target }) => leftUids.has(target.uid));
    const givenUp = left.filter(({ target }) => inVain.has(target.uid));
    return [...events, ...givenUp.map((item): Event => ({ type: 'stays-held', left: item }))];
  }

  #became({ target, actions }: Watched, result: Read<ObjectMeta>): Became {
    const isUnserved =
      result.state === 'unreadable' &&
      result.problem.code === 'not-served' &&
      this.#goneDefinitions.has(resourceName(target.kind));
    // the API server removes a definition after its objects: with it gone, they are gone too, and nothing answers for them
    if (isUnserved) return { is: 'gone' };
    if (result.state === 'unreadable')
      return { is: 'going', left: { target, code: 'unreadable', facts: {} } };
    const now = result.state === 'read' ? result.value : undefined;
    return this.#run.freeing.became(target, actions, now, this.#doors.read.now());
  }

  #remember({ kind, name }: Ref): void {
    if (isDefinitionKind(kind)) this.#goneDefinitions.add(name);
  }
}

function endOf({ target, as }: Watched, became: Became, result: Read<ObjectMeta>): Event[] {
  if (became.is === 'held') return [{ type: 'stays-held', left: became.left }];
  if (became.is === 'going') return [];
  const gone: Event = { type: 'seen-gone', target, as, by: 'us' };
  // the name is taken again: what makes such objects is at work
  return result.state === 'read' ? [gone, { type: 'made-anew', target: result.value.ref }] : [gone];
}

/** Followers of something that does not go, directly or through others. */
function waitingInVain(watched: readonly Watched[], stuck: ReadonlySet<string>): ReadonlySet<string> {
  const inVain = new Set<string>();
  for (let before = -1; before !== inVain.size; ) {
    before = inVain.size;
    for (const { target, waitsFor } of watched)
      if (waitsFor.some(uid => stuck.has(uid) || inVain.has(uid))) inVain.add(target.uid);
  }
  return inVain;
}

function watchedOf({ freed, follows }: Looking): Watched[] {
  const byTarget = Map.groupBy(freed, ({ target }) => target.uid);
  const targets = [...byTarget.values()].map((actions): Watched[] => {
    const [first] = actions;
    return first === undefined ? [] : [{ target: first.target, as: 'target', actions, waitsFor: [] }];
  });
  const followers = follows.map((one): Watched => ({ ...one, as: 'dependent', actions: [] }));
  return [...targets.flat(), ...followers];
}
