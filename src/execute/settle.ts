// The wait, a story in three lines: look what is still there; ask the rule what may be deleted now and what is left; act, until
// nothing is left or time is out. Dependents that the plan has shown go right after their owners, because the garbage collector
// works through 20 objects a second (measured on 1.34 to 1.37) and we do not.
import type { Written } from '../cluster/contract.ts';
import type { DeleteAction } from '../model/delete-action.ts';
import type { Event, Left } from '../model/event.ts';
import type { DeletePlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import { pool } from '../pool.ts';
import { findCauses } from './causes.ts';
import type { Doors, Run } from './doors.ts';
import { GraceEnds } from './grace-end.ts';
import { Look } from './look.ts';
import { performDelete, toEvent, toProgress } from './perform.ts';

export interface Outcome {
  /** Targets that will not go, by uid. */
  readonly failed: ReadonlySet<string>;
  /** Targets whose end was not seen in the answer to their delete. */
  readonly held: ReadonlySet<string>;
}

const firstPauseMs = 100;
const longestPauseMs = 2000;

export async function* settle(
  plan: DeletePlan,
  outcome: Outcome,
  doors: Doors,
  run: Run,
): AsyncGenerator<Event> {
  const look = new Look(plan, outcome.held, doors.read);
  const memory = new Memory(plan, outcome);
  const graceEnds = new GraceEnds(plan, doors.read);
  const startedMs = run.elapsedMs();
  const isLate = () => plan.settle.timeoutMs > 0 && run.elapsedMs() - startedMs >= plan.settle.timeoutMs;
  let pauseMs = firstPauseMs;
  let left: readonly Left[] = [];
  while (!run.signal.aborted) {
    const present = await look.again();
    // reads that a Ctrl-C cut off say nothing: what is told then is what was seen last
    if (run.signal.aborted) break;
    await graceEnds.look(present);
    const step = run.settling(plan.settle, present, memory, doors.read.now());
    yield* memory.newlyGone(step.gone.map(target => target.uid));
    yield* graceEnds.goneNow(step.gone);
    left = step.left.map(item => memory.withProblem(item));
    if (left.length === 0 && look.wasWhole) return;
    look.narrowTo(left);
    if (left.length === 0) continue;
    if (isLate()) {
      yield { type: 'timeout', afterMs: plan.settle.timeoutMs, ...(await findCauses(left, doors.read)) };
      return;
    }
    yield { type: 'waiting', left };
    yield* deleteDependents(step.deletes, plan, { doors, run, memory });
    if (step.deletes.length === 0) await run.pause(graceEnds.pauseMs(pauseMs));
    pauseMs = step.deletes.length > 0 ? firstPauseMs : Math.min(pauseMs * 1.5, longestPauseMs);
  }
  yield { type: 'interrupted', notStarted: [], left };
}

interface At {
  readonly doors: Doors;
  readonly run: Run;
  readonly memory: Memory;
}

async function* deleteDependents(
  deletes: readonly DeleteAction[],
  plan: DeletePlan,
  at: At,
): AsyncGenerator<Event> {
  const perform = (action: DeleteAction) => performDelete(action, plan, at.doors.write);
  const startedMs = at.run.elapsedMs();
  let done = 0;
  for await (const { item, result } of pool(deletes, plan.concurrency, at.run.signal, perform)) {
    yield* at.memory.remember(item, result);
    done += 1;
    yield toProgress(done, deletes.length, startedMs, at);
  }
}

/** What was sent and seen so far. */
class Memory {
  readonly versions = new Map<string, string>();
  readonly failed: Set<string>;
  readonly #refs = new Map<string, { readonly target: Ref; readonly as: 'target' | 'dependent' }>();
  readonly #reported = new Set<string>();
  readonly #accepted = new Set<string>();
  readonly #problems = new Map<string, string>();

  constructor(plan: DeletePlan, outcome: Outcome) {
    this.failed = new Set(outcome.failed);
    const { targets, dependents } = plan.settle;
    for (const target of targets) this.#refs.set(target.uid, { target, as: 'target' });
    for (const { target } of dependents) this.#refs.set(target.uid, { target, as: 'dependent' });
    for (const target of targets) {
      this.#accepted.add(target.uid);
      if (!outcome.held.has(target.uid)) this.#reported.add(target.uid);
    }
  }

  *newlyGone(uids: readonly string[]): Generator<Event> {
    for (const uid of uids) {
      const ref = this.#refs.get(uid);
      if (ref === undefined || this.#reported.has(uid)) continue;
      this.#reported.add(uid);
      yield { type: 'seen-gone', ...ref, by: this.#accepted.has(uid) ? 'us' : 'collector' };
    }
  }

  *remember(action: DeleteAction, written: Written): Generator<Event> {
    const { uid, resourceVersion } = action.target;
    if (written.state !== 'failed') {
      this.versions.set(uid, resourceVersion);
      if (written.state !== 'already-gone') this.#accepted.add(uid);
      if (written.state === 'gone' || written.state === 'already-gone') this.#reported.add(uid);
      yield toEvent(action, written, 'dependent');
      return;
    }
    this.#problems.set(uid, written.problem.text);
    // it changed in between: the next look decides again
    if (written.problem.code === 'changed-since-read') return;
    // no right after all, or an admission rule: the collector is still there
    if (written.problem.code === 'forbidden') this.versions.set(uid, resourceVersion);
    else {
      this.failed.add(uid);
      yield toEvent(action, written, 'dependent');
    }
  }

  withProblem(left: Left): Left {
    const problem = this.#problems.get(left.target.uid);
    return problem === undefined ? left : { ...left, facts: { ...left.facts, problem } };
  }
}
