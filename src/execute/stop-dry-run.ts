// `stop --dry-run=server`: each first write is checked by the server, and nothing is followed, because nothing moves. A write that meets
// somebody else's is decided on again, as it would be in earnest: a Job's own controller writes its status at any moment.
import type { Event } from '../model/event.ts';
import { given } from '../model/given.ts';
import type { StopAction } from '../model/stop-plan.ts';
import { pool } from '../pool.ts';
import { blameBy } from './blame.ts';
import { changedEvent } from './changed-event.ts';
import { performStop } from './stop-authority.ts';
import { StopEyes } from './stop-eyes.ts';
import { type Suspended, type Suspending, suspendOne } from './stop-sources.ts';
import { untilAnswered } from './until-answered.ts';

export async function* askTheServer(at: Suspending): AsyncGenerator<Event> {
  const { plan, doors, run } = at;
  const blame = blameBy(doors.read);
  const sources = new Set(plan.terms.sources.map(({ uid }) => uid));
  const started = new Set<StopAction>();
  const ask = async (action: StopAction): Promise<Suspended> => {
    started.add(action);
    return sources.has(action.target.uid)
      ? await suspendOne(action.target, at)
      : await askAboutWork(action, at);
  };
  for await (const { result } of pool(plan.actions, plan.concurrency, run.signal, ask)) {
    const { written, action } = result;
    if (action !== undefined) yield await changedEvent(action, written, plan.dryRun, blame);
  }
  const notStarted = plan.actions.filter(action => !started.has(action)).map(({ target }) => target);
  if (run.signal.aborted) yield { type: 'interrupted', notStarted, left: [] };
}

/** As it was planned first; after a conflict, what the rule asks for now. Without an action, nothing was left to be asked about. */
async function askAboutWork(planned: StopAction, at: Suspending): Promise<Suspended> {
  let action: StopAction | undefined = planned;
  const written = await untilAnswered(async () => {
    if (action === undefined) return { state: 'done' };
    const answer = await performStop(action, at.authority, at.doors.write);
    if (answer.state === 'failed' && answer.problem.code === 'changed-since-read')
      action = await decideAgain(action, at);
    return answer;
  }, at.run);
  return { written, ...given({ action }) };
}

/** Undefined: nothing is left to be written on it. Where its Job cannot be read, nothing is known, and it stays as it was decided. */
async function decideAgain(action: StopAction, { plan, doors, run }: Suspending) {
  const { target, under } = action;
  const job = plan.terms.jobs.find(({ uid }) => uid === target.uid || uid === under);
  const work = job === undefined ? undefined : await new StopEyes(plan, doors.read).lookAgain(job);
  if (work === undefined) return action;
  return run.stopping
    .firstWrites(work, plan, doors.read.now())
    .find(again => again.target.uid === target.uid && again.changes.length > 0);
}
