// First of all: what makes Jobs makes no more. Each is read right before its write, and looked at afterwards whether it held.
import type { Written } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import { given } from '../model/given.ts';
import { isScaledJobKind } from '../model/kind.ts';
import type { StopPlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { StopAction } from '../model/stop-plan.ts';
import { pool } from '../pool.ts';
import { blameBy } from './blame.ts';
import { changedEvent } from './changed-event.ts';
import type { Doors, Run } from './doors.ts';
import { performStop, type StopAuthority } from './stop-authority.ts';
import { untilAnswered } from './until-answered.ts';

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
    const { written, action = first } = result;
    if (written.state === 'failed') isWhole = false;
    if (action !== undefined) yield await changedEvent(action, written, plan.dryRun, blame);
  }
  const notStarted = toWrite.filter(({ uid }) => !started.has(uid));
  if (!isWhole || notStarted.length > 0) return false;
  for (const target of plan.dryRun === 'none' ? toWrite : []) yield* waitForPause(target, at);
  return true;
}

export interface Suspended {
  readonly written: Written;
  /** As it was written at last; absent where nothing was left to be written. */
  readonly action?: StopAction;
}

/** Read right before its write, and again after a conflict. */
export async function suspendOne(
  target: Ref,
  { plan, doors, run, authority }: Suspending,
): Promise<Suspended> {
  let action: StopAction | undefined;
  const written = await untilAnswered(async () => {
    const source = await doors.read.getJobSource(target.kind, target.name, target.namespace ?? '');
    if (source.state === 'unreadable') return { state: 'failed', problem: source.problem };
    if (source.state === 'absent' || source.value.ref.uid !== target.uid) return { state: 'already-gone' };
    action = run.stopping.ofSource(source.value, plan, doors.read.now());
    return action === undefined ? { state: 'done' } : await performStop(action, authority, doors.write);
  }, run);
  return { written, ...given({ action }) };
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
    if (isSame && !result.value.suspended) yield { type: 'put-back', target: item };
  }
}
