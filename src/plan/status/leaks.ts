// Leaked Pods, by the rule that `prune pods` goes by. One that is terminating is on its way, or stuck.

import { given } from '../../model/given.ts';
import type { JobPod } from '../../model/job-pod.ts';
import { inEach, type LivingJob } from '../../model/living-job.ts';
import { isTerminating } from '../../model/object.ts';
import { isEnded } from '../../model/pod.ts';
import type { StatusFinding } from '../../model/status.ts';
import type { WorkingJob } from '../../model/working-job.ts';
import { JobsThere, leakOf } from '../leaked.ts';
import { type About, placeOf } from './about.ts';
import { jobctl } from './next.ts';

/** Undefined: Jobs or Pods could not be read, so that nothing is known to be gone. */
export function leakedIn({ snapshot, areJobsRead, arePodsRead }: About): readonly JobPod[] | undefined {
  if (!areJobsRead || !arePodsRead) return undefined;
  const jobs = new JobsThere(inEach(snapshot.pods.map(placeOf), snapshot.jobs.map(toLiving)));
  return snapshot.pods.filter(pod => !isTerminating(pod) && leakOf(pod, jobs, snapshot.takenAt).leaked);
}

const toLiving = ({ ref, selector }: WorkingJob): LivingJob => ({
  uid: ref.uid,
  name: ref.name,
  namespace: ref.namespace ?? '',
  ...given({ selector }),
});

export function leakFindings(leaked: readonly JobPod[]): StatusFinding[] {
  return [...Map.groupBy(leaked, placeOf)].flatMap(([namespace, pods]) => [
    ...finding(
      'leaked-running',
      namespace,
      pods.filter(pod => !isEnded(pod)),
      ['--include-running'],
    ),
    ...finding('leaked-finished', namespace, pods.filter(isEnded), []),
  ]);
}

function finding(
  code: 'leaked-finished' | 'leaked-running',
  namespace: string,
  pods: readonly JobPod[],
  flags: readonly string[],
): StatusFinding[] {
  if (pods.length === 0) return [];
  const jobs = new Set(pods.map(({ jobUids }) => jobUids[0]));
  return [
    {
      code,
      namespace,
      needs: true,
      targets: pods.map(({ ref }) => ref),
      facts: { count: pods.length, jobs: jobs.size, job: pods[0]?.jobNames[0] ?? '' },
      next: [jobctl(namespace, 'prune', 'pods', ...flags)],
    },
  ];
}
