// Objects that stay Terminating, with the first thing that holds each: the diagnosis of `unstick`, on what was read here. What it would
// read beside that (Leases, workloads, Nodes, events) is not known here, and `unstick` is the next command.

import { isPodKind } from '../../model/kind.ts';
import { type ObjectMeta, overdueSince, standardStuckForMs } from '../../model/object.ts';
import { jobOf, type Pod } from '../../model/pod.ts';
import type { Looked } from '../../model/snapshot.ts';
import type { StatusFinding } from '../../model/status.ts';
import type { Evidence, UnstickSnapshot } from '../../model/unstick-snapshot.ts';
import { casesOf } from '../causes/case.ts';
import { diagnose } from '../diagnose.ts';
import { type About, placeOf } from './about.ts';
import { jobctl, typed } from './next.ts';

export function stuckFindings(about: About): StatusFinding[] {
  const { sources, jobs, pods } = about.snapshot;
  const all: readonly Looked[] = [
    ...sources.map(object => ({ as: 'object', object }) as const),
    ...jobs.map(object => ({ as: 'job', object }) as const),
    ...pods.map(object => ({ as: 'pod', object }) as const),
  ];
  const objects = all.filter(({ object }) => isOverdue(object, about));
  if (objects.length === 0) return [];
  return casesOf(asUnstick(objects, all, about)).map(at => {
    const { object } = at.looked;
    const { holds, sinceMs } = diagnose(at);
    const [hold] = holds;
    return {
      code: 'stuck',
      namespace: placeOf(object),
      needs: true,
      targets: [object.ref],
      facts: { sinceMs },
      ...(hold === undefined ? {} : { hold }),
      next: [jobctl(placeOf(object), 'unstick', typed(object.ref))],
    };
  });
}

function isOverdue(object: ObjectMeta, about: About): boolean {
  const overdue = overdueSince(object);
  return overdue !== undefined && about.since(overdue) >= standardStuckForMs;
}

/** Dependents of other kinds were not looked for: what is not found below an object may be there all the same. */
function asUnstick(objects: readonly Looked[], all: readonly Looked[], about: About): UnstickSnapshot {
  const { sources: _1, jobs: _2, pods: _3, podKind: _4, kindsRead: _5, ...moment } = about.snapshot;
  const stuck = new Set(objects.map(({ object }) => object.ref.uid));
  return {
    ...moment,
    named: new Set(),
    isScan: true,
    objects,
    dependents: all.filter(
      ({ object }) => !stuck.has(object.ref.uid) && object.owners.some(({ uid }) => stuck.has(uid)),
    ),
    scanned: new Set(),
    unreadableEvidence: [],
    served: new Set(),
    silentGroups: [],
    liveWith: [],
    otherVersions: [],
    draining: [],
    inside: new Map(),
    evidence: { ...unasked, jobs: jobsOf(objects, about) },
    mayPatch: new Map(),
    mayFinalize: 'unknown',
  };
}

const unasked: Evidence = {
  jobs: new Map(),
  pods: new Map(),
  claims: new Map(),
  warnings: [],
  namespaces: [],
  applications: [],
  nodes: new Map(),
  silentWebhooks: [],
};

/** The Jobs of stuck Pods: that one is gone is known only where the Jobs were read. */
function jobsOf(objects: readonly Looked[], { byUid, areJobsRead, snapshot }: About): Evidence['jobs'] {
  const jobs = new Map(snapshot.jobs.map(job => [job.ref.uid, job]));
  const named = objects.flatMap(({ object }) =>
    isPodKind(object.ref.kind) ? (jobOf(object as Pod)?.uid ?? []) : [],
  );
  return new Map(
    named.flatMap((uid): [string, Looked | 'absent'][] => {
      const object = jobs.get(uid);
      if (object !== undefined) return [[uid, { as: 'job', object }]];
      return areJobsRead && !byUid.has(uid) ? [[uid, 'absent']] : [];
    }),
  );
}
