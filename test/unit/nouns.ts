// Builders of nouns for tests of the pure rooms: valid, small, fixed in time. `now` is when every snapshot was taken.
import type { HistoryOwner } from '../../src/model/history-owner.ts';
import type { Job, JobState } from '../../src/model/job.ts';
import type { Kind } from '../../src/model/kind.ts';
import type { ObjectMeta, OwnerReference } from '../../src/model/object.ts';
import type { DeleteOptions, PruneJobsOptions, UnstickOptions } from '../../src/model/options.ts';
import type { Pod } from '../../src/model/pod.ts';
import type { DeleteSnapshot, Looked, PruneSnapshot } from '../../src/model/snapshot.ts';
import type { Evidence, UnstickSnapshot } from '../../src/model/unstick-snapshot.ts';
import { at, now } from '../support/time.ts';

export { now };

/** `2h` → two hours before now. */
export const ago = (age: string): Date => at(`${age} ago`);

function aKind(group: string, kind: string, namespaced = true): Kind {
  const resource = `${kind.toLowerCase()}s`;
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'watch'];
  const names = { resource, singular: kind.toLowerCase(), shortNames: [], categories: [] };
  return { group, version: 'v1', kind, namespaced, verbs, ...names };
}

export const kinds = {
  job: aKind('batch', 'Job'),
  cronJob: aKind('batch', 'CronJob'),
  scaledJob: aKind('keda.sh', 'ScaledJob'),
  pod: aKind('', 'Pod'),
  configMap: aKind('', 'ConfigMap'),
  claim: aKind('', 'PersistentVolumeClaim'),
  volume: aKind('', 'PersistentVolume', false),
  widget: aKind('example.com', 'Widget'),
  taskRun: aKind('tekton.dev', 'TaskRun'),
  application: aKind('argoproj.io', 'Application'),
  definition: aKind('apiextensions.k8s.io', 'CustomResourceDefinition', false),
  namespace: aKind('', 'Namespace', false),
} as const;

export function anObject(
  kind: Kind,
  name: string,
  more: Partial<ObjectMeta> & { namespace?: string } = {},
): ObjectMeta {
  const { namespace = 'batch', ...rest } = more;
  const uid = `uid-${kind.kind}-${namespace}-${name}`;
  return {
    ref: { kind, name, uid, resourceVersion: '7', ...(kind.namespaced ? { namespace } : {}) },
    createdAt: ago('40d'),
    finalizers: [],
    owners: [],
    marks: [],
    managers: [],
    ...rest,
  };
}

export function ownedBy(owner: ObjectMeta, more: Partial<OwnerReference> = {}): OwnerReference[] {
  const { kind, name, uid } = owner.ref;
  return [
    {
      group: kind.group,
      version: kind.version,
      kind: kind.kind,
      name,
      uid,
      controller: true,
      blocking: true,
      ...more,
    },
  ];
}

export function aCronJob(name: string, more: Partial<HistoryOwner> = {}): HistoryOwner {
  return { ...anObject(kinds.cronJob, name), keepSucceeded: 3, keepFailed: 1, suspended: false, ...more };
}

export function aJob(name: string, state: JobState, more: Partial<Job> & { namespace?: string } = {}): Job {
  return { ...anObject(kinds.job, name, more), state, manual: false, ...more };
}

export const complete = (age: string): JobState => ({ is: 'complete', endedAt: ago(age), reason: '' });
export const failed = (age: string, reason = 'BackoffLimitExceeded'): JobState => ({
  is: 'failed',
  endedAt: ago(age),
  reason,
});
export const running = (active = 1): JobState => ({ is: 'running', active });

export function aPod(name: string, job: ObjectMeta | undefined, more: Partial<Pod> = {}): Pod {
  return {
    ...anObject(kinds.pod, name, { namespace: job?.ref.namespace ?? 'batch' }),
    owners: job === undefined ? [] : ownedBy(job),
    phase: 'Succeeded',
    graceSeconds: 30,
    preStopHooks: 0,
    runningContainers: 0,
    claims: [],
    ...more,
  };
}

const shared = {
  namespaceGiven: false,
  allNamespaces: false,
  dryRun: 'none',
  yes: false,
  interactive: false,
  includeProtected: false,
  concurrency: 24,
  reach: [],
  quiet: false,
  wait: true,
  output: 'text',
} as const;

export function pruneOptions(more: Partial<PruneJobsOptions> = {}): PruneJobsOptions {
  return {
    ...shared,
    verb: 'prune jobs',
    standalone: false,
    reasons: [],
    includeHooks: false,
    skipManual: false,
    ...more,
  };
}

export function deleteOptions(more: Partial<DeleteOptions> = {}): DeleteOptions {
  const words = { by: 'name', targets: [] } as const;
  return {
    ...shared,
    verb: 'delete',
    words,
    propagation: 'Background',
    force: false,
    ignoreNotFound: false,
    ...more,
  };
}

const moment = {
  takenAt: now,
  context: 'prod',
  server: 'https://10.0.0.1:6443',
  namespaces: ['batch'],
  allNamespaces: false,
};

export function pruneSnapshot(
  jobs: readonly Job[],
  owners: readonly HistoryOwner[],
  more: Partial<PruneSnapshot> = {},
): PruneSnapshot {
  return {
    ...moment,
    jobs,
    owners: new Map(owners.map(owner => [owner.ref.uid, owner])),
    ownerKindsRead: new Set(['batch/CronJob', 'keda.sh/ScaledJob']),
    unreadable: [],
    pods: [],
    podKind: kinds.pod,
    rights: new Map(),
    ...more,
  };
}

export const looked = {
  job: (object: Job): Looked => ({ as: 'job', object }),
  pod: (object: Pod): Looked => ({ as: 'pod', object }),
  object: (object: ObjectMeta): Looked => ({ as: 'object', object }),
};

export function deleteSnapshot(
  targets: readonly Looked[],
  dependents: readonly Looked[],
  more: Partial<DeleteSnapshot> = {},
): DeleteSnapshot {
  return {
    ...moment,
    targets,
    notFound: [],
    dependents,
    seenUids: new Set([...targets, ...dependents].map(({ object }) => object.ref.uid)),
    kindsRead: new Set(['batch/Job', 'batch/CronJob', '/Pod', '/ConfigMap', '/PersistentVolumeClaim']),
    unreadable: [],
    silentGroups: [],
    ownerlessJobs: [],
    contents: [],
    workload: { job: kinds.job, pod: kinds.pod },
    rights: new Map(),
    ...more,
  };
}

export function unstickOptions(more: Partial<UnstickOptions> = {}): UnstickOptions {
  return {
    ...shared,
    verb: 'unstick',
    words: { by: 'scan', types: [] },
    finalizers: [],
    allFinalizers: false,
    stuckForMs: 120_000,
    forceFinalize: false,
    ...more,
  };
}

/** Terminating for an hour without a grace period, unless `more` says otherwise. */
export const stuck = { deletingSince: ago('1h'), deletionGraceSeconds: 0 } as const;

export const noEvidence: Evidence = {
  jobs: new Map(),
  pods: new Map(),
  claims: new Map(),
  leases: [],
  workloads: [],
  volumes: [],
  attachments: [],
  warnings: [],
  namespaces: [],
  applications: [],
  nodes: new Map(),
  silentWebhooks: [],
};

/** A scan that could read everything; `evidence` is what was found beside the objects. */
export function unstickSnapshot(
  objects: readonly Looked[],
  {
    evidence,
    named,
    ...more
  }: Partial<Omit<UnstickSnapshot, 'evidence' | 'named'>> & {
    readonly evidence?: Partial<Evidence>;
    /** The named objects. */
    readonly named?: readonly Looked[];
  } = {},
): UnstickSnapshot {
  return {
    ...moment,
    named: new Set((named ?? []).map(({ object }) => object.ref.uid)),
    isScan: named === undefined,
    objects,
    dependents: [],
    scanned: 'everywhere',
    unreadable: [],
    unreadableEvidence: [],
    served: new Set(
      Object.values(kinds).map(({ group, resource }) => (group === '' ? resource : `${resource}.${group}`)),
    ),
    silentGroups: [],
    liveWith: [],
    otherVersions: [],
    draining: [],
    inside: new Map(),
    evidence: { ...noEvidence, ...evidence },
    mayPatch: new Map(),
    mayFinalize: 'yes',
    ...more,
  };
}
