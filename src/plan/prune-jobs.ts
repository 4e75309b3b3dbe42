// `prune jobs`, the decision: which finished Jobs go, and why each other one stays.

import type { DeleteAction } from '../model/delete-action.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { PruneJobsOptions } from '../model/options.ts';
import type { Danger, DeletePlan, Dependent } from '../model/plan.ts';
import { accessKey, type PruneSnapshot } from '../model/snapshot.ts';
import { assemble } from './assemble.ts';
import { manyObjects } from './guards.ts';
import { byPlace } from './order.ts';
import { isWithinReach } from './owner-place.ts';
import { pruneNotes } from './prune-notes.ts';
import { judgeAll, type PodsByOwner } from './prune-verdicts.ts';
import { settleTimeoutMs } from './settle.ts';

/** `chosen`: the uids picked from a list; absent: everything the rules let go. */
export function planPruneJobs(
  snapshot: PruneSnapshot,
  options: PruneJobsOptions,
  chosen?: ReadonlySet<string>,
): DeletePlan {
  const pods = podsByOwner(snapshot);
  const findings = judgeAll(snapshot, options, pods, chosen).sort((a, b) => byPlace(a.target, b.target));
  const going = findings.filter(finding => finding.verdict === 'delete');
  const actions = going.map(
    // a Job that never started may start while the question waits: then it is not what was agreed to
    ({ target, why }): DeleteAction => ({
      target,
      propagation: 'Background',
      pin: why.code === 'never-started-too-long' ? 'version' : 'uid',
    }),
  );
  const uids = new Set(actions.map(action => action.target.uid));
  const dependents = going.flatMap(({ target }) =>
    dependentsOf(pods.get(target.uid) ?? [], uids, snapshot, options.wait),
  );
  const settle = {
    wait: options.wait,
    targets: actions.map(action => action.target),
    dependents,
    kinds: snapshot.pods === undefined ? [] : [snapshot.podKind],
    timeoutMs: options.timeoutMs ?? settleTimeoutMs([], dependents),
  };
  return assemble(snapshot, options, {
    findings,
    notes: pruneNotes(snapshot, options, { findings, dependents, pods }),
    dangers: dangersOf(actions.length),
    actions,
    settle,
    contents: 0,
  });
}

const dangersOf = (count: number): Danger[] => (count > manyObjects ? ['many-objects'] : []);

function podsByOwner({ pods = [], jobs }: PruneSnapshot): PodsByOwner {
  const places = new Map(jobs.map(({ ref }) => [ref.uid, ref]));
  const byOwner = new Map<string, ObjectMeta[]>();
  for (const pod of pods) {
    for (const owner of pod.owners) {
      // a Pod that names a Job of another namespace is not that Job's
      if (!isWithinReach(places.get(owner.uid) ?? {}, pod.ref)) continue;
      const known = byOwner.get(owner.uid);
      if (known === undefined) byOwner.set(owner.uid, [pod]);
      else known.push(pod);
    }
  }
  return byOwner;
}

function dependentsOf(
  pods: readonly ObjectMeta[],
  going: ReadonlySet<string>,
  snapshot: PruneSnapshot,
  wait: boolean,
): Dependent[] {
  return pods
    .filter(pod => pod.owners.every(owner => going.has(owner.uid)))
    .map(pod => ({
      target: pod.ref,
      owners: pod.owners.map(owner => owner.uid),
      by:
        wait && snapshot.rights.get(accessKey(snapshot.podKind, pod.ref.namespace)) !== 'no'
          ? 'us'
          : 'collector',
    }));
}
