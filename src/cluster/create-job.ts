// One Job from a CronJob's template, as `kubectl create job --from` makes it.
import type { Ref } from '../model/ref.ts';
import { fieldsIn, fieldsOf } from './adapt-meta.ts';
import type { Written } from './contract.ts';
import { malformed } from './pages.ts';
import { pathOf, withQuery } from './path.ts';
import { problemOfAnswer } from './problem.ts';
import { refusedWrite } from './refused-write.ts';
import type { Transport } from './transport.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' } as const;

/** Source: kubectl pkg/cmd/create/create_job.go createJobFromCronJob. */
export async function createJobFrom(
  transport: Transport,
  source: Ref,
  name: string,
  dryRun: boolean,
): Promise<Written> {
  const { kind, namespace } = source;
  const read = await transport.send({
    method: 'GET',
    path: pathOf(kind, namespace, source.name),
    repeatable: true,
  });
  if ('problem' in read) return { state: 'failed', problem: read.problem };
  if (read.answer.status !== 200)
    return refusedWrite({ ...read.answer, mayHaveArrivedBefore: false }, source, { state: 'done' });
  const cronJob = fieldsIn(read.answer.body);
  if (cronJob === undefined)
    return { state: 'failed', problem: malformed(new Error('the CronJob is no JSON')) };
  if (fieldsOf(cronJob['metadata'])['uid'] !== source.uid) return { state: 'already-gone' };
  const sent = await transport.send({
    method: 'POST',
    path: withQuery(pathOf(jobs, namespace), { dryRun: dryRun ? 'All' : undefined }),
    body: JSON.stringify(toJob(cronJob, source, name)),
    // a second arrival meets its own name
    repeatable: true,
    onlyIfBroken: true,
  });
  if ('problem' in sent) return { state: 'failed', problem: sent.problem };
  const { status, body, mayHaveArrivedBefore } = sent.answer;
  const isThere = status < 300 || (status === 409 && mayHaveArrivedBefore);
  return isThere ? { state: 'done' } : { state: 'failed', problem: problemOfAnswer(status, body, { name }) };
}

function toJob(cronJob: ReturnType<typeof fieldsOf>, source: Ref, name: string): object {
  const template = fieldsOf(fieldsOf(cronJob['spec'])['jobTemplate']);
  const metadata = fieldsOf(template['metadata']);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: source.namespace,
      labels: metadata['labels'],
      annotations: {
        'cronjob.kubernetes.io/instantiate': 'manual',
        ...fieldsOf(metadata['annotations']),
      },
      // without blockOwnerDeletion, which would want the right to cronjobs/finalizers
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: source.name, uid: source.uid, controller: true },
      ],
    },
    spec: template['spec'],
  };
}
