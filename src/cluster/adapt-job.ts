// API objects → model nouns: Jobs, and the owners that limit their history.
import { given } from '../model/given.ts';
import type { HistoryOwner } from '../model/history-owner.ts';
import type { Job, JobState } from '../model/job.ts';
import { isScaledJobKind, type Kind } from '../model/kind.ts';
import {
  dateOf,
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  textOf,
  textsOf,
  toObjectMeta,
} from './adapt-meta.ts';

export function toJob(kind: Kind, item: unknown, groupBy?: string): Job {
  const fields = fieldsOf(item);
  const metadata = fieldsOf(fields['metadata']);
  const status = fieldsOf(fields['status']);
  return {
    ...toObjectMeta(kind, item),
    state: toState(fieldsOf(fields['spec']), status),
    ...given({ startedAt: dateOf(status['startTime']) }),
    manual: textsOf(metadata['annotations'])['cronjob.kubernetes.io/instantiate'] === 'manual',
    ...given({ group: groupBy === undefined ? undefined : textsOf(metadata['labels'])[groupBy] }),
  };
}

/** Source: pkg/controller/job: Complete and Failed are the only ends; the two others come first and mean "will end". */
function toState(spec: Fields, status: Fields): JobState {
  const conditions = listOf(status['conditions']).map(fieldsOf);
  const isTrue = (type: string): Fields | undefined =>
    conditions.find(condition => condition['type'] === type && condition['status'] === 'True');
  const complete = isTrue('Complete');
  const failed = isTrue('Failed');
  const finished = complete ?? failed;
  if (finished !== undefined) {
    const endedAt = (complete && dateOf(status['completionTime'])) ?? dateOf(finished['lastTransitionTime']);
    // without a time it cannot be the oldest or the newest of anything: it stays
    if (endedAt === undefined) return { is: 'ending' };
    return {
      is: complete === undefined ? 'failed' : 'complete',
      endedAt,
      reason: textOf(finished['reason']) ?? '',
    };
  }
  if (isTrue('FailureTarget') ?? isTrue('SuccessCriteriaMet')) return { is: 'ending' };
  const active = numberOf(status['active']) ?? 0;
  if (active > 0) return { is: 'running', active };
  if (spec['suspend'] === true) return { is: 'suspended' };
  return hasCountedPods(status) ? { is: 'idle' } : { is: 'never-started' };
}

function hasCountedPods(status: Fields): boolean {
  const uncounted = fieldsOf(status['uncountedTerminatedPods']);
  const counters = ['succeeded', 'failed', 'ready', 'terminating'].map(name => numberOf(status[name]) ?? 0);
  return (
    counters.some(count => count > 0) ||
    listOf(uncounted['succeeded']).length + listOf(uncounted['failed']).length > 0
  );
}

/** Defaults: CronJob 3 and 1 (batch/v1 defaults.go); ScaledJob 100 and 100 (KEDA's scaledjob_types.go). */
export function toHistoryOwner(kind: Kind, item: unknown): HistoryOwner {
  const fields = fieldsOf(item);
  const spec = fieldsOf(fields['spec']);
  const annotations = textsOf(fieldsOf(fields['metadata'])['annotations']);
  const isScaledJob = isScaledJobKind(kind);
  const paused = annotations['autoscaling.keda.sh/paused'];
  return {
    ...toObjectMeta(kind, item),
    keepSucceeded: numberOf(spec['successfulJobsHistoryLimit']) ?? (isScaledJob ? 100 : 3),
    keepFailed: numberOf(spec['failedJobsHistoryLimit']) ?? (isScaledJob ? 100 : 1),
    suspended: isScaledJob ? paused !== undefined && paused !== 'false' : spec['suspend'] === true,
  };
}
