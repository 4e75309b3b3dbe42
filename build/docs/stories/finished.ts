// A Job that ended long ago, as its controller would have left it. Suspended while it is made, so that the Job controller begins nothing;
// once a condition says that it has ended, that controller leaves it alone.
import type { Admin, KubeObject } from '../../../test/cluster/admin.ts';
import { apiTime, toDate, type Wanted } from '../../../test/cluster/state/draft.ts';
import { createJob, writeJobStatus } from '../../../test/cluster/state/jobs.ts';
import { createPodOf } from '../../../test/cluster/state/pods.ts';

interface Ended extends Wanted {
  readonly ended: string;
  readonly failed?: boolean;
}

export async function finishedJob(
  admin: Admin,
  { ended, failed = false, ...wanted }: Ended,
): Promise<KubeObject> {
  const job = await createJob(admin, { ...wanted, spec: { suspend: true } });
  const moment = toDate(ended);
  const at = apiTime(moment);
  const reason = failed ? 'BackoffLimitExceeded' : 'CompletionsReached';
  const types = failed ? ['FailureTarget', 'Failed'] : ['SuccessCriteriaMet', 'Complete'];
  await writeJobStatus(admin, job, {
    startTime: apiTime(new Date(moment.getTime() - 60_000)),
    conditions: types.map(type => ({
      type,
      status: 'True',
      reason,
      lastTransitionTime: at,
      lastProbeTime: at,
    })),
    ...(failed ? { failed: 1 } : { succeeded: 1, completionTime: at }),
  });
  return job;
}

export async function finishedJobWithPod(
  admin: Admin,
  wanted: Ended & { readonly pod?: string },
): Promise<KubeObject> {
  const { pod = `${wanted.name}-x2x8n`, ...more } = wanted;
  const job = await finishedJob(admin, more);
  await createPodOf(admin, job, {
    name: pod,
    phase: wanted.failed === true ? 'Failed' : 'Succeeded',
    ended: wanted.ended,
    started: wanted.ended,
  });
  return job;
}
