// The waiting part of a stop, a story in three lines: look at the Jobs and their Pods; ask the rule what each needs next; write that,
// until every Job has its end and no container runs. A Job that cannot be written to is left as it is, and said.
import type { Event } from '../model/event.ts';
import type { JobProgress } from '../model/stopping.ts';
import { findCauses } from './causes.ts';
import { StopRounds } from './stop-rounds.ts';
import type { Suspending } from './stop-sources.ts';

const pauses = { afterWritesMs: 100, firstMs: 200, longestMs: 1000 } as const;

/** Answers the Jobs as they were seen last. */
export async function* stopWork(at: Suspending): AsyncGenerator<Event, readonly JobProgress[]> {
  const { run } = at;
  const work = new StopRounds(at);
  const pace = new Pace();
  while (!run.signal.aborted && !work.isHalted) {
    yield* work.look();
    // reads that a Ctrl-C cut off say nothing
    if (run.signal.aborted) break;
    if (work.isOver) return yield* done(work);
    if (work.isLate) return yield* timedOut(work, at);
    if (work.open.length > 0) yield { type: 'work', jobs: work.open };
    const wrote = yield* work.write();
    await run.pause(pace.after(wrote));
  }
  yield work.isHalted
    ? { type: 'halted', notStarted: work.open.map(({ target }) => target) }
    : { type: 'interrupted', notStarted: [], left: work.left };
  return work.progress;
}

/** What was given up stays as it is: that part of the work may run on. */
async function* done(work: StopRounds): AsyncGenerator<Event, readonly JobProgress[]> {
  const left = work.givenUp;
  if (left.length > 0) yield { type: 'given-up', left };
  return work.progress;
}

async function* timedOut(
  work: StopRounds,
  { plan, doors }: Suspending,
): AsyncGenerator<Event, readonly JobProgress[]> {
  await work.askAllNodes();
  const { left, causes } = await findCauses(work.left, doors.read);
  yield { type: 'timeout', afterMs: plan.terms.timeoutMs, left, causes };
  return work.progress;
}

class Pace {
  #ms: number = pauses.firstMs;

  after(wrote: boolean): number {
    this.#ms = wrote ? pauses.firstMs : Math.min(this.#ms * 1.3, pauses.longestMs);
    return wrote ? pauses.afterWritesMs : this.#ms;
  }
}
