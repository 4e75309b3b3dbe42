// The deletes of a plan, many at once: one for each target, after a last look where the plan asks for one.
import type { Written } from '../cluster/contract.ts';
import type { DeleteAction } from '../model/delete-action.ts';
import type { Event } from '../model/event.ts';
import { isTerminating } from '../model/object.ts';
import type { DeletePlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import { pool } from '../pool.ts';
import type { Doors, Run } from './doors.ts';
import { endsAll } from './ends-all.ts';
import { GoneJobs } from './gone-jobs.ts';
import { performDelete, toEvent, toProgress } from './perform.ts';
import type { Outcome } from './settle.ts';

interface Deleted extends Outcome {
  readonly notStarted: readonly Ref[];
  /** The server is not to be reached any more. */
  readonly isHalted: boolean;
}

export async function* deleteTargets(
  plan: DeletePlan,
  doors: Doors,
  run: Run,
): AsyncGenerator<Event, Deleted> {
  const failed = new Set<string>();
  const held = new Set(plan.settle.targets.map(target => target.uid));
  const started = new Set<string>();
  const halt = new AbortController();
  const goneJobs = new GoneJobs(doors.read, run.elapsedMs);
  const perform = async (action: DeleteAction): Promise<Answer> => {
    started.add(action.target.uid);
    const kept = await keptBack(action, goneJobs);
    if (kept !== undefined) return kept;
    return await afterConflict(action, await performDelete(action, plan, doors.write), doors);
  };
  const startedMs = run.elapsedMs();
  const signal = AbortSignal.any([run.signal, halt.signal]);
  let done = 0;
  for await (const { item, result } of pool(plan.actions, plan.concurrency, signal, perform)) {
    if (result.state === 'failed' || result.state === 'spared') failed.add(item.target.uid);
    if (result.state === 'failed' && endsAll.has(result.problem.code)) halt.abort();
    if (result.state !== 'held') held.delete(item.target.uid);
    yield result.state === 'spared'
      ? { type: 'spared', target: item.target, job: result.job }
      : toEvent(item, result, 'target', plan.dryRun === 'server');
    done += 1;
    yield toProgress(done, plan.actions.length, startedMs, { doors, run });
  }
  const notStarted = plan.actions.map(action => action.target).filter(target => !started.has(target.uid));
  for (const target of notStarted) failed.add(target.uid);
  return { failed, held, notStarted, isHalted: halt.signal.aborted };
}

type Answer =
  | Written
  /** The Job of a leaked Pod is there after all. */
  | { readonly state: 'spared'; readonly job: string };

/** What keeps a delete from being sent at all. */
async function keptBack({ whileGone }: DeleteAction, jobs: GoneJobs): Promise<Answer | undefined> {
  if (whileGone === undefined) return undefined;
  const sight = await jobs.look(whileGone);
  if (sight === 'gone') return undefined;
  return sight === 'there'
    ? { state: 'spared', job: whileGone.name }
    : { state: 'failed', problem: sight.problem };
}

/**
 * 409 on a delete: the name may belong to another object now, and then ours is gone. Pinned by its version, an object that is terminating
 * by an earlier try of ours whose answer was lost is not what was looked at any more either.
 */
async function afterConflict(action: DeleteAction, written: Written, { read }: Doors): Promise<Written> {
  if (written.state !== 'failed' || written.problem.code !== 'changed-since-read') return written;
  const { kind, name, namespace, uid } = action.target;
  const mayBeOurs = written.mayHaveArrivedBefore === true;
  const now = await read.getMetadata(kind, name, namespace);
  if (now.state === 'unreadable') return written;
  if (now.state === 'absent' || now.value.ref.uid !== uid)
    return { state: mayBeOurs ? 'gone' : 'already-gone' };
  return mayBeOurs && isTerminating(now.value) ? { state: 'held', object: now.value } : written;
}
