// Builders of what `status` reads. The rest is in nouns.ts and stop-nouns.ts.
import type { JobPod } from '../../src/model/job-pod.ts';
import type { ObjectMeta } from '../../src/model/object.ts';
import type { Place, Status, StatusCode, StatusFinding } from '../../src/model/status.ts';
import type { StatusSnapshot } from '../../src/model/status-snapshot.ts';
import { planStatus } from '../../src/plan/status.ts';
import { ago, aPod, kinds, now } from './nouns.ts';

const every = ['batch/Job', 'batch/CronJob', 'keda.sh/ScaledJob', '/Pod'];

/** Of namespace batch, everything read. */
export function statusSnapshot(more: Partial<StatusSnapshot> = {}): StatusSnapshot {
  return {
    takenAt: now,
    context: 'prod',
    server: 'https://10.0.0.1:6443',
    namespaces: more.allNamespaces === true ? [] : ['batch'],
    allNamespaces: false,
    sources: [],
    jobs: [],
    pods: [],
    podKind: kinds.pod,
    kindsRead: new Set(every),
    unreadable: [],
    ...more,
  };
}

/** Everything but these kinds, which are forbidden. */
export const without = (
  ...forbidden: readonly (keyof typeof kinds)[]
): Pick<StatusSnapshot, 'kindsRead' | 'unreadable'> => {
  const unread = forbidden.map(word => kinds[word]);
  const keys = unread.map(({ group, kind }) => `${group}/${kind}`);
  return {
    kindsRead: new Set(every.filter(key => !keys.includes(key))),
    unreadable: unread.map(kind => ({ kind, problem: { code: 'forbidden', text: 'forbidden' } })),
  };
};

/** Of a Job that is there: with its labels and a reference to it. */
export function aJobPod(name: string, job: ObjectMeta, more: Partial<JobPod> = {}): JobPod {
  return {
    ...aPod(name, job),
    jobUids: [job.ref.uid],
    jobNames: [job.ref.name],
    labels: {
      'batch.kubernetes.io/controller-uid': job.ref.uid,
      'batch.kubernetes.io/job-name': job.ref.name,
    },
    mirror: false,
    endedAt: ago('1d'),
    ...more,
  };
}

/** As a delete without a policy leaves it: the labels are all that is left. */
export const aLeakedPod = (name: string, job: ObjectMeta, more: Partial<JobPod> = {}): JobPod =>
  aJobPod(name, job, { owners: [], ...more });

export const runningPod = { phase: 'Running', runningContainers: 1, node: 'node-1' } as const;

/** What is said of one namespace. */
export function placeOf(status: Status, namespace = 'batch'): Place {
  const place = status.places.find(candidate => candidate.namespace === namespace);
  if (place === undefined) throw new Error(`nothing is said of ${namespace}`);
  return place;
}

/** As a `status` without connection flags tells it. */
export const planned = (snapshot: StatusSnapshot): Status => planStatus(snapshot, { reach: [] });

export const statusOf = (more: Partial<StatusSnapshot>): Status => planned(statusSnapshot(more));

export const findingsOf = (status: Status, code?: StatusCode): StatusFinding[] =>
  status.places.flatMap(({ findings }) => findings).filter(one => code === undefined || one.code === code);

/** `failed-last job.batch/x`, one for each object of each finding. */
export const told = (status: Status): string[] =>
  findingsOf(status).flatMap(({ code, targets }) => targets.map(({ name }) => `${code} ${name}`));

export const typed = (finding: StatusFinding | undefined): string[] =>
  (finding?.next ?? []).map(({ program, words }) => [program, ...words].join(' '));
