// A finalizer of somebody's controller: is it there, does it work? By its Lease, its workloads and what it wrote last. Unknown is
// not absent: only where all of that could be read and none of it speaks for a controller is it gone.
import { type ControllerWords, controllerWords } from '../../model/controller-words.ts';
import { type Lease, says, type Workload } from '../../model/evidence.ts';
import type { Facts } from '../../model/facts.ts';
import type { CauseCode, Hold } from '../../model/hold.ts';
import { isFinished, isWorking } from '../../model/job.ts';
import type { KnownFinalizer } from '../../model/known-finalizer.ts';
import { knownFinalizer } from '../../model/known-finalizers.ts';
import { label } from '../../model/ref.ts';
import { type Case, warningOf } from './case.ts';

/** A leader renews every few seconds; one that has not for this long, and for three times its own term, does not work now. */
const leaseIsOldMs = 60_000;
/** A control plane that restarts, or a holder whose clock is behind, is not gone. */
const leaseIsDeadMs = 300_000;
/** A controller that wrote to the object within this time is at work on it. */
const writtenLatelyMs = 300_000;

export function diagnoseController(finalizer: string, at: Case): Hold {
  const { object } = at.looked;
  const known = knownFinalizer(finalizer);
  const found = lookFor(controllerWords(finalizer, object.ref.kind), at);
  const cause = causeOf(found.cause, known);
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
    allowance: allowanceOf(cause, known),
    waitsFor: [],
  };
}

/**
 * Not to have found a controller proves little: it may run outside of the cluster, or under a name that nobody foresaw. It is only
 * taken for gone where its finalizer is widely known and nothing is at stake.
 */
const causeOf = (cause: Found['cause'], known: KnownFinalizer | undefined): CauseCode =>
  cause === 'controller-gone' && known?.loss !== 'nothing' ? 'controller-not-found' : cause;

function allowanceOf(cause: CauseCode, known: KnownFinalizer | undefined): Hold['allowance'] {
  if (cause === 'controller-alive' || known?.loss === 'data') return 'only-named';
  return cause === 'controller-gone' ? 'proven' : 'if-named';
}

interface Found {
  readonly cause: 'controller-gone' | 'controller-stopped' | 'controller-alive' | 'controller-unknown';
  readonly facts: Facts;
}

function lookFor(words: ControllerWords, at: Case): Found {
  const leases = leasesOf(words, at);
  const workloads = workloadsOf(words, at);
  return lifeSign(words, leases, workloads, at) ?? stopSign(leases, workloads, at) ?? absence(words, at);
}

function leasesOf({ words, leases: names }: ControllerWords, { snapshot }: Case): readonly Lease[] {
  const all = snapshot.evidence.leases ?? [];
  return all.filter(({ name }) => names.includes(name) || sayOneOf([name], words));
}

/** What a stuck object has made itself is not what works on it. */
function workloadsOf({ words }: ControllerWords, { snapshot, uids }: Case): readonly Workload[] {
  return (snapshot.evidence.workloads ?? []).filter(
    ({ texts, owners }) => sayOneOf(texts, words) && !owners.some(owner => uids.has(owner)),
  );
}

function lifeSign(
  { words }: ControllerWords,
  leases: readonly Lease[],
  workloads: readonly Workload[],
  at: Case,
): Found | undefined {
  const { takenAt } = at.snapshot;
  const fresh = leases.find(
    lease => lease.holder !== '' && since(lease, takenAt) < Math.max(leaseIsOldMs, lease.seconds * 3000),
  );
  if (fresh !== undefined) return { cause: 'controller-alive', facts: leaseFacts(fresh, takenAt) };
  const working = workloads.find(({ ready }) => ready > 0);
  if (working !== undefined) return { cause: 'controller-alive', facts: workloadFacts(working) };
  const writer = lateWriter(words, at);
  return writer === undefined ? undefined : { cause: 'controller-alive', facts: writer };
}

/** It is installed, or was at work a moment ago. */
function stopSign(
  leases: readonly Lease[],
  workloads: readonly Workload[],
  { snapshot }: Case,
): Found | undefined {
  const [stopped] = workloads;
  if (stopped !== undefined) return { cause: 'controller-stopped', facts: workloadFacts(stopped) };
  const late = leases.find(lease => since(lease, snapshot.takenAt) < leaseIsDeadMs);
  return late === undefined
    ? undefined
    : { cause: 'controller-stopped', facts: leaseFacts(late, snapshot.takenAt) };
}

/** Unknown is not absent: nothing to know it by, or something that could not be read, says nothing. */
function absence(words: ControllerWords, at: Case): Found {
  const { evidence, takenAt, unreadableEvidence } = at.snapshot;
  if (evidence.leases === undefined || evidence.workloads === undefined) {
    const unread = unreadableEvidence
      .map(({ kind }) => kind.resource)
      .filter(resource => resource === 'leases' || resource === 'deployments');
    return { cause: 'controller-unknown', facts: { unread: unread.join(' and ') } };
  }
  if (words.words.length === 0) return { cause: 'controller-unknown', facts: { unread: '' } };
  const [dead] = leasesOf(words, at);
  const facts = dead === undefined ? {} : leaseFacts(dead, takenAt);
  return { cause: 'controller-gone', facts: { words: words.words.join(', '), ...facts } };
}

const sayOneOf = (texts: readonly string[], words: readonly string[]): boolean =>
  texts.some(text => words.some(word => says(text, word)));

/** A Lease without a time was never held. */
const since = ({ renewedAt }: Lease, now: Date): number =>
  renewedAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now.getTime() - renewedAt.getTime());

function leaseFacts(lease: Lease, now: Date): Facts {
  const renewedMs = since(lease, now);
  return {
    lease: `${lease.namespace}/${lease.name}`,
    ...(Number.isFinite(renewedMs) ? { renewedMs } : {}),
  };
}

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
  return warning === undefined ? {} : { warning: `${warning.reason}: ${warning.message}` };
}
