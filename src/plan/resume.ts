// `resume`, the decision: what is given back on which object, and what the controllers will do because of it.
import { given } from '../model/given.ts';
import { isFinished } from '../model/job.ts';
import { type JobSource, paths } from '../model/job-source.ts';
import { isCronJobKind } from '../model/kind.ts';
import type { Change } from '../model/memory.ts';
import { controllerOf } from '../model/object.ts';
import type { ResumeOptions } from '../model/options.ts';
import type { Danger, Finding, ResumePlan, Verdict } from '../model/plan.ts';
import { label, type Ref } from '../model/ref.ts';
import type { ResumeAction } from '../model/resume-plan.ts';
import type { ResumeSnapshot } from '../model/stop-snapshot.ts';
import type { Note, Why } from '../model/why.ts';
import type { WorkingJob } from '../model/working-job.ts';
import { assembleResume } from './assemble.ts';
import { type GivenBack, giveBackToJob, giveBackToSource } from './give-back.ts';
import { leftAlone } from './guards.ts';
import { inPlaceOrder } from './order.ts';
import { resumeNotes } from './resume-notes.ts';
import { forecastOf, servedAt } from './schedule-facts.ts';

export function planResume(
  snapshot: ResumeSnapshot,
  options: ResumeOptions,
  chosen?: ReadonlySet<string>,
): ResumePlan {
  const about: About = { snapshot: inOrder(snapshot), options, chosen };
  const sources = about.snapshot.sources.map(source => ofSource(source, about));
  const jobs = about.snapshot.jobs.filter(job => isWorthSaying(job, snapshot)).map(job => ofJob(job, about));
  const parts = [...sources, ...jobs];
  const resumed = new Set(parts.filter(isResumed).map(({ finding }) => finding.target.uid));
  return assembleResume(snapshot, options, {
    findings: parts.map(({ finding }) => finding),
    actions: parts.flatMap(({ actions }) => actions),
    notes: [...resumeNotes(resumed, about.snapshot, options), ...parts.flatMap(finishNotes)],
    dangers: dangersOf(sources),
    contents: 0,
    terms: { by: snapshot.user, mayRecord: snapshot.mayRecord },
  });
}

/** A half-stopped Job that cannot go on as it was. */
const finishNotes = ({ finding: { why } }: Part): Note[] =>
  why.code === 'limit-would-end-it' ? [{ code: 'finish-the-stop', facts: why.facts ?? {} }] : [];

interface Part {
  readonly finding: Finding;
  readonly actions: readonly ResumeAction[];
}

interface About {
  readonly snapshot: ResumeSnapshot;
  readonly options: ResumeOptions;
  readonly chosen: ReadonlySet<string> | undefined;
}

const isResumed = ({ finding }: Part): boolean => finding.verdict === 'resume';

const inOrder = (snapshot: ResumeSnapshot): ResumeSnapshot => ({
  ...snapshot,
  sources: inPlaceOrder(snapshot.sources),
  jobs: inPlaceOrder(snapshot.jobs),
});

/** Of the Jobs of a source, those that a stop has kept; of those that were asked for, each. */
const isWorthSaying = ({ remembered, ref }: WorkingJob, { asked }: ResumeSnapshot): boolean =>
  remembered.state === 'remembered' || remembered.state === 'unreadable' || asked.get(ref.uid) === 'named';

function ofSource(source: JobSource, about: About): Part {
  const { remembered, suspended, ref } = source;
  const { changes, conflicts } = giveBackToSource(source);
  // nothing tells how it was: what everybody expects of a resume is offered, and asked for
  const set: readonly Change[] = isForgotten(source) ? unsuspend(source) : changes;
  const memory = remembered.state === 'remembered' ? remembered.memory : undefined;
  const seen: Finding['seen'] = { as: 'source', suspended, changes: set, ...given({ memory }) };
  const { verdict, why } = verdictOf(source, conflicts.length, about);
  const finding: Finding = { target: ref, verdict, why, seen };
  if (verdict !== 'resume') return { finding, actions: runNow(source, finding, about) };
  const giveBack: ResumeAction = { target: ref, does: 'give-back', changes: set };
  return {
    finding,
    actions: [...skipMissed(source, set, about), giveBack, ...runNow(source, finding, about)],
  };
}

/** A memory that was copied from another object is none of this one. */
const isForgotten = ({ remembered }: JobSource): boolean =>
  remembered.state === 'none' || remembered.state === 'foreign';

function unsuspend({ ref, suspended, pausedAnnotation }: JobSource): Change[] {
  if (!suspended) return [];
  return isCronJobKind(ref.kind)
    ? [{ path: paths.suspend, was: true, set: false }]
    : [{ path: paths.paused, was: pausedAnnotation ?? null, set: null }];
}

function verdictOf(
  source: JobSource,
  conflicts: number,
  { snapshot, options, chosen }: About,
): { verdict: Verdict; why: Why } {
  const { ref, remembered, suspended, deletingSince } = source;
  const isNamed = snapshot.asked.get(ref.uid) === 'named';
  const left = isNamed ? 'refused' : 'stays';
  if (deletingSince !== undefined)
    return {
      verdict: 'already-terminating',
      why: { code: 'terminating', facts: { sinceMs: 0, finalizers: '' } },
    };
  if (remembered.state === 'unreadable') return { verdict: left, why: { code: 'memory-unreadable' } };
  const isStopped = remembered.state === 'remembered';
  if (options.words.by === 'nothing') return { verdict: 'already-stopped', why: stoppedBefore(remembered) };
  if (!isStopped && (!suspended || !isNamed)) return { verdict: 'stays', why: { code: 'not-stopped-by-us' } };
  if (chosen !== undefined && !chosen.has(ref.uid)) return { verdict: 'stays', why: { code: 'not-chosen' } };
  const kept = leftAlone(source, options);
  if (kept !== undefined) return { verdict: left, why: kept };
  const code = !isStopped ? 'without-memory' : conflicts > 0 ? 'given-back-in-part' : 'given-back';
  return { verdict: 'resume', why: { code } };
}

const stoppedBefore = (remembered: JobSource['remembered']): Why => ({
  code: 'stopped-before',
  facts: { by: remembered.state === 'remembered' ? remembered.memory.by : '' },
});

function ofJob(job: WorkingJob, about: About): Part {
  const { options, snapshot, chosen } = about;
  const { ref, remembered, state } = job;
  const pods = snapshot.pods.filter(pod => controllerOf(pod)?.uid === ref.uid);
  const { changes, exceeds } = giveBackToJob({ job, pods }, snapshot.takenAt);
  const memory = remembered.state === 'remembered' ? remembered.memory : undefined;
  const under = controllerOf(job)?.uid;
  const isShown = snapshot.sources.some(source => source.ref.uid === under);
  const seen: Finding['seen'] = { as: 'source', suspended: false, changes, ...given({ memory }) };
  const as = (verdict: Verdict, why: Why, actions: readonly ResumeAction[] = []): Part => ({
    finding: { target: ref, verdict, why, seen, ...(isShown ? given({ under }) : {}) },
    actions,
  });
  const left = snapshot.asked.get(ref.uid) === 'named' ? 'refused' : 'stays';
  if (remembered.state === 'unreadable') return as(left, { code: 'memory-unreadable' });
  if (memory === undefined) return as('stays', { code: 'not-stopped-by-us' });
  if (options.words.by === 'nothing') return as('already-stopped', stoppedBefore(remembered));
  if (chosen !== undefined && !chosen.has(ref.uid)) return as('stays', { code: 'not-chosen' });
  if (isFinished(state) && !options.releaseEvidence) return as('stays', { code: 'keeps-its-shield' });
  const kept = leftAlone(job, options);
  if (kept !== undefined) return as(left, kept);
  if (isFinished(state))
    return as('resume', { code: 'evidence-released' }, [{ target: ref, does: 'release-evidence', changes }]);
  if (exceeds !== undefined) return as(left, limitWouldEnd(ref, exceeds));
  return as('resume', { code: 'given-back' }, [{ target: ref, does: 'give-back', changes }]);
}

function limitWouldEnd(ref: Ref, { path, limit, failures }: NonNullable<GivenBack['exceeds']>): Why {
  const field = path.split('/').at(-1) ?? '';
  return {
    code: 'limit-would-end-it',
    facts: { object: label(ref), namespace: ref.namespace ?? '', field, limit, failures },
  };
}

/** Only where it goes on because of us: a CronJob that stays suspended starts nothing. */
function skipMissed(
  source: JobSource,
  changes: readonly Change[],
  { snapshot, options }: About,
): ResumeAction[] {
  const goesOn = changes.some(({ path, set }) => path === paths.suspend && set === false);
  const isMeant = options.skipMissed && goesOn && mayStartAtOnce(source, snapshot);
  return isMeant ? [{ target: source.ref, does: 'skip-missed', changes: [] }] : [];
}

/** In doubt yes: a zone that we do not know may have a run of its own that was missed. */
function mayStartAtOnce(source: JobSource, snapshot: ResumeSnapshot): boolean {
  if (servedAt(source, snapshot.takenAt) === undefined) return false;
  const seen = forecastOf(source, snapshot);
  return !seen.known || seen.atOnce.does !== 'nothing' || seen.caveats.includes('zone-of-the-controller');
}

/** As `kubectl create job --from` does it, for each CronJob that was named. */
function runNow({ ref }: JobSource, { verdict }: Finding, { options, snapshot }: About): ResumeAction[] {
  const isMeant = options.runNow && isCronJobKind(ref.kind) && verdict !== 'refused' && verdict !== 'stays';
  if (!isMeant) return [];
  const moment = Math.floor(snapshot.takenAt.getTime() / 1000).toString(36);
  // the name of a Job may have 63 characters
  const jobName = `${ref.name.slice(0, 44)}-resumed-${moment}`;
  return [{ target: ref, does: 'run-now', changes: [], jobName }];
}

function dangersOf(sources: readonly Part[]): Danger[] {
  return sources.some(({ finding }) => finding.why.code === 'without-memory') ? ['without-memory'] : [];
}
