// `stop --dry-run=server`: each first write is checked by the server, and nothing is followed, because nothing moves. A write that meets
// somebody else's is decided on again, as it would be in earnest: a Job's own controller writes its status at any moment.
import type { Written } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import type { StopAction } from '../model/stop-plan.ts';
import { pool } from '../pool.ts';
import { blameBy } from './blame.ts';
import { changedEvent } from './changed-event.ts';
import { performStop } from './stop-authority.ts';
import { StopEyes } from './stop-eyes.ts';
import { type Suspending, suspendOne } from './stop-sources.ts';
import { untilAnswered } from './until-answered.ts';

export async function* askTheServer(at: Suspending): AsyncGenerator<Event> {
  const { plan, doors, run } = at;
  const blame = blameBy(doors.read);
  const sources = new Set(plan.terms.sources.map(({ uid }) => uid));
  const ask = async (action: StopAction): Promise<Written> =>
    sources.has(action.target.uid)
      ? (await suspendOne(action.target, at)).written
      : await askAboutWork(action, at);
  for await (const { item, result } of pool(plan.actions, plan.concurrency, run.signal, ask))
    yield await changedEvent(item, result, plan.dryRun, blame);
}

/** As it was planned first; after a conflict, what the rule asks for now. */
async function askAboutWork(action: StopAction, at: Suspending): Promise<Written> {
  let next: StopAction | undefined = action;
  return await untilAnswered(async () => {
    if (next === undefined) return { state: 'done' };
    const written = await performStop(next, at.authority, at.doors.write);
    if (written.state === 'failed' && written.problem.code === 'changed-since-read')
      next = await decideAgain(next, at);
    return written;
  }, at.run);
}

/** Undefined: nothing is left to be written on it. Where its Job cannot be read, nothing is known, and it stays as it was decided. */
async function decideAgain(action: StopAction, { plan, doors, run }: Suspending) {
  const { target, under } = action;
  const job = plan.terms.jobs.find(({ uid }) => uid === target.uid || uid === under);
  const work = job === undefined ? undefined : await new StopEyes(plan, doors.read).lookAgain(job);
  if (work === undefined) return action;
  return run.stopping
    .firstWrites(work, plan, doors.read.now())
    .find(again => again.target.uid === target.uid);
}
