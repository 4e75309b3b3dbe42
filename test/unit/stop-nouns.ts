// Builders of what `stop` reads: Jobs, their Pods and what makes them, in the detail that it needs. The rest is in nouns.ts.
import { isFinished, type JobState } from '../../src/model/job.ts';
import type { JobSource } from '../../src/model/job-source.ts';
import type { ObjectMeta } from '../../src/model/object.ts';
import type { StopOptions } from '../../src/model/options.ts';
import type { Asked, StopSnapshot } from '../../src/model/stop-snapshot.ts';
import type { Work } from '../../src/model/stopping.ts';
import type { JobLimits, WorkingJob } from '../../src/model/working-job.ts';
import type { ContainerState, WorkingPod } from '../../src/model/working-pod.ts';
import { aCronJob, ago, aJob, aPod, deleteOptions, kinds, now, running } from './nouns.ts';

const none = { state: 'none' } as const;

interface MoreOfJob extends Partial<Omit<WorkingJob, 'limits'>> {
  readonly limits?: Partial<JobLimits>;
}

/** One Pod at a time, six tries, nothing counted yet, the one Pod active. */
export function aWorkingJob(name: string, { limits, ...more }: MoreOfJob = {}): WorkingJob {
  const state: JobState = more.state ?? running();
  return {
    ...aJob(name, state),
    limits: { parallelism: 1, backoffLimit: 6, ...limits },
    counts: { active: isFinished(state) ? 0 : 1, succeeded: 0, failed: 0 },
    uncountedFailures: [],
    suspended: false,
    completions: 1,
    restartPolicy: 'Never',
    perIndex: false,
    failureRules: [],
    hasSuccessPolicy: false,
    standardSelector: true,
    remembered: none,
    ...more,
  };
}

export const runs: ContainerState = { name: 'main', kind: 'container', is: 'running', restarts: 0 };
export const waits: ContainerState = { name: 'main', kind: 'container', is: 'waiting', restarts: 0 };
export const exited = (exitCode: number, name = 'main'): ContainerState => ({
  name,
  kind: 'container',
  is: 'terminated',
  exitCode,
  restarts: 0,
});

/** It runs, and nobody has told it to end. */
export function aWorkingPod(
  name: string,
  job: ObjectMeta | undefined,
  more: Partial<WorkingPod> = {},
): WorkingPod {
  const containers = more.containers ?? [runs];
  return {
    ...aPod(name, job, { phase: 'Running' }),
    startedAt: ago('10m'),
    finishedAt: ago('7m'),
    containers,
    runningContainers: containers.filter(({ is }) => is === 'running').length,
    containerNames: containers.map(({ name: of, kind }) => ({ name: of, kind })),
    remembered: none,
    ...more,
  };
}

/** Ended by phase, and its container too. */
export const endedPod = (name: string, job: ObjectMeta, more: Partial<WorkingPod> = {}): WorkingPod =>
  aWorkingPod(name, job, { phase: 'Failed', containers: [exited(143)], deadlineSeconds: 1, ...more });

export const neverStarted = (name: string, job: ObjectMeta, more: Partial<WorkingPod> = {}): WorkingPod => {
  const { startedAt: _, ...pod } = aWorkingPod(name, job, { phase: 'Pending', containers: [], ...more });
  return pod;
};

export const work = (job: WorkingJob, pods: readonly WorkingPod[] = [], more: Partial<Work> = {}): Work => ({
  job,
  pods,
  silentNodes: new Set(),
  ...more,
});

export const aSource = (name: string, more: Partial<JobSource> = {}): JobSource => ({
  ...aCronJob(name),
  schedule: '*/5 * * * *',
  listedActive: [],
  limits: { successful: 3, failed: 1 },
  remembered: none,
  ...more,
});

/** By default paused by nobody. */
export const aScaledSource = (name: string, more: Partial<JobSource> = {}): JobSource => {
  const { schedule: _, ...source } = aSource(name);
  const uid = `uid-ScaledJob-batch-${name}`;
  return { ...source, ref: { ...source.ref, kind: kinds.scaledJob, uid }, limits: {}, ...more };
};

export const stopOptions = (more: Partial<StopOptions> = {}): StopOptions => {
  const { propagation: _1, force: _2, ignoreNotFound: _3, ...shared } = deleteOptions();
  return {
    ...shared,
    verb: 'stop',
    words: { by: 'name', targets: [] },
    suspendOnly: false,
    noSave: true,
    ignoreSaveErrors: false,
    ...more,
  };
};

interface Seen extends Partial<Omit<StopSnapshot, 'asked'>> {
  /** By name; sources and Jobs without an owner are named, and Jobs of a source that is there are owned, unless it says otherwise. */
  readonly asked?: Readonly<Record<string, Asked>>;
}

export function stopSnapshot({ asked = {}, ...more }: Seen): StopSnapshot {
  const { sources = [], jobs = [] } = more;
  const uids = new Set(sources.map(({ ref }) => ref.uid));
  const askedOf = ({ ref, owners }: ObjectMeta): Asked =>
    asked[ref.name] ?? (owners.some(({ uid }) => uids.has(uid)) ? 'owned' : 'named');
  return {
    takenAt: now,
    context: 'prod',
    server: 'https://10.0.0.1:6443',
    namespaces: ['batch'],
    allNamespaces: false,
    pods: [],
    unreadableOwners: new Map(),
    otherOwners: new Map(),
    silentNodes: new Set(),
    mayPatch: new Map(),
    maySave: [],
    mayRecord: true,
    user: 'anna',
    ...more,
    sources,
    jobs,
    asked: new Map([...sources, ...jobs].map(object => [object.ref.uid, askedOf(object)])),
  };
}
