// Leaked Pods: what `prune pods` would delete, because its judge is asked. One that is terminating is on its way, or stuck.

import { given } from '../../model/given.ts';
import type { JobPod } from '../../model/job-pod.ts';
import { inEach, type LivingJob } from '../../model/living-job.ts';
import type { PrunePodsOptions } from '../../model/options.ts';
import { isEnded } from '../../model/pod.ts';
import type { StatusFinding } from '../../model/status.ts';
import type { WorkingJob } from '../../model/working-job.ts';
import { JobsThere } from '../leaked.ts';
import { judgePod } from '../prune-pods-verdicts.ts';
import { type About, placeOf } from './about.ts';
import { jobctl } from './next.ts';

/** What `prune pods --include-running -n NAMESPACE` means. */
export const prunePodsWithRunning: PrunePodsOptions = {
  verb: 'prune pods',
  namespaceGiven: true,
  allNamespaces: false,
  dryRun: 'none',
  yes: false,
  interactive: false,
  includeProtected: false,
  concurrency: 24,
  reach: [],
  quiet: false,
  wait: true,
  output: 'text',
  includeRunning: true,
};

export interface LeakedPod {
  readonly pod: JobPod;
  /** `kept`: a mark on it asks for that, and `prune pods` leaves it. */
  readonly is: 'finished' | 'running' | 'kept';
  /** The mark that keeps it. */
  readonly mark?: string;
}

/** Undefined: Jobs or Pods could not be read, so that nothing is known to be gone. */
export function leakedIn({ snapshot, areJobsRead, arePodsRead }: About): readonly LeakedPod[] | undefined {
  if (!areJobsRead || !arePodsRead) return undefined;
  const living = inEach(snapshot.pods.map(placeOf), snapshot.jobs.map(toLiving));
  const about = {
    snapshot: { ...snapshot, jobs: living, rights: new Map() },
    options: prunePodsWithRunning,
    jobs: new JobsThere(living),
    chosen: undefined,
  };
  return snapshot.pods.flatMap((pod): LeakedPod[] => {
    const { verdict, why } = judgePod(pod, about).finding;
    if (verdict === 'delete') return [{ pod, is: isEnded(pod) ? 'finished' : 'running' }];
    // only of a leaked Pod the judge asks for its marks
    const isKept = why.code === 'protected' || why.code === 'hook';
    return isKept ? [{ pod, is: 'kept', mark: String(why.facts?.['mark']) }] : [];
  });
}

const toLiving = ({ ref, selector }: WorkingJob): LivingJob => ({
  uid: ref.uid,
  name: ref.name,
  namespace: ref.namespace ?? '',
  ...given({ selector }),
});

export function leakFindings(leaked: readonly LeakedPod[]): StatusFinding[] {
  const places = Map.groupBy(leaked, ({ pod }) => placeOf(pod));
  return [...places].flatMap(([namespace, all]) => {
    const those = (is: LeakedPod['is']) => all.filter(one => one.is === is);
    const kept = those('kept');
    const running = kept.every(({ pod }) => isEnded(pod)) ? [] : ['--include-running'];
    return [
      ...finding('leaked-running', namespace, those('running'), ['--include-running']),
      ...finding('leaked-finished', namespace, those('finished'), []),
      ...finding('leaked-kept', namespace, kept, ['--include-protected', ...running]),
    ];
  });
}

function finding(
  code: 'leaked-finished' | 'leaked-running' | 'leaked-kept',
  namespace: string,
  leaked: readonly LeakedPod[],
  flags: readonly string[],
): StatusFinding[] {
  const [one] = leaked;
  if (one === undefined) return [];
  const jobs = new Set(leaked.map(({ pod }) => pod.jobUids[0]));
  const marks = Map.groupBy(
    leaked.flatMap(({ mark }) => mark ?? []),
    mark => mark,
  );
  return [
    {
      code,
      namespace,
      // somebody asked for these to be left alone
      needs: code !== 'leaked-kept',
      targets: leaked.map(({ pod }) => pod.ref),
      facts: {
        count: leaked.length,
        jobs: jobs.size,
        job: one.pod.jobNames[0] ?? '',
        ...Object.fromEntries([...marks].map(([mark, of]) => [mark, of.length])),
      },
      next: [jobctl(namespace, 'prune', 'pods', ...flags)],
    },
  ];
}
