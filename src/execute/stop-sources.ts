// First of all: what makes Jobs makes no more. Each is read right before its write, and looked at afterwards whether it held.
import type { Written } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import type { JobSource } from '../model/job-source.ts';
import { isScaledJobKind } from '../model/kind.ts';
import type { StopPlan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Ref } from '../model/ref.ts';
import type { StopAction } from '../model/stop-plan.ts';
import { pool } from '../pool.ts';
import { type Blame, blameBy } from './blame.ts';
import type { Doors, Run } from './doors.ts';
import { performStop, type StopAuthority } from './stop-authority.ts';

/** A CronJob's status is written at each of its runs, and so its version. */
const mostTries = 8;
const pauseMs = 100;
/** KEDA comes to a change of an annotation in a moment; one that does not run never does. */
const keda = { patienceMs: 15_000, pauseMs: 250 };

export interface Suspending {
  readonly plan: StopPlan;
  readonly doors: Doors;
  readonly run: Run;
  readonly authority: StopAuthority;
}

/** Answers whether it may go on: a Job is not ended while its CronJob goes on, which would start it again. */
export async function* suspendSources(at: Suspending): AsyncGenerator<Event, boolean> {
  const { plan, doors, run } = at;
  const planned = new Map(plan.actions.map(action => [action.target.uid, action]));
  const toWrite = plan.terms.sources.filter(({ uid }) => planned.has(uid));
  const blame = blameBy(doors.read);
  let isWhole = true;
  const started = new Set<string>();
  const write = async (target: Ref) => {
    started.add(target.uid);
    return await suspendOne(target, at);
  };
  for await (const { item, result } of pool(toWrite, plan.concurrency, run.signal, write)) {
    const first = planned.get(item.uid);
    if (result.is === 'failed') isWhole = false;
    if (first !== undefined) yield await toEvent(result, first, plan, blame);
  }
  const notStarted = toWrite.filter(({ uid }) => !started.has(uid));
  if (!isWhole || notStarted.length > 0) return false;
  for (const target of plan.dryRun === 'none' ? toWrite : []) yield* waitForPause(target, at);
  return true;
}

type Outcome =
  | { readonly is: 'done'; readonly action?: StopAction }
  | { readonly is: 'gone' }
  | { readonly is: 'failed'; readonly problem: Problem };

/** Until it is answered for good: what changed in between is read and decided on again. */
async function suspendOne(target: Ref, { plan, doors, run, authority }: Suspending): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const source = await doors.read.getJobSource(target.kind, target.name, target.namespace ?? '');
    if (source.state === 'unreadable') return { is: 'failed', problem: source.problem };
    if (source.state === 'absent' || source.value.ref.uid !== target.uid) return { is: 'gone' };
    const action = run.stopping.ofSource(source.value, plan, doors.read.now());
    if (action === undefined) return { is: 'done' };
    const written = await performStop(action, authority, doors.write);
    const isOver = tries === mostTries || run.signal.aborted;
    if (!isConflict(written) || isOver) return outcomeOf(written, action);
    await run.pause(pauseMs * tries);
  }
}

const isConflict = (written: Written): boolean =>
  written.state === 'failed' && written.problem.code === 'changed-since-read';

function outcomeOf(written: Written, action: StopAction): Outcome {
  if (written.state === 'failed') return { is: 'failed', problem: written.problem };
  return written.state === 'already-gone' ? { is: 'gone' } : { is: 'done', action };
}

async function toEvent(outcome: Outcome, first: StopAction, plan: StopPlan, blame: Blame): Promise<Event> {
  if (outcome.is === 'failed') {
    const { problem } = outcome;
    return { type: 'not-changed', action: first, problem, blame: await blame(problem, first.target.kind) };
  }
  const action = outcome.is === 'done' ? (outcome.action ?? first) : first;
  const state = outcome.is === 'gone' ? 'already-gone' : plan.dryRun === 'server' ? 'dry-run' : 'done';
  return { type: 'changed', action, state };
}

/** The pause of a ScaledJob works once KEDA has taken notice: until then it may make one more Job. */
async function* waitForPause(target: Ref, { doors, run }: Suspending): AsyncGenerator<Event> {
  if (!isScaledJobKind(target.kind)) return;
  const startedMs = run.elapsedMs();
  while (!run.signal.aborted) {
    const now = await doors.read.getJobSource(target.kind, target.name, target.namespace ?? '');
    if (now.state === 'absent' || (now.state === 'read' && now.value.pausedSeen === true)) return;
    if (run.elapsedMs() - startedMs >= keda.patienceMs) {
      yield { type: 'pause-not-seen', target };
      return;
    }
    await run.pause(keda.pauseMs);
  }
}

/** Whether what was written on a source still stands; one that cannot be read says nothing. */
export async function* lookAtSources({ plan, doors, run }: Suspending): AsyncGenerator<Event> {
  const look = (target: Ref) => doors.read.getJobSource(target.kind, target.name, target.namespace ?? '');
  for await (const { item, result } of pool(plan.terms.sources, plan.concurrency, run.signal, look)) {
    const isSame = result.state === 'read' && result.value.ref.uid === item.uid;
    if (isSame && isPutBack(result.value)) yield { type: 'put-back', target: item };
  }
}

const isPutBack = (source: JobSource): boolean => !source.suspended;
