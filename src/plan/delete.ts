// `delete`, the decision: what happens to each object that was named or selected, and what goes with it, stays, or holds it.

import type { DeleteAction } from '../model/delete-action.ts';
import { given } from '../model/given.ts';
import { isCronJobKind, isJobKind, isScaledJobKind, type Kind } from '../model/kind.ts';
import type { DeleteOptions } from '../model/options.ts';
import type { DeletePlan, Dependent, Finding } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import { accessKey, type DeleteSnapshot, groupKind, type Looked } from '../model/snapshot.ts';
import { assemble } from './assemble.ts';
import { dangersOfDelete } from './delete-dangers.ts';
import { deleteNotes } from './delete-notes.ts';
import { seenOf } from './delete-verdicts.ts';
import { type Fate, fates } from './dependents.ts';
import { judgeTargets } from './judge-targets.ts';
import { byPlace } from './order.ts';
import { isAliveIn } from './owner-alive.ts';
import { farDependents, withoutFarOwners } from './owner-place.ts';
import { settleTimeoutMs } from './settle.ts';

/** `chosen`: the uids picked from a list; absent: all that was named or selected. */
export function planDelete(
  read: DeleteSnapshot,
  options: DeleteOptions,
  chosen?: ReadonlySet<string>,
): DeletePlan {
  const snapshot = { ...read, dependents: withoutFarOwners(read.dependents, read.targets) };
  const targets = withoutFarOwners(snapshot.targets, snapshot.dependents).sort((a, b) =>
    byPlace(a.object.ref, b.object.ref),
  );
  const judged = judgeTargets(targets, snapshot, options, chosen);
  const deleted = judged.filter(finding => finding.verdict === 'delete').map(finding => finding.target);
  const awaited = judged
    .filter(({ verdict }) => verdict === 'delete' || verdict === 'already-terminating')
    .map(finding => finding.target);
  const owners = isAliveIn(snapshot);
  // under the `orphan` finalizer of somebody's earlier delete the dependents are let go: they are not ours to follow
  const orphaning = new Set(targets.filter(isOrphaning).map(uidOf));
  const going = new Set(awaited.map(target => target.uid).filter(uid => !orphaning.has(uid)));
  const byOurDelete = new Set(
    fates(new Set(deleted.map(target => target.uid)), snapshot.dependents, owners)
      .filter(fate => fate.goes)
      .map(({ looked }) => uidOf(looked)),
  );
  const shown = fates(going, snapshot.dependents, owners);
  const told = new Set([...targets, ...shown.map(({ looked }) => looked)].map(uidOf));
  const findings = [
    ...judged,
    ...shown.map(fate => dependentFinding(fate, options)).sort((a, b) => byPlace(a.target, b.target)),
    ...farDependents(
      read.dependents.filter(looked => !told.has(uidOf(looked))),
      awaited,
    ),
    ...lookAlikes(snapshot, going),
  ];
  const actions = deleted.map(target => toAction(target, options));
  const dependents =
    options.propagation === 'Orphan'
      ? []
      : shown.filter(fate => fate.goes).map(fate => toDependent(fate, byOurDelete, snapshot, options));
  const settle = {
    wait: options.wait,
    targets: awaited,
    dependents,
    kinds: options.propagation === 'Orphan' ? [] : kindsToLookAt(awaited, dependents, snapshot),
    timeoutMs: options.timeoutMs ?? settleTimeoutMs(findings.flatMap(graceOf), dependents),
  };
  return assemble(snapshot, options, {
    findings,
    notes: deleteNotes(snapshot, options, { deleted, going, byOurDelete, shown, dependents }),
    dangers: dangersOfDelete(findings, options),
    actions,
    settle,
    contents: actions.length === 0 ? 0 : snapshot.contents.reduce((sum, { count }) => sum + count, 0),
  });
}

const isOrphaning = ({ object }: Looked): boolean =>
  object.deletingSince !== undefined && object.finalizers.includes('orphan');
const uidOf = (looked: Looked): string => looked.object.ref.uid;

/** The kinds of what was shown, and of what may have appeared since: a Job makes Pods, a CronJob or ScaledJob makes Jobs. */
function kindsToLookAt(
  awaited: readonly Ref[],
  dependents: readonly Dependent[],
  { workload }: DeleteSnapshot,
): Kind[] {
  const shown = dependents.map(({ target }) => target.kind);
  const kinds = [...awaited.map(target => target.kind), ...shown];
  const makesJobs = kinds.some(kind => isCronJobKind(kind) || isScaledJobKind(kind));
  const makesPods = makesJobs || kinds.some(isJobKind);
  const all = [...shown, ...(makesJobs ? [workload.job] : []), ...(makesPods ? [workload.pod] : [])];
  return [...new Map(all.map(kind => [groupKind(kind), kind])).values()];
}

const graceOf = (finding: Finding): number[] =>
  finding.seen.as === 'pod' && !finding.seen.ended ? [finding.seen.graceSeconds] : [];

function toAction(target: Ref, options: DeleteOptions): DeleteAction {
  const { propagation, graceSeconds } = options;
  return { target, propagation, pin: 'uid', ...given({ graceSeconds }) };
}

function toDependent(
  { looked }: Fate,
  byOurDelete: ReadonlySet<string>,
  snapshot: DeleteSnapshot,
  options: DeleteOptions,
): Dependent {
  const { ref, owners } = looked.object;
  const allowed =
    snapshot.rights.get(accessKey(ref.kind, ref.namespace)) !== 'no' && ref.kind.verbs.includes('delete');
  // Foreground: the owner is only gone when its dependents are, so they are the collector's
  // and what goes because of somebody's earlier delete was not asked for here: it is waited for, not deleted
  const ours = options.wait && options.propagation === 'Background' && allowed && byOurDelete.has(ref.uid);
  return { target: ref, owners: owners.map(owner => owner.uid), by: ours ? 'us' : 'collector' };
}

function dependentFinding(fate: Fate, options: DeleteOptions): Finding {
  const at = { target: fate.looked.object.ref, under: fate.under, seen: seenOf(fate.looked) };
  if (fate.keptBy !== undefined) {
    const owner = `${fate.keptBy.kind.toLowerCase()}/${fate.keptBy.name}`;
    const code = fate.keeperSeen ? 'other-owner' : 'other-owner-unknown';
    return { ...at, verdict: 'stays', why: { code, facts: { owner } } };
  }
  if (options.propagation === 'Orphan') return { ...at, verdict: 'stays', why: { code: 'orphaned' } };
  return { ...at, verdict: 'goes-with-owner', why: { code: 'owner-goes' } };
}

/** Jobs named like a going CronJob's own (`nightly-29360`) that nobody owns: never promised, never touched. */
function lookAlikes(snapshot: DeleteSnapshot, going: ReadonlySet<string>): Finding[] {
  const cronJobs = snapshot.targets.filter(
    ({ object }) => object.ref.kind.kind === 'CronJob' && going.has(object.ref.uid),
  );
  return cronJobs.flatMap(({ object: cronJob }) =>
    snapshot.ownerlessJobs
      .filter(
        job => job.ref.namespace === cronJob.ref.namespace && isNamedAfter(job.ref.name, cronJob.ref.name),
      )
      .map(
        (job): Finding => ({
          target: job.ref,
          under: cronJob.ref.uid,
          verdict: 'stays',
          why: { code: 'looks-alike', facts: { owner: cronJob.ref.name } },
          seen: { as: 'object' },
        }),
      ),
  );
}

const isNamedAfter = (job: string, cronJob: string): boolean =>
  job.startsWith(`${cronJob}-`) && /^\d+$/.test(job.slice(cronJob.length + 1));
