// When the Job controller is about to make a Pod in the place of one that failed. A parallelism that is lowered in that moment meets one
// Pod more than we have seen, and what the controller then deletes is what is not ready: the Pods that are ending.
import type { Work } from '../model/stopping.ts';
import type { WorkingPod } from '../model/working-pod.ts';

/**
 * Seconds from the end of a Pod to the one in its place: doubled with each failure in a row. The controller keeps its count of them in
 * memory and begins anew when it restarts, so any of these may be the one. Source: pkg/controller/job/backoff_utils.go, and
 * DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff in job_controller.go.
 */
const replacedAfterSeconds = [10, 20, 40, 80, 160, 320, 600];
/** The write may be on its way for so long, and times are cut to whole seconds. */
const beforeSeconds = 2;
/** So long it may take a busy controller to come to it. Seen by us, a Pod is no surprise any more. */
const afterSeconds = 4;

export function mayBeReplacedNow({ job, pods }: Pick<Work, 'job' | 'pods'>, now: Date): boolean {
  const ends = pods.filter(isFailed).map(({ finishedAt }) => finishedAt.getTime());
  // with a limit per index each index waits for itself; else the whole Job waits after the last failure
  const decisive = job.perIndex ? ends : [Math.max(0, ...ends)];
  return decisive.some(endMs => isDue((now.getTime() - endMs) / 1000));
}

const isDue = (seconds: number): boolean =>
  replacedAfterSeconds.some(due => seconds >= due - beforeSeconds && seconds <= due + afterSeconds);

/** One that is being deleted is replaced before it has ended, unless the Job says otherwise. Source: job_controller.go isPodFailed. */
const isFailed = ({ phase, deletingSince }: WorkingPod): boolean =>
  phase === 'Failed' || (deletingSince !== undefined && phase !== 'Succeeded');
