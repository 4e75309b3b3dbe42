// What the forecast needs to know of a CronJob and its Jobs.
import { given } from '../model/given.ts';
import { isFinished } from '../model/job.ts';
import type { JobSource } from '../model/job-source.ts';
import { controllerOf } from '../model/object.ts';
import type { Forecast, NextForecast, ScheduleFacts } from '../model/schedule.ts';
import type { ResumeSnapshot } from '../model/stop-snapshot.ts';
import { forecast, nextRunOf, servedTime } from './missed-runs.ts';

/** What the controller will do once it is not suspended any more. */
export function forecastOf(source: JobSource, { jobs, takenAt }: ResumeSnapshot): Forecast {
  const own = jobs.filter(job => controllerOf(job)?.uid === source.ref.uid && !isFinished(job.state));
  const listed = new Set(source.listedActive);
  return forecast(factsOf(source, own.filter(({ ref }) => listed.has(ref.name)).length), takenAt);
}

/**
 * The time that counts as served when a missed run is to be skipped, reckoned right before the write: what has become due while a
 * question stood is skipped too. Undefined: there is nothing to skip.
 */
export const servedAt = (source: JobSource, now: Date): Date | undefined =>
  servedTime(factsOf(source, 0), now);

/** Of one that is not suspended: its next regular run. */
export const nextOf = (source: JobSource, now: Date): NextForecast => nextRunOf(factsOf(source, 0), now);

function factsOf(source: JobSource, activeCount: number): ScheduleFacts {
  const { schedule = '', concurrencyPolicy = 'Allow', createdAt } = source;
  const { timeZone, startingDeadlineSeconds, lastScheduledAt } = source;
  return {
    schedule,
    concurrencyPolicy,
    createdAt,
    activeCount,
    ...given({ timeZone, startingDeadlineSeconds, lastScheduledAt }),
  };
}
