// Jobs on which a stop has left its note: those that it has ended and keeps, and those that it has not ended.
import { isFinished } from '../../model/job.ts';
import type { Memory } from '../../model/memory.ts';
import { isTerminating } from '../../model/object.ts';
import type { StatusFinding } from '../../model/status.ts';
import type { WorkingJob } from '../../model/working-job.ts';
import { type About, isKeptFromStop, placeOf } from './about.ts';
import { jobctl, typed } from './next.ts';

export const isRemembered = ({ remembered }: WorkingJob): boolean => remembered.state === 'remembered';

/** They stay as they are until somebody says that their evidence is not wanted any more. */
export function stoppedJobFindings({ snapshot }: About): StatusFinding[] {
  const stopped = snapshot.jobs.filter(
    job => isRemembered(job) && isFinished(job.state) && !isTerminating(job),
  );
  return [...Map.groupBy(stopped, placeOf)].map(([namespace, jobs]) => {
    const [one, more] = jobs;
    const next =
      one !== undefined && more === undefined
        ? jobctl(namespace, 'resume', typed(one.ref), '--release-evidence', ...protection(one))
        : jobctl(namespace, 'resume');
    return {
      code: 'stopped-jobs',
      namespace,
      needs: false,
      targets: jobs.map(({ ref }) => ref),
      facts: { count: jobs.length, job: one === undefined ? '' : typed(one.ref) },
      next: [next],
    };
  });
}

/** A stop waits for its Pods: one that has begun just now may be under way. */
const isLeftMs = 120_000;

/** With its limits lifted, it neither goes on as it was nor ends. */
export function halfStoppedFindings(about: About): StatusFinding[] {
  return about.snapshot.jobs.flatMap(job => {
    const memory = memoryOf(job);
    if (memory === undefined || isTerminating(job) || isFinished(job.state) || job.state.is === 'ending')
      return [];
    const namespace = placeOf(job);
    const sinceMs = about.since(memory.at);
    const words = [typed(job.ref), ...protection(job)];
    return {
      code: 'half-stopped' as const,
      namespace,
      needs: sinceMs > isLeftMs,
      targets: [job.ref],
      facts: { by: memory.by, sinceMs, active: job.state.is === 'running' ? job.state.active : 0 },
      next: [jobctl(namespace, 'stop', ...words), jobctl(namespace, 'resume', ...words)],
    };
  });
}

const memoryOf = ({ remembered }: WorkingJob): Memory | undefined =>
  remembered.state === 'remembered' ? remembered.memory : undefined;

/** What asks to be left alone was stopped with this flag, and is not resumed without it. */
const protection = (job: WorkingJob): string[] => (isKeptFromStop(job) ? ['--include-protected'] : []);
