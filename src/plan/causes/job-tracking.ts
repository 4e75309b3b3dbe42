// `batch.kubernetes.io/job-tracking`: on a Pod until the Job controller has counted how it ended. Stripped while the Job is still at
// work, the Pod is not counted and its work runs again; so only when the Job is gone, finished or going itself.
// Source: pkg/controller/job (removeTrackingFinalizersFromAllPods, trackJobStatusAndRemoveFinalizers).

import { isFinished } from '../../model/job.ts';
import { isPodKind } from '../../model/kind.ts';
import { isTerminating } from '../../model/object.ts';
import { jobOf, trackingFinalizer } from '../../model/pod.ts';
import { type Diagnosis, uidOf } from './case.ts';

export const diagnoseJobTracking: Diagnosis = (finalizer, { looked, snapshot }) => {
  if (finalizer !== trackingFinalizer || !isPodKind(looked.object.ref.kind)) return undefined;
  const hold = { finalizer, where: 'metadata', loss: 'nothing', waitsFor: [] } as const;
  if (looked.as !== 'pod') return { ...hold, cause: 'job-unknown', facts: { job: '' }, allowance: 'never' };
  const named = jobOf(looked.object);
  if (named === undefined) return { ...hold, cause: 'job-gone', facts: { job: '' }, allowance: 'proven' };
  const facts = { job: `job.batch/${named.name}` };
  const job = snapshot.evidence.jobs.get(named.uid);
  if (job === undefined) return { ...hold, cause: 'job-unknown', facts, allowance: 'never' };
  if (job === 'absent') return { ...hold, cause: 'job-gone', facts, allowance: 'proven' };
  if (isTerminating(job.object))
    return { ...hold, cause: 'job-over', facts: { ...facts, state: 'terminating' }, allowance: 'proven' };
  if (job.as === 'job' && isFinished(job.object.state))
    return {
      ...hold,
      cause: 'job-over',
      facts: { ...facts, state: job.object.state.is },
      allowance: 'proven',
    };
  return { ...hold, cause: 'job-counts-it', facts, allowance: 'never', waitsFor: [uidOf(job)] };
};
