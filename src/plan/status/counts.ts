// The Jobs of one namespace, counted: each in one state, and those beyond retention beside it.
import type { Job } from '../../model/job.ts';
import type { JobCounts } from '../../model/status.ts';

export function countsOf(jobs: readonly Job[], tooMany: number): JobCounts {
  const count = (is: Job['state']['is']): number => jobs.filter(({ state }) => state.is === is).length;
  return {
    total: jobs.length,
    running: count('running'),
    ending: count('ending'),
    complete: count('complete'),
    failed: count('failed'),
    suspended: count('suspended'),
    neverStarted: count('never-started'),
    idle: count('idle'),
    tooMany,
  };
}
