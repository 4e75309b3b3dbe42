// `stop`, the decision: what makes no more Jobs, which work ends, and what of it cannot be kept.
import { given } from '../model/given.ts';
import { isFinished } from '../model/job.ts';
import type { JobSource } from '../model/job-source.ts';
import { controllerOf } from '../model/object.ts';
import type { StopOptions } from '../model/options.ts';
import type { Danger, Finding, StopPlan, Verdict } from '../model/plan.ts';
import { label, type Ref } from '../model/ref.ts';
import type { StopAction, StopTerms } from '../model/stop-plan.ts';
import type { StopSnapshot } from '../model/stop-snapshot.ts';
import type { Why } from '../model/why.ts';
import type { WorkingJob } from '../model/working-job.ts';
import { assembleStop } from './assemble.ts';
import { manyObjects } from './guards.ts';
import { inPlaceOrder } from './order.ts';
import { settleTimeoutMs } from './settle.ts';
import { stopNotes } from './stop-notes.ts';
import { stopSource } from './stop-sources.ts';
import { type About, jobFinding, podFinding, sourceFinding } from './stop-verdicts.ts';
import { firstStep } from './stopping.ts';

/** `chosen`: the uids picked from a list; absent: all that was named or selected. */
export function planStop(
  snapshot: StopSnapshot,
  options: StopOptions,
  chosen?: ReadonlySet<string>,
): StopPlan {
  const byJob = Map.groupBy(inPlaceOrder(snapshot.pods), pod => controllerOf(pod)?.uid);
  const about: About = { snapshot, options, chosen, podsOf: job => byJob.get(job.ref.uid) ?? [] };
  const terms = termsOf(snapshot, options);
  const sources = inPlaceOrder(snapshot.sources).map(source => ofSource(source, about, terms));
  const left = new Map(
    sources.filter(({ finding }) => isLeft(finding)).map(({ finding }) => [uidOf(finding), finding.target]),
  );
  const jobs = inPlaceOrder(snapshot.jobs)
    .filter(job => isWorthListing(job, snapshot))
    .flatMap(job => {
      const source = left.get(controllerOf(job)?.uid ?? '');
      if (source === undefined) return ofJob(job, about, terms);
      // of those that a source brings along nothing is said when it stays; what was asked for has a verdict
      const asked = snapshot.asked.get(job.ref.uid);
      if (asked === 'owned') return [];
      return staying(ofJob(job, about, terms), source, asked === 'named' ? 'refused' : 'stays');
    });
  const findings = [
    ...sources.map(({ finding }) => finding),
    ...jobs.flatMap(({ finding, pods }) => [finding, ...pods]),
  ];
  const actions = [...sources, ...jobs].flatMap(part => part.actions);
  const stopped = findings.filter(({ verdict }) => verdict === 'stop' || verdict === 'already-stopped');
  return assembleStop(snapshot, options, {
    findings,
    actions,
    notes: stopNotes(findings, about),
    dangers: dangersOf(findings),
    contents: 0,
    terms: {
      ...terms,
      sources: stopped.filter(({ seen }) => seen.as === 'source').map(({ target }) => target),
      makers: options.suspendOnly ? [] : makersOf(findings, snapshot),
      leaves: findings.filter(isLeftAlone).map(uidOf),
      jobs: stopped.filter(({ seen }) => seen.as === 'work').map(({ target }) => target),
      pods: jobs
        .filter(({ finding }) => finding.verdict === 'stop')
        .flatMap(({ pods }) => pods.map(targetOf)),
      notKept: findings.filter(isNotKept).map(uidOf),
      timeoutMs: options.timeoutMs ?? settleTimeoutMs(stopped.flatMap(graceOf), []),
    },
  });
}

interface Part {
  readonly finding: Finding;
  readonly pods: readonly Finding[];
  readonly actions: readonly StopAction[];
}

const uidOf = ({ target }: Finding): string => target.uid;
const targetOf = ({ target }: Finding) => target;
const graceOf = ({ seen }: Finding): number[] => (seen.as === 'pod' ? [seen.graceSeconds] : []);
/** A CronJob that is only there because of one of its Jobs keeps the others. */
function makersOf(findings: readonly Finding[], { asked }: StopSnapshot): string[] {
  return findings
    .filter(
      ({ seen, verdict }) => seen.as === 'source' && (verdict === 'stop' || verdict === 'already-stopped'),
    )
    .map(uidOf)
    .filter(uid => asked.get(uid) !== 'owner');
}

const isLeftAlone = ({ seen, verdict }: Finding): boolean => seen.as === 'work' && verdict !== 'stop';

/** A source that is left alone keeps its Jobs. */
const isLeft = ({ verdict }: Finding): boolean => verdict === 'stays' || verdict === 'already-terminating';

/** Finished Jobs of a CronJob are its history: nothing is said of each. */
const isWorthListing = (job: WorkingJob, { asked }: StopSnapshot): boolean =>
  !isFinished(job.state) || asked.get(job.ref.uid) !== 'owned';

const isNotKept = ({ why }: Finding): boolean =>
  why.code === 'pod-terminating' || why.code === 'pod-never-started';

type Terms = Pick<StopTerms, 'by' | 'reason' | 'suspendOnly' | 'save' | 'mayRecord'>;

function termsOf({ user, mayRecord, takenAt }: StopSnapshot, options: StopOptions): Terms {
  const { reason, suspendOnly, ignoreSaveErrors } = options;
  const dir = options.saveDir ?? `jobctl-stop-${takenAt.toISOString().replace(/[:.]/g, '').slice(0, 17)}Z`;
  const isSaved = !options.noSave && !suspendOnly;
  const save = isSaved ? { dir, ignoreErrors: ignoreSaveErrors } : undefined;
  return { by: user, suspendOnly, mayRecord, ...given({ reason, save }) };
}

function ofSource(source: JobSource, about: About, terms: Terms): Part {
  const action = stopSource(source, { terms }, about.snapshot.takenAt);
  const changes = action?.changes ?? [];
  const { suspended, remembered } = source;
  const memory = remembered.state === 'remembered' ? remembered.memory : undefined;
  const seen: Finding['seen'] = { as: 'source', suspended, changes, ...given({ memory }) };
  const finding = { target: source.ref, seen, ...sourceFinding(source, changes.length, about) };
  const isStopped = finding.verdict === 'stop' && action !== undefined;
  return { finding, pods: [], actions: isStopped ? [action] : [] };
}

function ofJob(job: WorkingJob, about: About, terms: Terms): Part {
  const own = about.podsOf(job);
  const finding = jobFinding(job, own, about);
  const pods = own.map(pod => podFinding(pod, finding, about));
  const work = { job, pods: own, silentNodes: about.snapshot.silentNodes };
  return {
    finding,
    pods,
    actions: finding.verdict === 'stop' ? firstStep(work, { terms }, about.snapshot.takenAt) : [],
  };
}

/** Without its source a Job cannot be stopped for good. */
function staying({ finding, pods }: Part, source: Ref, verdict: Verdict): Part {
  const why: Why = { code: 'source-stays', facts: { owner: label(source) } };
  const left = pods.map((pod): Finding => ({ ...pod, verdict: 'stays', why }));
  return { finding: { ...finding, verdict, why }, pods: left, actions: [] };
}

function dangersOf(findings: readonly Finding[]): Danger[] {
  const stopped = findings.filter(({ verdict }) => verdict === 'stop');
  const found: [Danger, boolean][] = [
    ['running-work', stopped.some(({ seen }) => seen.as === 'work')],
    ['many-objects', stopped.length > manyObjects],
  ];
  return found.filter(([, there]) => there).map(([danger]) => danger);
}
