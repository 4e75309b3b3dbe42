// `delete`, the decision: what happens to each object that was named or selected, and what goes with it, stays, or holds it.

import type { DeleteAction } from '../model/delete-action.ts';
import { given } from '../model/given.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { DeleteOptions } from '../model/options.ts';
import type { Dependent, Finding, Plan, Seen, Verdict, Why } from '../model/plan.ts';
import { isEnded } from '../model/pod.ts';
import { label, type Ref } from '../model/ref.ts';
import { accessKey, type DeleteSnapshot, type Looked } from '../model/snapshot.ts';
import { dangersOfDelete } from './delete-dangers.ts';
import { deleteNotes } from './delete-notes.ts';
import { type Fate, fates } from './dependents.ts';
import { digest } from './digest.ts';
import { keepMarkOf, protectedBy } from './guards.ts';
import { byPlace } from './order.ts';
import { isAliveIn } from './owner-alive.ts';
import { settleTimeoutMs } from './settle.ts';

/** `chosen`: the uids picked from a list; absent: all that was named or selected. */
export function planDelete(
  snapshot: DeleteSnapshot,
  options: DeleteOptions,
  chosen?: ReadonlySet<string>,
): Plan {
  const targets = [...snapshot.targets].sort((a, b) => byPlace(a.object.ref, b.object.ref));
  const possible = fates(new Set(targets.map(uidOf)), snapshot.dependents, isAliveIn(snapshot));
  const kept = keptBelow(possible);
  const judged = targets.map(looked => targetFinding(looked, kept, snapshot, options, chosen));
  const isGoing = (finding: Finding) =>
    finding.verdict === 'delete' || finding.verdict === 'already-terminating';
  const going = new Set(judged.filter(isGoing).map(finding => finding.target.uid));
  const shown = fates(going, snapshot.dependents, isAliveIn(snapshot));
  const findings = [
    ...judged,
    ...shown.map(fate => dependentFinding(fate, options)).sort((a, b) => byPlace(a.target, b.target)),
    ...lookAlikes(snapshot, going),
  ];
  const actions = judged
    .filter(finding => finding.verdict === 'delete')
    .map(({ target }) => toAction(target, options));
  const dependents =
    options.propagation === 'Orphan'
      ? []
      : shown.filter(fate => fate.goes).map(fate => toDependent(fate, snapshot, options));
  const settle = {
    wait: options.wait,
    targets: judged.filter(isGoing).map(finding => finding.target),
    dependents,
    kinds: unique(dependents.map(dependent => dependent.target.kind)),
    timeoutMs: options.timeoutMs ?? settleTimeoutMs(findings.flatMap(graceOf)),
  };
  const { takenAt, server, namespaces, allNamespaces, context } = snapshot;
  return {
    verb: 'delete',
    dryRun: options.dryRun,
    server,
    ...given({ context }),
    namespaces,
    allNamespaces,
    takenAt,
    findings,
    notes: deleteNotes(snapshot, options, { going, shown, dependents }),
    dangers: dangersOfDelete(findings, snapshot, options),
    actions,
    settle,
    concurrency: options.concurrency,
    digest: digest(server, actions, settle),
  };
}

const uidOf = (looked: Looked): string => looked.object.ref.uid;
const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];
const graceOf = (finding: Finding): number[] =>
  finding.seen.as === 'pod' && !finding.seen.ended ? [finding.seen.graceSeconds] : [];

function toAction(target: Ref, options: DeleteOptions): DeleteAction {
  const grace = options.graceSeconds === undefined ? {} : { graceSeconds: options.graceSeconds };
  return { target, propagation: options.propagation, pin: 'uid', ...grace };
}

function toDependent({ looked }: Fate, snapshot: DeleteSnapshot, options: DeleteOptions): Dependent {
  const { ref, owners } = looked.object;
  const allowed =
    snapshot.rights.get(accessKey(ref.kind, ref.namespace)) !== 'no' && ref.kind.verbs.includes('delete');
  // Foreground: the owner is only gone when its dependents are, so they are the collector's
  const ours = options.wait && options.propagation === 'Background' && allowed;
  return { target: ref, owners: owners.map(owner => owner.uid), by: ours ? 'us' : 'collector' };
}

function targetFinding(
  looked: Looked,
  kept: ReadonlyMap<string, ObjectMeta>,
  snapshot: DeleteSnapshot,
  options: DeleteOptions,
  chosen: ReadonlySet<string> | undefined,
): Finding {
  const { object } = looked;
  const as = (verdict: Verdict, why: Why): Finding => ({
    target: object.ref,
    verdict,
    why,
    seen: seenOf(looked),
  });
  if (object.deletingSince !== undefined) {
    const sinceMs = snapshot.takenAt.getTime() - object.deletingSince.getTime();
    return as('already-terminating', {
      code: 'terminating',
      facts: { sinceMs, finalizers: object.finalizers.join(', ') },
    });
  }
  const byName = options.words.by !== 'selection';
  const blocked = blockedBy(looked, kept, options);
  if (blocked !== undefined) return as(byName ? 'refused' : 'stays', blocked);
  if (chosen !== undefined && !chosen.has(object.ref.uid)) return as('stays', { code: 'not-chosen' });
  return as('delete', { code: byName ? 'named' : 'selected' });
}

function blockedBy(
  looked: Looked,
  kept: ReadonlyMap<string, ObjectMeta>,
  options: DeleteOptions,
): Why | undefined {
  const { object } = looked;
  const includeHooks = options.includeProtected;
  const why = protectedBy(object, {
    includeProtected: options.includeProtected,
    includeHooks,
    allNamespaces: options.allNamespaces,
  });
  if (why !== undefined || options.propagation === 'Orphan') return why;
  // a preset `orphan` finalizer is overridden by Background and Foreground (measured on 1.36.3): its dependents would go
  if (object.finalizers.includes('orphan')) return { code: 'orphan-finalizer' };
  if (options.includeProtected) return undefined;
  const dependent = kept.get(object.ref.uid);
  if (dependent === undefined) return undefined;
  return { code: 'kept-dependent', facts: { name: label(dependent.ref), mark: keepMarkOf(dependent) ?? '' } };
}

/** By uid of whatever stands above it: the first dependent that carries a keep mark and would go. */
function keptBelow(possible: readonly Fate[]): ReadonlyMap<string, ObjectMeta> {
  const byUid = new Map(possible.map(fate => [uidOf(fate.looked), fate.looked.object]));
  const found = new Map<string, ObjectMeta>();
  for (const { looked, goes } of possible) {
    if (!goes || keepMarkOf(looked.object) === undefined) continue;
    const above = looked.object.owners.map(owner => owner.uid);
    for (let uid = above.pop(); uid !== undefined; uid = above.pop()) {
      if (found.has(uid)) continue;
      found.set(uid, looked.object);
      above.push(...(byUid.get(uid)?.owners.map(owner => owner.uid) ?? []));
    }
  }
  return found;
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

function seenOf(looked: Looked): Seen {
  if (looked.as === 'job') return { as: 'job', state: looked.object.state, manual: looked.object.manual };
  if (looked.as === 'object') return { as: 'object' };
  const { phase, graceSeconds, preStopHooks } = looked.object;
  return { as: 'pod', phase, ended: isEnded(looked.object), graceSeconds, preStopHooks };
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
