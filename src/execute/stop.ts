// Runs a plan of `stop`: evidence into files, no new Jobs, the end of the work, evidence again, and a last look. Each step is done only
// when the one before it was.
import type { Event } from '../model/event.ts';
import type { StopPlan } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { JobProgress } from '../model/stopping.ts';
import { pool } from '../pool.ts';
import type { Doors, Run } from './doors.ts';
import { StopAuthority } from './stop-authority.ts';
import { askTheServer } from './stop-dry-run.ts';
import { StopEvidence } from './stop-save.ts';
import { lookAtSources, type Suspending, suspendSources } from './stop-sources.ts';
import { stopWork } from './stop-work.ts';

export async function* stop(plan: StopPlan, doors: Doors, run: Run): AsyncGenerator<Event> {
  const at: Suspending = { plan, doors, run, authority: new StopAuthority(plan) };
  if (plan.dryRun === 'server') yield* askTheServer(at);
  else if (plan.actions.length > 0) yield* stopForReal(at);
  yield { type: 'end', ms: Math.round(run.elapsedMs()), throttled: doors.read.throttled() };
}

async function* stopForReal(at: Suspending): AsyncGenerator<Event> {
  const { plan, run } = at;
  const { terms } = plan;
  const evidence = new StopEvidence(at);
  const isSaved = yield* evidence.save('before');
  if (!isSaved) {
    yield { type: 'stopped-half-way', notStarted: plan.actions.map(({ target }) => target) };
    return;
  }
  const isHeld = yield* suspendSources(at);
  if (run.signal.aborted) {
    yield { type: 'interrupted', notStarted: terms.jobs, left: [] };
    return;
  }
  if (!isHeld) {
    yield { type: 'stopped-half-way', notStarted: terms.jobs };
    return;
  }
  if (terms.suspendOnly) {
    yield* record(at, []);
    return;
  }
  const jobs = yield* stopWork(at);
  yield* evidence.save('after');
  yield* lookAtSources(at);
  yield* record(at, jobs);
}

/** `kubectl describe` then says who stopped it and why. One that cannot be written is no failure of the stop. */
async function* record(
  { plan, doors, run }: Suspending,
  jobs: readonly JobProgress[],
): AsyncGenerator<Event> {
  if (!plan.terms.mayRecord || run.signal.aborted) return;
  const { by, reason, sources } = plan.terms;
  const closed = jobs.filter(({ is }) => is === 'closed').map(({ target }) => target);
  const notes = [
    ...sources.map(about => ({ about, did: 'suspended' })),
    ...closed.map(about => ({ about, did: 'stopped' })),
  ];
  const write = ({ about, did }: { about: Ref; did: string }) => {
    const message = `${did} by ${by} with kubectl jobctl stop${reason === undefined ? '' : `: ${reason}`}`;
    return doors.write.recordEvent({ about, reason: 'StoppedByUser', message, at: doors.read.now() });
  };
  for await (const _ of pool(notes, plan.concurrency, run.signal, write)) {
    // nothing is said of each
  }
}
