// Builders of what `resume` reads: what carries the memory of a stop. The rest is in stop-nouns.ts.
import type { JobSource } from '../../src/model/job-source.ts';
import type { Change, Remembered, Value } from '../../src/model/memory.ts';
import type { ResumeOptions } from '../../src/model/options.ts';
import type { ResumeSnapshot } from '../../src/model/stop-snapshot.ts';
import type { WorkingJob } from '../../src/model/working-job.ts';
import { outOfReach } from '../../src/model/working-job.ts';
import { ago } from './nouns.ts';
import { aSource, stopOptions, stopSnapshot } from './stop-nouns.ts';

/** `['/spec/suspend', false, true]`: what was, and what the stop has set. */
export type Written = readonly [path: string, was: Value, set: Value];

export const changesOf = (sets: readonly Written[]): Change[] =>
  sets.map(([path, was, set]) => ({ path, was, set }));

export const remembering = (...sets: readonly Written[]): Remembered => ({
  state: 'remembered',
  memory: { uid: 'any', at: ago('3h'), by: 'anna', reason: 'INC-1234', changes: changesOf(sets) },
});

const ofACronJob: readonly Written[] = [
  ['/spec/suspend', false, true],
  ['/spec/failedJobsHistoryLimit', 1, outOfReach],
  ['/spec/successfulJobsHistoryLimit', 3, outOfReach],
];

/** As a stop has left it; every five minutes, its last run was an hour ago. */
export const aStoppedSource = (name: string, more: Partial<JobSource> = {}): JobSource =>
  aSource(name, {
    suspended: true,
    timeZone: 'UTC',
    keepFailed: outOfReach,
    keepSucceeded: outOfReach,
    limits: { failed: outOfReach, successful: outOfReach },
    lastScheduledAt: ago('1h'),
    remembered: remembering(...ofACronJob),
    ...more,
  });

export const resumeOptions = (more: Partial<ResumeOptions> = {}): ResumeOptions => {
  const { suspendOnly: _1, noSave: _2, ignoreSaveErrors: _3, ...shared } = stopOptions();
  return { ...shared, verb: 'resume', runNow: false, skipMissed: false, releaseEvidence: false, ...more };
};

type Seen = Parameters<typeof stopSnapshot>[0] & {
  readonly sources?: readonly JobSource[];
  readonly jobs?: readonly WorkingJob[];
  readonly mayNot?: readonly string[];
};

export function resumeSnapshot({ mayNot = [], ...seen }: Seen): ResumeSnapshot {
  return { ...stopSnapshot(seen), mayNot };
}
