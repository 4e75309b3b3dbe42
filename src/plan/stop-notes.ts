// What `stop` says besides its verdicts: who may undo it, what cannot be promised, and what it would not have been needed for.
import { isFinished } from '../model/job.ts';
import type { JobSource } from '../model/job-source.ts';
import { isScaledJobKind } from '../model/kind.ts';
import { controllerOf } from '../model/object.ts';
import type { Finding } from '../model/plan.ts';
import { label } from '../model/ref.ts';
import type { Note } from '../model/why.ts';
import type { WorkingJob } from '../model/working-job.ts';
import { isActive, type WorkingPod } from '../model/working-pod.ts';
import { withoutEvidence } from './guards.ts';
import { bringsUpNext, indexesLeft } from './lifted-limits.ts';
import { managedOnce } from './managed.ts';
import { overrideNotes } from './overrides.ts';
import type { About } from './stop-verdicts.ts';

export function stopNotes(findings: readonly Finding[], { snapshot, options, podsOf }: About): Note[] {
  const stopped = new Set(
    findings.filter(({ verdict }) => verdict === 'stop').map(({ target }) => target.uid),
  );
  const sources = snapshot.sources.filter(({ ref }) => stopped.has(ref.uid));
  const jobs = snapshot.jobs.filter(({ ref }) => stopped.has(ref.uid));
  const saves = !options.noSave && !options.suspendOnly && jobs.length > 0;
  return [
    ...overrideNotes(
      options,
      { includeHooks: false },
      { targets: [...sources, ...jobs].map(withoutEvidence) },
    ),
    ...sources.flatMap(source => sourceNotes(source, snapshot.jobs)),
    ...managedOnce(jobs, sources, ({ tool }) => (saidOfJob.has(tool) ? undefined : 'may-be-put-back')),
    ...jobs.flatMap(job => {
      const active = podsOf(job).filter(isActive);
      const otherOwner = snapshot.otherOwners.get(job.ref.uid);
      return [
        ...jobNotes(job, active, otherOwner),
        ...active.flatMap(pod => podNotes(pod, snapshot.silentNodes)),
      ];
    }),
    ...(snapshot.mayRecord ? [] : [{ code: 'no-event' as const, facts: {} }]),
    ...(saves || jobs.length === 0 ? [] : [nothingSaved(jobs.flatMap(podsOf))]),
  ];
}

/** A kubelet keeps one ended container of a name in a Pod, so that the last end takes the log of the one before. */
function nothingSaved(pods: readonly WorkingPod[]): Note {
  const restarted = pods.filter(pod => pod.containers.some(({ restarts }) => restarts > 0)).length;
  return { code: 'nothing-saved', facts: { restarted } };
}

/** A queue is told of each Job, and a Job that another controller drives is not stopped. */
const saidOfJob: ReadonlySet<string> = new Set(['kueue', 'managed-by']);

function sourceNotes(source: JobSource, jobs: readonly WorkingJob[]): Note[] {
  const object = label(source.ref);
  const notes: Note[] = source.managers.map(({ tool, name }) => ({
    code: 'may-be-put-back',
    facts: { object, tool, name },
  }));
  // only what is owned counts (S14): the list in the status may name Jobs that are gone
  const own = jobs.filter(job => controllerOf(job)?.uid === source.ref.uid && !isFinished(job.state));
  const names = new Set(own.map(({ ref }) => ref.name));
  const stale = source.listedActive.filter(name => !names.has(name));
  if (stale.length > 0)
    notes.push({ code: 'stale-active', facts: { object, names: stale.join(', '), running: own.length } });
  if (isScaledJobKind(source.ref.kind))
    notes.push({
      code: 'keda-history',
      facts: { object, successful: source.keepSucceeded, failed: source.keepFailed },
    });
  return notes;
}

function jobNotes(job: WorkingJob, active: readonly WorkingPod[], otherOwner: string | undefined): Note[] {
  const object = label(job.ref);
  const notes: Note[] = [];
  const add = (is: boolean, code: Note['code'], facts: Note['facts'] = {}) => {
    if (is) notes.push({ code, facts: { object, ...facts } });
  };
  add(otherOwner !== undefined, 'owner-starts-more', {
    owner: otherOwner ?? '',
    namespace: job.ref.namespace ?? '',
  });
  const queue = job.managers.find(({ tool }) => tool === 'kueue');
  add(queue !== undefined, 'queued', { queue: queue?.name ?? '' });
  add(job.hasSuccessPolicy && active.length > 1, 'success-policy');
  const failRules = job.failureRules.some(({ action }) => action === 'FailJob');
  add(failRules && active.length > 1, 'fail-job-possible');
  const rest = indexesLeft(job, active.length);
  add(rest > 0 && active.length > 0 && bringsUpNext(job, active.length), 'other-indexes', { count: rest });
  return notes;
}

function podNotes(pod: WorkingPod, silentNodes: ReadonlySet<string>): Note[] {
  const object = label(pod.ref);
  const own = pod.containers.filter(({ kind }) => kind === 'container');
  const isDone = own.some(({ is, exitCode }) => is === 'terminated' && exitCode === 0);
  const running = own.filter(({ is }) => is === 'running').map(({ name }) => name);
  const notes: Note[] = [];
  // P07: a sidecar keeps it Running; the stop ends it as Failed
  if (isDone && running.length > 0)
    notes.push({ code: 'work-is-done', facts: { object, running: running.join(', ') } });
  if (pod.node !== undefined && silentNodes.has(pod.node))
    notes.push({ code: 'node-silent', facts: { object, node: pod.node } });
  return notes;
}
