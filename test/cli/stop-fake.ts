// The fake with running work in it, and what kubelet and Job controller would do with it.
import type { TestContext } from 'node:test';
import type { Fault } from '../support/fake/faults.ts';
import { fieldsOf } from '../support/fake/object.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { apiTime } from '../support/time.ts';
import { aCronJob, aJob, aNode, aPod } from '../support/world.ts';
import { aFake as anyFake } from './fake.ts';

export const words = 'stop cronjob/c --no-save --yes';

/** A CronJob with so many Jobs, each with one Pod that runs. */
export async function aFake(t: TestContext, jobs = 1): Promise<FakeApi> {
  const api = await anyFake(t, { clock: 'real' });
  const cronJob = aCronJob('c').limits(3, 1);
  api.add(cronJob, aNode('node-1'));
  for (let at = 0; at < jobs; at += 1) {
    const job = aJob(`j-${at}`).ownedBy(cronJob).running();
    api.add(job, aPod(`p-${at}`).of(job).running());
  }
  api.rights.deny('create', 'events');
  return api;
}

const lastOf = (path: string): string => path.split('/').at(-1) ?? '';

/**
 * As kubelet and Job controller would, after the patches that come in. A rule that was there before comes first, so a test says its own
 * faults before this. `holds`: Pods end when the test says so.
 */
export function playControllers(api: FakeApi, { holds = false }: { holds?: boolean } = {}): void {
  api.faults.on({ method: 'PATCH' }, async (asked, pass) => {
    const answer = await pass();
    if (answer.status !== 200) return answer;
    if (asked.resource === 'pods' && !holds) endPod(api, lastOf(asked.path));
    if (asked.resource === 'jobs') closeJob(api, lastOf(asked.path));
    return answer;
  });
}

export function endPod(api: FakeApi, name: string): void {
  const terminated = { exitCode: 143, reason: 'Error', finishedAt: apiTime(new Date()) };
  api.update('pods', 'batch', name, pod => ({
    ...pod,
    status: {
      ...fieldsOf(pod.status),
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      containerStatuses: [
        { name: 'main', ready: false, restartCount: 0, image: '', imageID: '', state: { terminated } },
      ],
    },
  }));
  const job = name.replace('p-', 'j-');
  if (api.get('jobs', 'batch', job) !== undefined)
    api.update('jobs', 'batch', job, object => ({ ...object, status: { failed: 1, active: 0 } }));
}

function closeJob(api: FakeApi, name: string): void {
  const job = api.get('jobs', 'batch', name);
  const { backoffLimit } = fieldsOf(job?.spec);
  if (Number(fieldsOf(job?.status)['failed'] ?? 0) <= Number(backoffLimit)) return;
  const condition = {
    type: 'Failed',
    status: 'True',
    reason: 'BackoffLimitExceeded',
    lastTransitionTime: apiTime(new Date()),
  };
  api.update('jobs', 'batch', name, object => ({
    ...object,
    status: { ...fieldsOf(object.status), conditions: [condition] },
  }));
}

export const patchesOf = (api: FakeApi, resource: string) =>
  api.log.writes().filter(one => one.method === 'PATCH' && one.resource === resource);
export const accepted = (api: FakeApi) => api.log.writes().filter(({ status }) => status === 200).length;
export const onPatch = (resource: string) => ({ method: 'PATCH', resource });
export const times = (count: number, fault: Fault): Fault[] => Array.from({ length: count }, () => fault);

/** The Pod was told to end: from here on it is only waited. */
export const untilTold = (api: FakeApi) =>
  api.log.until(
    ({ method, resource, status }) => method === 'PATCH' && resource === 'pods' && status === 200,
  );
