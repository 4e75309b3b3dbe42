// Running work that is to be stopped: the real Job controller makes the Pods, a played kubelet runs and ends them. And what is asked of it
// afterwards.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Admin, ApiFailure, type Fields, inParallel, type KubeObject } from '../cluster/admin.ts';
import type { AuditTrail } from '../cluster/audit.ts';
import type { ControlPlane } from '../cluster/control-plane.ts';
import { createCronJob, cronJobPath } from '../cluster/state/cronjobs.ts';
import { apiTime, podSpec } from '../cluster/state/draft.ts';
import { createJob, jobPath } from '../cluster/state/jobs.ts';
import { type Play, played, playKubelet } from '../cluster/state/played-kubelet.ts';
import { podPath } from '../cluster/state/pods.ts';
import type { Rule } from '../cluster/state/roles.ts';
import { until } from '../cluster/until.ts';
import { aPlace, type Place } from './operator.ts';

/** What a stop needs and no more, but for the logs and events that it saves. */
export const stopRules: readonly Rule[] = [
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: ['get', 'list', 'patch'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'patch'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create'] },
];

/** A namespace with a kubelet, and an ordinary user who may stop what is in it. */
export async function aPlaceToStop(
  t: TestContext,
  plane: ControlPlane,
  rules: readonly Rule[] = stopRules,
): Promise<Place> {
  const place = await aPlace(t, plane, { rules });
  const kubelet = playKubelet(plane.admin, place.namespace);
  t.after(() => kubelet.stop());
  return place;
}

/** A Pod that goes on until the test ends it by hand, however it is told to end. */
export const untilEndedByHand = 3600;
const patienceMs = 60_000;

/** One that runs in January only: no Job appears behind a test's back. */
export const aCronJob = (
  admin: Admin,
  namespace: string,
  name: string,
  spec: Fields = {},
  more: { readonly annotations?: Readonly<Record<string, string>> } = {},
): Promise<KubeObject> =>
  createCronJob(admin, { name, namespace, ...more, spec: { suspend: false, ...spec } });

interface WantedWork {
  readonly name: string;
  readonly namespace: string;
  readonly owner?: KubeObject;
  readonly labels?: Readonly<Record<string, string>>;
  readonly play?: Play;
  readonly spec?: Fields;
  readonly podSpec?: Fields;
}

export interface Work {
  readonly job: KubeObject;
  /** Failed ones too. */
  readonly pods: readonly KubeObject[];
  /** The first Pod that runs. */
  readonly pod: KubeObject;
}

export const templateOf = ({ play, podSpec: spec }: Pick<WantedWork, 'play' | 'podSpec'>): Fields => ({
  metadata: { annotations: played(play ?? {}) },
  spec: podSpec(spec),
});

/** A Job whose Pods run, and whose failures have been counted. */
export async function startWork(admin: Admin, wanted: WantedWork): Promise<Work> {
  const { play, podSpec: _, spec, ...rest } = wanted;
  const job = await createJob(admin, { ...rest, spec: { ...spec, template: templateOf(wanted) } });
  return untilRunning(admin, job, {
    active: Number(spec?.['parallelism'] ?? 1),
    failed: play?.failsFirst ?? 0,
  });
}

/** A Job whose one Pod no node has taken. */
export async function startPending(admin: Admin, wanted: WantedWork): Promise<Work> {
  const { play, podSpec: _, spec, ...rest } = wanted;
  const template = templateOf({ ...wanted, play: { ...play, neverStarts: true } });
  const job = await createJob(admin, { ...rest, spec: { ...spec, template } });
  return until(`a Pod of ${job.metadata.name}`, patienceMs, async () => {
    const [now, pods] = [await admin.get(pathOf(job)), await podsOf(admin, job)];
    const [pod] = pods;
    return pod !== undefined && statusOf(now).active === 1 && { job: now, pods, pod };
  });
}

export const startAll = (admin: Admin, wanted: readonly WantedWork[]): Promise<Work[]> =>
  inParallel(wanted, one => startWork(admin, one));

interface JobStatus {
  readonly active?: number;
  readonly failed?: number;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
  }[];
  readonly uncountedTerminatedPods?: { readonly failed?: readonly string[] };
}

export const statusOf = ({ status }: KubeObject): JobStatus => (status ?? {}) as JobStatus;
export const phaseOf = ({ status }: KubeObject): unknown => status?.['phase'];
const deadlineOf = ({ spec }: KubeObject): unknown => spec?.['activeDeadlineSeconds'];

export const untilRunning = (
  admin: Admin,
  job: KubeObject,
  wanted: { readonly active: number; readonly failed?: number },
): Promise<Work> =>
  until(`${wanted.active} Pods of ${job.metadata.name} to run`, patienceMs, async () => {
    const [now, pods] = [await admin.get(pathOf(job)), await podsOf(admin, job)];
    const { active = 0, failed = 0, uncountedTerminatedPods } = statusOf(now);
    const running = pods.filter(pod => phaseOf(pod) === 'Running');
    const isCounted = failed === (wanted.failed ?? 0) && (uncountedTerminatedPods?.failed ?? []).length === 0;
    const [pod] = running;
    return pod !== undefined && isCounted && active === wanted.active && running.length === wanted.active
      ? { job: now, pods, pod }
      : undefined;
  });

/** The Job of a CronJob that the CronJob controller makes at once, because it finds that it has missed a run. */
export async function untilItRan(admin: Admin, cronJob: KubeObject): Promise<KubeObject> {
  const { namespace = '', name, uid } = cronJob.metadata;
  const lastScheduleTime = apiTime(new Date(Date.now() - 30 * 60_000));
  await admin.patch(`${cronJobPath(namespace, name)}/status`, { status: { lastScheduleTime } });
  return until(`a Job of ${name}`, patienceMs, async () => (await jobsOf(admin, namespace, uid))[0]);
}

export async function jobsOf(admin: Admin, namespace: string, owner: string): Promise<readonly KubeObject[]> {
  const jobs = (await admin.list(jobPath(namespace))).map(job => ({
    ...job,
    apiVersion: 'batch/v1',
    kind: 'Job',
  }));
  return jobs.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === owner));
}

export function pathOf({ kind, metadata }: KubeObject): string {
  const { namespace = '', name } = metadata;
  const paths = { CronJob: cronJobPath, Job: jobPath, Pod: podPath };
  return paths[kind as keyof typeof paths](namespace, name);
}

export async function podsOf(admin: Admin, { metadata }: KubeObject): Promise<readonly KubeObject[]> {
  const { namespace = '', uid } = metadata;
  const pods = await admin.list(`${podPath(namespace)}?labelSelector=controller-uid%3D${uid}`);
  // of a list the items carry no kind
  return pods.map(pod => ({ ...pod, apiVersion: 'v1', kind: 'Pod' }));
}

/** The type and reason of the condition that is its end. */
export const endOf = (job: KubeObject): string | undefined =>
  statusOf(job)
    .conditions?.filter(({ type, status }) => ['Failed', 'Complete'].includes(type) && status === 'True')
    .map(({ type, reason }) => `${type}/${reason}`)[0];

export const untilEnded = (admin: Admin, job: KubeObject): Promise<string> =>
  until(`${job.metadata.name} to end`, patienceMs, async () => endOf(await admin.get(pathOf(job))));

interface Stopping {
  readonly hasEnded: () => boolean;
  readonly soFar: () => unknown;
}

/** Where the command has ended instead, what it said is in the failure. */
export const untilTold = (admin: Admin, pod: KubeObject, stopping: Stopping): Promise<KubeObject> =>
  until(`${pod.metadata.name} to be told to end`, patienceMs, async () => {
    const now = await admin.get(pathOf(pod));
    if (deadlineOf(now) === 1) return now;
    throw new Error(`${stopping.hasEnded() ? 'ended' : 'goes on'}: ${JSON.stringify(stopping.soFar())}`);
  });

export const untilLost = (admin: Admin, object: KubeObject): Promise<boolean> =>
  until(`${object.metadata.name} to be gone`, patienceMs, async () => {
    const now = await admin.find(pathOf(object));
    return now?.metadata.uid !== object.metadata.uid;
  });

export const uidsOf = (objects: readonly KubeObject[]): string[] =>
  objects.map(({ metadata }) => metadata.uid).sort();

const byBackoffLimit = 'Failed/BackoffLimitExceeded';

/** The same Job and Pods, each that ran ended by its own deadline, and the Job Failed. */
export async function assertKept(admin: Admin, { job, pods }: Work, end = byBackoffLimit): Promise<void> {
  const now = await admin.get(pathOf(job));
  assert.equal(now.metadata.uid, job.metadata.uid);
  assert.equal(endOf(now), end);
  const kept = await podsOf(admin, job);
  assert.deepEqual(uidsOf(kept), uidsOf(pods), 'the same Pods, and no other');
  const ran = new Set(pods.filter(pod => phaseOf(pod) === 'Running').map(({ metadata }) => metadata.uid));
  for (const pod of kept.filter(({ metadata }) => ran.has(metadata.uid)))
    assert.deepEqual([phaseOf(pod), pod.status?.['reason']], ['Failed', 'DeadlineExceeded']);
}

/** What stands in the annotation that `resume` reads. */
export interface Note {
  readonly uid: string;
  readonly by: string;
  readonly at: string;
  readonly reason?: string;
  readonly changes: readonly { readonly path: string; readonly was: unknown; readonly set: unknown }[];
}

export function noteOn({ metadata }: KubeObject): Note {
  const text = metadata.annotations?.['jobctl/stopped'];
  assert.ok(text, `${metadata.name} carries no memory`);
  return JSON.parse(text) as Note;
}

/** `/spec/suspend` → false */
export const rememberedOn = (object: KubeObject): Record<string, unknown> =>
  Object.fromEntries(noteOn(object).changes.map(({ path, was }) => [path, was]));

/** What people do by hand, following recipes. */
export const byHand = {
  limit: (admin: Admin, job: KubeObject, backoffLimit: number): Promise<KubeObject> =>
    admin.patch(pathOf(job), { spec: { backoffLimit } }),
  deadline: (admin: Admin, object: KubeObject): Promise<KubeObject> =>
    admin.patch(pathOf(object), { spec: { activeDeadlineSeconds: 1 } }),
};

/** Every write of this user that was accepted: `jobs/j` and its body, in the order in which the requests came in. */
export async function writesOf(trail: AuditTrail, user: string) {
  const events = await trail.events({
    user,
    verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
  });
  return events
    .filter(({ objectRef, dryRun }) => objectRef?.resource !== 'selfsubjectaccessreviews' && !dryRun)
    .filter(({ objectRef }) => objectRef?.resource !== 'selfsubjectreviews')
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}

export const isRefused =
  (status: number, message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof ApiFailure && error.status === status && message.test(error.message);
