// Runs a plan of `resume`: object by object, each read right before its write; then a look whether it held.
import type { ClusterReader, Read, Written } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import { isFinished } from '../model/job.ts';
import { isJobKind } from '../model/kind.ts';
import { type Change, type Memory, patchOf, writeMemory } from '../model/memory.ts';
import type { ResumePlan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Ref } from '../model/ref.ts';
import type { ResumeAction } from '../model/resume-plan.ts';
import type { Work } from '../model/stopping.ts';
import { pool } from '../pool.ts';
import { blameBy } from './blame.ts';
import { changedEvent } from './changed-event.ts';
import type { Doors, Run } from './doors.ts';
import { podsOfJobs } from './pods-of-jobs.ts';
import { untilAnswered } from './until-answered.ts';

export async function* resume(plan: ResumePlan, doors: Doors, run: Run): AsyncGenerator<Event> {
  const at: At = { plan, doors, run };
  const blame = blameBy(doors.read);
  // what is done to one object is done in its order, and not at all after a failure
  const byObject = [...Map.groupBy(plan.actions, ({ target }) => target.uid).values()];
  const started = new Set<string>();
  const given: ResumeAction[] = [];
  const perform = (actions: readonly ResumeAction[]) => {
    for (const { target } of actions) started.add(target.uid);
    return inOrder(actions, at);
  };
  for await (const { result } of pool(byObject, plan.concurrency, run.signal, perform))
    for (const { action, written } of result) {
      if (written.state === 'done') given.push(action);
      yield await changedEvent(action, written, plan.dryRun, blame);
    }
  const notStarted = plan.actions.map(({ target }) => target).filter(({ uid }) => !started.has(uid));
  if (run.signal.aborted) yield { type: 'interrupted', notStarted, left: [] };
  else if (plan.dryRun === 'none') yield* look(given, at);
  yield { type: 'end', ms: Math.round(run.elapsedMs()), throttled: doors.read.throttled() };
}

interface At {
  readonly plan: ResumePlan;
  readonly doors: Doors;
  readonly run: Run;
}

interface Done {
  readonly action: ResumeAction;
  readonly written: Written;
}

async function inOrder(actions: readonly ResumeAction[], at: At): Promise<Done[]> {
  const done: Done[] = [];
  for (const action of actions) {
    const written = await performResume(action, at);
    done.push({ action, written });
    if (written.state === 'failed' || written.state === 'already-gone') break;
  }
  if (at.plan.dryRun === 'none' && done.every(({ written }) => written.state === 'done'))
    await record(actions, at);
  return done;
}

/** The only place that writes for a resume. */
function performResume(action: ResumeAction, { doors, run }: At): Promise<Written> {
  return untilAnswered(async () => {
    const now = await readNow(action, doors.read, run);
    if (now.state === 'unreadable') return { state: 'failed', problem: now.problem };
    if (now.state === 'absent' || now.value.ref.uid !== action.target.uid) return { state: 'already-gone' };
    return await write(action, now.value, doors);
  }, run);
}

interface Now {
  readonly ref: Ref;
  readonly changes: readonly Change[];
  readonly servedAt?: Date | undefined;
  /** What of the memory is not given back now. */
  readonly stays?: Memory;
}

async function readNow(action: ResumeAction, read: ClusterReader, run: Run): Promise<Read<Now>> {
  const { kind, name, namespace = '' } = action.target;
  if (isJobKind(kind)) {
    const halves = await readHalves(name, namespace, read);
    if (halves.state !== 'read') return halves;
    const back = run.resuming.ofJob(halves.value, read.now());
    return back === undefined
      ? { state: 'unreadable', problem: wouldEnd }
      : { state: 'read', value: { ref: halves.value.job.ref, ...back } };
  }
  const source = await read.getJobSource(kind, name, namespace);
  if (source.state !== 'read') return source;
  const changes = run.resuming.ofSource(source.value, action.changes);
  const servedAt = run.resuming.servedAt(source.value, read.now());
  return { state: 'read', value: { ref: source.value.ref, changes, servedAt } };
}

const wouldEnd: Problem = {
  code: 'invalid',
  text: 'another stop has told its Pods to end meanwhile: given back now, its limits would end it',
};

/** The Pods before the Job: one that ends in between is counted once too often rather than not at all. */
async function readHalves(
  name: string,
  namespace: string,
  read: ClusterReader,
): Promise<Read<Pick<Work, 'job' | 'pods'>>> {
  const first = await read.getWorkingJob(name, namespace);
  if (first.state !== 'read') return first;
  const pods = await podsOfJobs(isFinished(first.value.state) ? [] : [first.value], namespace, read);
  if (pods.state !== 'read') return pods;
  const job = await read.getWorkingJob(name, namespace);
  return job.state === 'read' ? { state: 'read', value: { job: job.value, pods: pods.value } } : job;
}

async function write(
  action: ResumeAction,
  { ref, changes, servedAt, stays }: Now,
  { write }: Doors,
): Promise<Written> {
  switch (action.does) {
    case 'skip-missed': {
      if (servedAt === undefined) return { state: 'done' };
      const lastScheduleTime = servedAt.toISOString().replace(/\.\d+Z$/, 'Z');
      return await write.patchObject(ref, { status: { lastScheduleTime } }, 'status');
    }
    case 'run-now':
      return await write.createJobFrom(ref, action.jobName ?? '');
    case 'give-back':
    case 'release-evidence':
      return await write.patchObject(ref, patchOf(changes, stays === undefined ? null : writeMemory(stays)));
  }
}

/** Whether what was given back still stands. */
async function* look(done: readonly ResumeAction[], { plan, doors, run }: At): AsyncGenerator<Event> {
  const given = done.filter(({ does, target }) => does === 'give-back' && !isJobKind(target.kind));
  const see = ({ target }: ResumeAction) =>
    doors.read.getJobSource(target.kind, target.name, target.namespace ?? '');
  for await (const { item, result } of pool(given, plan.concurrency, run.signal, see)) {
    const isSame = result.state === 'read' && result.value.ref.uid === item.target.uid;
    const wasToGoOn = item.changes.some(({ was, set }) => (was === true && set === false) || set === null);
    if (isSame && wasToGoOn && result.value.suspended) yield { type: 'put-back', target: item.target };
  }
}

/** `kubectl describe` then says who resumed it. */
async function record([first]: readonly ResumeAction[], { plan, doors }: At): Promise<void> {
  if (first === undefined || !plan.terms.mayRecord) return;
  const message = `resumed by ${plan.terms.by} with kubectl jobctl resume`;
  await doors.write.recordEvent({
    about: first.target,
    reason: 'ResumedByUser',
    message,
    at: doors.read.now(),
  });
}
