// API objects → model nouns: Pods and Jobs, for the question which Pods are leaked.
import { given } from '../model/given.ts';
import type { JobPod } from '../model/job-pod.ts';
import type { Kind } from '../model/kind.ts';
import type { LabelSelector } from '../model/label-selector.ts';
import type { LivingJob } from '../model/living-job.ts';
import { isEnded } from '../model/pod.ts';
import { dateOf, type Fields, fieldsOf, listOf, textOf, textsOf } from './adapt-meta.ts';
import { toPod } from './adapt-pod.ts';

const prefix = 'batch.kubernetes.io/';
const mirrorAnnotation = 'kubernetes.io/config.mirror';
const none = {};

export function toJobPod(kind: Kind, item: unknown): JobPod {
  const pod = toPod(kind, item);
  const metadata = fieldsOf(fieldsOf(item)['metadata']);
  const labels = textsOf(metadata['labels']);
  const valuesOf = (name: string) => [
    ...new Set([labels[prefix + name], labels[name]].flatMap(value => value || [])),
  ];
  const [jobUids, jobNames] = [valuesOf('controller-uid'), valuesOf('job-name')];
  const speaksOfJob = jobUids.length > 0 || jobNames.length > 0;
  return {
    ...pod,
    jobUids,
    jobNames,
    labels: speaksOfJob ? labels : none,
    mirror: textsOf(metadata['annotations'])[mirrorAnnotation] !== undefined,
    ...given({ endedAt: isEnded(pod) ? endOf(fieldsOf(fieldsOf(item)['status'])) : undefined }),
  };
}

/** Containers say when they ended; a Pod that was evicted or never started one has only its conditions. */
function endOf(status: Fields): Date | undefined {
  const containers = ['containerStatuses', 'initContainerStatuses']
    .flatMap(list => listOf(status[list]))
    .map(one => dateOf(fieldsOf(fieldsOf(fieldsOf(one)['state'])['terminated'])['finishedAt']));
  const conditions = listOf(status['conditions']).map(one => dateOf(fieldsOf(one)['lastTransitionTime']));
  return latest(containers) ?? latest(conditions);
}

function latest(dates: readonly (Date | undefined)[]): Date | undefined {
  const known = dates.flatMap(date => date?.getTime() ?? []);
  return known.length === 0 ? undefined : new Date(Math.max(...known));
}

export function toLivingJob(item: unknown): LivingJob {
  const metadata = fieldsOf(fieldsOf(item)['metadata']);
  const spec = fieldsOf(fieldsOf(item)['spec']);
  const [uid, name] = [textOf(metadata['uid']), textOf(metadata['name'])];
  if (uid === undefined || name === undefined)
    throw new Error('the server sent a Job without a name or a uid');
  const manual = spec['manualSelector'] === true;
  return {
    uid,
    name,
    namespace: textOf(metadata['namespace']) ?? '',
    ...given({ selector: manual ? toSelector(fieldsOf(spec['selector'])) : undefined }),
  };
}

export function toSelector(selector: Fields): LabelSelector {
  const texts = (values: unknown) => listOf(values).filter(value => typeof value === 'string');
  return {
    matchLabels: fieldsOf(selector['matchLabels']) as Record<string, string>,
    matchExpressions: listOf(selector['matchExpressions'])
      .map(fieldsOf)
      .map(one => ({
        key: textOf(one['key']) ?? '',
        operator: textOf(one['operator']) ?? '',
        values: texts(one['values']),
      })),
  };
}
