// Jobs in any state. The real Job controller works on `createJob`; the others belong to a controller that does not exist,
// so their status is what a test writes.
import { type Admin, collection, type Draft, type Fields, inParallel, type KubeObject } from '../admin.ts';
import { apiTime, type Moment, metadataOf, podSpec, toDate, type Wanted } from './draft.ts';

const inNobodysHands = { managedBy: 'example.test/none' };

export interface WantedJob extends Wanted {
  /** Merged into the spec. */
  readonly spec?: Fields;
  /** Merged into the Pod template's spec. */
  readonly podSpec?: Fields;
}

export interface WantedFinishedJob extends WantedJob {
  readonly ended: Moment;
  /** Complete if not said. */
  readonly outcome?: 'complete' | 'failed';
  /** Of the condition, as BackoffLimitExceeded or DeadlineExceeded. */
  readonly reason?: string;
  readonly message?: string;
}

export const jobPath = (namespace: string, name?: string): string =>
  collection('batch/v1', 'jobs', namespace) + (name === undefined ? '' : `/${name}`);

function jobDraft(wanted: WantedJob, spec: Fields = {}): Draft {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: metadataOf(wanted),
    spec: { ...spec, template: { spec: podSpec(wanted.podSpec) }, ...wanted.spec },
  };
}

/** The Job controller makes its Pods, which stay Pending for want of a node. */
export const createJob = (admin: Admin, wanted: WantedJob): Promise<KubeObject> =>
  admin.create(jobPath(wanted.namespace), jobDraft(wanted));

/** Merged into the status, as a controller would. */
export const writeJobStatus = (admin: Admin, job: KubeObject, status: Fields): Promise<KubeObject> =>
  admin.patch(`${jobPath(job.metadata.namespace ?? '', job.metadata.name)}/status`, { status });

/** A Job whose Pods nobody makes, so that a test can: with the status it is given, or as it was just created. */
export async function createJobByHand(admin: Admin, wanted: WantedJob, status?: Fields): Promise<KubeObject> {
  const job = await admin.create(jobPath(wanted.namespace), jobDraft(wanted, inNobodysHands));
  return status === undefined ? job : writeJobStatus(admin, job, status);
}

/** One Pod active for the last minute. */
export const createRunningJob = (
  admin: Admin,
  wanted: WantedJob,
  started: Moment = '1m',
): Promise<KubeObject> =>
  createJobByHand(admin, wanted, { startTime: apiTime(toDate(started)), active: 1, ready: 1 });

// The validation of batch/v1 wants both conditions of a pair, a completionTime for Complete only, and no active Pods.
// Source: pkg/registry/batch/job/strategy.go, the same from 1.34 to 1.37.
function finishedStatus(wanted: Pick<WantedFinishedJob, 'ended' | 'outcome' | 'reason' | 'message'>): Fields {
  const ended = toDate(wanted.ended);
  const isFailed = wanted.outcome === 'failed';
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: wanted.reason ?? (isFailed ? 'BackoffLimitExceeded' : 'CompletionsReached'),
    message:
      wanted.message ??
      (isFailed
        ? 'Job has reached the specified backoff limit'
        : 'Reached expected number of succeeded pods'),
    lastProbeTime: apiTime(ended),
    lastTransitionTime: apiTime(ended),
  });
  return {
    startTime: apiTime(new Date(ended.getTime() - 60_000)),
    conditions: (isFailed ? ['FailureTarget', 'Failed'] : ['SuccessCriteriaMet', 'Complete']).map(condition),
    ...(isFailed ? { failed: 1 } : { succeeded: 1, completionTime: apiTime(ended) }),
  };
}

/** Finished when the test says; its creationTimestamp is now all the same, since the server writes that itself. */
export const createFinishedJob = (admin: Admin, wanted: WantedFinishedJob): Promise<KubeObject> =>
  createJobByHand(admin, wanted, finishedStatus(wanted));

/** Thousands of them, as fast as the server takes them. */
export const createFinishedJobs = (
  admin: Admin,
  wanted: readonly WantedFinishedJob[],
): Promise<readonly KubeObject[]> => inParallel(wanted, job => createFinishedJob(admin, job));
