// API objects → model nouns: Jobs, Pods and what makes Jobs, in the detail that `stop` and `resume` need.
import { given } from '../model/given.ts';
import { type JobSource, kedaPaused } from '../model/job-source.ts';
import type { Kind } from '../model/kind.ts';
import { memoryKey, type Remembered, readMemory } from '../model/memory.ts';
import type { FailureRule, WorkingJob } from '../model/working-job.ts';
import type { ContainerState, WorkingPod } from '../model/working-pod.ts';
import { toHistoryOwner, toJob } from './adapt-job.ts';
import { toSelector } from './adapt-job-pod.ts';
import { dateOf, type Fields, fieldsOf, listOf, numberOf, textOf, textsOf } from './adapt-meta.ts';
import { toPod } from './adapt-pod.ts';
import { finishedTime } from './finished-time.ts';

function rememberedOn(item: Fields): Remembered {
  const metadata = fieldsOf(item['metadata']);
  return readMemory(textsOf(metadata['annotations'])[memoryKey], textOf(metadata['uid']) ?? '');
}

export function toWorkingJob(kind: Kind, item: unknown): WorkingJob {
  const fields = fieldsOf(item);
  const [spec, status] = [fieldsOf(fields['spec']), fieldsOf(fields['status'])];
  const completions = numberOf(spec['completions']);
  // on their way into the counters; the controller compares both together (syncJob: jobCtx.failed)
  const uncounted = (of: string) => listOf(fieldsOf(status['uncountedTerminatedPods'])[of]).length;
  return {
    ...toJob(kind, item),
    limits: {
      // the server's own defaults; it always writes them
      parallelism: numberOf(spec['parallelism']) ?? 1,
      backoffLimit: numberOf(spec['backoffLimit']) ?? 6,
      ...given({
        maxFailedIndexes: numberOf(spec['maxFailedIndexes']),
        activeDeadlineSeconds: numberOf(spec['activeDeadlineSeconds']),
        ttlSecondsAfterFinished: numberOf(spec['ttlSecondsAfterFinished']),
      }),
    },
    counts: {
      active: numberOf(status['active']) ?? 0,
      succeeded: (numberOf(status['succeeded']) ?? 0) + uncounted('succeeded'),
      failed: (numberOf(status['failed']) ?? 0) + uncounted('failed'),
      ...given({ failedIndexes: indexesIn(textOf(status['failedIndexes'])) }),
    },
    uncountedFailures: listOf(fieldsOf(status['uncountedTerminatedPods'])['failed']).map(String),
    suspended: spec['suspend'] === true,
    ...given({ completions }),
    restartPolicy: textOf(fieldsOf(fieldsOf(spec['template'])['spec'])['restartPolicy']) ?? 'Never',
    perIndex: numberOf(spec['backoffLimitPerIndex']) !== undefined,
    failureRules: listOf(fieldsOf(spec['podFailurePolicy'])['rules']).map(toRule),
    hasSuccessPolicy: spec['successPolicy'] !== undefined && spec['successPolicy'] !== null,
    standardSelector: spec['manualSelector'] !== true,
    ...given({
      selector: spec['manualSelector'] === true ? toSelector(fieldsOf(spec['selector'])) : undefined,
    }),
    remembered: rememberedOn(fields),
  };
}

/** `1,3-5` are four. */
function indexesIn(text: string | undefined): number | undefined {
  return text
    ?.split(',')
    .filter(Boolean)
    .map(part => part.split('-').map(Number))
    .reduce((sum, [from = 0, to = from]) => sum + to - from + 1, 0);
}

function toRule(value: unknown): FailureRule {
  const rule = fieldsOf(value);
  const action = textOf(rule['action']) ?? '';
  if (rule['onExitCodes'] === undefined) return { action };
  const codes = fieldsOf(rule['onExitCodes']);
  const values = listOf(codes['values']).filter(code => typeof code === 'number');
  return { action, exitCodes: { operator: textOf(codes['operator']) ?? 'In', values } };
}

export function toWorkingPod(kind: Kind, item: unknown): WorkingPod {
  const fields = fieldsOf(item);
  const [spec, status] = [fieldsOf(fields['spec']), fieldsOf(fields['status'])];
  const pod = toPod(kind, item);
  return {
    ...pod,
    finishedAt: finishedTime(pod, spec, status),
    ...given({
      startedAt: dateOf(status['startTime']),
      deadlineSeconds: numberOf(spec['activeDeadlineSeconds']),
      reason: textOf(status['reason']),
    }),
    containers: [
      ...listOf(status['initContainerStatuses']).map(one => toState(one, 'init')),
      ...listOf(status['containerStatuses']).map(one => toState(one, 'container')),
      ...listOf(status['ephemeralContainerStatuses']).map(one => toState(one, 'ephemeral')),
    ],
    containerNames: [
      ...namesOf(spec['initContainers'], 'init'),
      ...namesOf(spec['containers'], 'container'),
      ...namesOf(spec['ephemeralContainers'], 'ephemeral'),
    ],
    remembered: rememberedOn(fields),
  };
}

const namesOf = (list: unknown, kind: ContainerState['kind']) =>
  listOf(list).flatMap(one => {
    const name = textOf(fieldsOf(one)['name']);
    return name === undefined ? [] : [{ name, kind }];
  });

function toState(value: unknown, kind: ContainerState['kind']): ContainerState {
  const one = fieldsOf(value);
  const state = fieldsOf(one['state']);
  const [running, terminated] = [state['running'], state['terminated']];
  const is = running !== undefined ? 'running' : terminated !== undefined ? 'terminated' : 'waiting';
  const inside = fieldsOf(running ?? terminated ?? state['waiting']);
  return {
    name: textOf(one['name']) ?? '',
    kind,
    is,
    restarts: numberOf(one['restartCount']) ?? 0,
    ...given({
      reason: textOf(inside['reason']),
      exitCode: numberOf(inside['exitCode']),
    }),
  };
}

export function toJobSource(kind: Kind, item: unknown): JobSource {
  const fields = fieldsOf(item);
  const [spec, status] = [fieldsOf(fields['spec']), fieldsOf(fields['status'])];
  const annotations = textsOf(fieldsOf(fields['metadata'])['annotations']);
  const paused = listOf(status['conditions'])
    .map(fieldsOf)
    .find(condition => condition['type'] === 'Paused');
  return {
    ...toHistoryOwner(kind, item),
    ...given({
      schedule: textOf(spec['schedule']),
      timeZone: textOf(spec['timeZone']),
      concurrencyPolicy: textOf(spec['concurrencyPolicy']),
      startingDeadlineSeconds: numberOf(spec['startingDeadlineSeconds']),
      lastScheduledAt: dateOf(status['lastScheduleTime']),
      pausedAnnotation: annotations[kedaPaused],
      pausedSeen: paused === undefined ? undefined : paused['status'] === 'True',
    }),
    listedActive: listOf(status['active']).flatMap(one => textOf(fieldsOf(one)['name']) ?? []),
    limits: given({
      successful: numberOf(spec['successfulJobsHistoryLimit']),
      failed: numberOf(spec['failedJobsHistoryLimit']),
    }),
    remembered: rememberedOn(fields),
  };
}
