// A finalizer of somebody's controller: is it there, does it work? By its Lease, its workloads and what it wrote last. Unknown is
// not absent: only where all of that could be read and none of it speaks for a controller is it gone.
import { type ControllerWords, controllerWords } from '../../model/controller-words.ts';
import { type Lease, says, type Workload } from '../../model/evidence.ts';
import type { CauseCode, Hold } from '../../model/hold.ts';
import { isFinished, isWorking } from '../../model/job.ts';
import { knownFinalizer } from '../../model/known-finalizers.ts';
import type { Facts } from '../../model/plan.ts';
import { label } from '../../model/ref.ts';
import { type Case, warningOf } from './case.ts';

/** A leader renews every few seconds; one that has not for this long, and for three times its own term, is no more. */
const leaseIsOldMs = 60_000;
/** A controller that wrote to the object within this time is at work on it. */
const writtenLatelyMs = 300_000;

export function diagnoseController(finalizer: string, at: Case): Hold {
  const { object } = at.looked;
  const known = knownFinalizer(finalizer);
  const found = lookFor(controllerWords(finalizer, object.ref.kind), at);
  const isGone = found.cause === 'controller-gone';
  const cause: CauseCode = isGone && known === undefined ? 'controller-not-found' : found.cause;
  const facts = {
    ...found.facts,
    ...(known === undefined ? {} : { known: known.id }),
    ...writtenBy(finalizer, at),
    ...stakesOf(at),
    ...lastWarning(at),
  };
  return {
    finalizer,
    where: 'metadata',
    cause,
    facts,
    loss: known?.loss ?? 'outside',
    allowance: allowanceOf(cause, known?.loss === 'data'),
    waitsFor: [],
  };
}

function allowanceOf(cause: CauseCode, isData: boolean): Hold['allowance'] {
  if (cause === 'controller-alive') return 'only-named';
  if (isData) return 'only-named';
  return cause === 'controller-gone' ? 'proven' : 'if-named';
}

interface Found {
  readonly cause: 'controller-gone' | 'controller-stopped' | 'controller-alive' | 'controller-unknown';
  readonly facts: Facts;
}

function lookFor({ words, leases: names }: ControllerWords, at: Case): Found {
  const { evidence, takenAt, unreadableEvidence } = at.snapshot;
  const leases = (evidence.leases ?? []).filter(lease => isTheirs(lease, words, names));
  const fresh = leases.find(lease => isFresh(lease, takenAt));
  if (fresh !== undefined)
    return {
      cause: 'controller-alive',
      facts: { lease: `${fresh.namespace}/${fresh.name}`, renewedMs: since(fresh, takenAt) },
    };
  const workloads = (evidence.workloads ?? []).filter(({ texts }) => sayOneOf(texts, words));
  const working = workloads.find(({ ready }) => ready > 0);
  if (working !== undefined) return { cause: 'controller-alive', facts: workloadFacts(working) };
  const writer = lateWriter(words, at);
  if (writer !== undefined) return { cause: 'controller-alive', facts: writer };
  const [stopped] = workloads;
  if (stopped !== undefined) return { cause: 'controller-stopped', facts: workloadFacts(stopped) };
  if (evidence.leases === undefined || evidence.workloads === undefined) {
    const unread = unreadableEvidence.map(({ kind }) => kind.resource).join(' and ');
    return { cause: 'controller-unknown', facts: { unread } };
  }
  const [stale] = leases;
  // nothing to know it by: not having found it says nothing
  if (words.length === 0 && stale === undefined)
    return { cause: 'controller-unknown', facts: { unread: '' } };
  const last =
    stale === undefined
      ? {}
      : { lease: `${stale.namespace}/${stale.name}`, renewedMs: since(stale, takenAt) };
  return { cause: 'controller-gone', facts: { words: words.join(', '), ...last } };
}

const sayOneOf = (texts: readonly string[], words: readonly string[]): boolean =>
  texts.some(text => words.some(word => says(text, word)));

const isTheirs = (lease: Lease, words: readonly string[], names: readonly string[]): boolean =>
  names.includes(lease.name) || sayOneOf([lease.name], words);

const since = ({ renewedAt }: Lease, now: Date): number =>
  renewedAt === undefined ? 0 : Math.max(0, now.getTime() - renewedAt.getTime());

const isFresh = (lease: Lease, now: Date): boolean =>
  lease.renewedAt !== undefined && since(lease, now) < Math.max(leaseIsOldMs, lease.seconds * 3000);

const workloadFacts = ({ label: workload, namespace, ready, wanted }: Workload): Facts => ({
  workload,
  namespace,
  ready,
  wanted,
});

/** Only a controller by its name: people and scripts write to stuck objects too. */
function lateWriter(words: readonly string[], { looked, snapshot }: Case): Facts | undefined {
  const { deletingSince, writers = [] } = looked.object;
  const late = writers.find(
    ({ manager, at }) =>
      at !== undefined &&
      deletingSince !== undefined &&
      at.getTime() > deletingSince.getTime() + 1000 &&
      snapshot.takenAt.getTime() - at.getTime() < writtenLatelyMs &&
      sayOneOf([manager], words),
  );
  return late?.at === undefined
    ? undefined
    : { writer: late.manager, wroteMs: snapshot.takenAt.getTime() - late.at.getTime() };
}

function writtenBy(finalizer: string, { looked }: Case): Facts {
  const writer = looked.object.writers?.find(({ finalizers }) => finalizers.includes(finalizer));
  // what a client calls itself when it does not say
  return writer === undefined || writer.manager === 'unknown' ? {} : { by: writer.manager };
}

/** What hangs on it: Jobs that run and will end, objects that the tool manages, Pods that have failed at the clean-up. */
function stakesOf({ looked, dependents, snapshot }: Case): Facts {
  const jobs = dependents.filter(below => below.as === 'job' && isWorking(below.object.state));
  const failed = dependents.find(
    below =>
      (below.as === 'pod' && below.object.phase === 'Failed') ||
      (below.as === 'job' && isFinished(below.object.state) && below.object.state.is === 'failed'),
  );
  const application = snapshot.evidence.applications.find(({ uid }) => uid === looked.object.ref.uid);
  return {
    ...(jobs.length === 0 ? {} : { runningJobs: jobs.length }),
    ...(failed === undefined ? {} : { failed: label(failed.object.ref) }),
    ...(application === undefined ? {} : { managed: application.managed }),
  };
}

function lastWarning(at: Case): Facts {
  const warning = warningOf(at);
  return warning === undefined
    ? {}
    : { warning: `${warning.reason}: ${warning.message}`, warned: warning.from };
}
