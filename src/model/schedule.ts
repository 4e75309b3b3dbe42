// What a CronJob's controller will do once the CronJob is not suspended any more: in codes, the sentences are elsewhere.

export interface ScheduleFacts {
  readonly schedule: string;
  readonly timeZone?: string;
  readonly concurrencyPolicy: string;
  readonly startingDeadlineSeconds?: number;
  readonly lastScheduledAt?: Date;
  readonly createdAt: Date;
  /** Unfinished Jobs that status.active lists; those that are finished or gone the controller takes off by itself. */
  readonly activeCount: number;
}

export type Forecast = Unforeseen | Foreseen;

/** The next regular run alone. */
export type NextForecast =
  | Unforeseen
  | {
      readonly known: true;
      /** Undefined: none will start. */
      readonly next?: Date;
      /** See the caveat `zone-of-the-controller`. */
      readonly utcAssumed: boolean;
    };

interface Unforeseen {
  readonly known: false;
  readonly why: UnforeseenCode;
}

export type UnforeseenCode =
  /** The controller will say UnparseableSchedule and start nothing. */
  | 'schedule-unreadable'
  /** A zone that this machine does not know. */
  | 'zone-unknown'
  /** The clock of that zone is changed at midnight, or not by whole hours: there the controller's library leaves the calendar. */
  | 'odd-time-change';

export interface Foreseen {
  readonly known: true;
  /** The times since the last run, or since the creation, whatever the starting deadline says. */
  readonly missed: Missed;
  readonly atOnce: AtOnce;
  /** The first regular run that will start from now on. Undefined: none will. */
  readonly next?: Date;
  readonly caveats: readonly CaveatCode[];
}

export interface Missed {
  readonly count: number;
  /** Counting stopped at `count`. */
  readonly isMore: boolean;
  readonly first?: Date;
  /** The newest: this one the controller would start; the others never start. */
  readonly last?: Date;
}

export interface AtOnce {
  readonly does:
    | 'nothing'
    | 'starts-a-run'
    | 'starts-when-the-active-one-has-ended'
    | 'replaces-the-active-one';
  /** The time that the run would stand for. */
  readonly scheduledFor?: Date;
  readonly because: AtOnceCode;
}

export type AtOnceCode =
  | 'a-run-was-missed'
  | 'none-missed'
  | 'deadline-passed'
  /** Runs were missed, but too long ago for the controller's rough count: it waits for the next one. */
  | 'missed-too-long-ago'
  /** 31 February: the controller says InvalidSchedule and starts nothing. */
  | 'no-such-time'
  | 'forbid-and-active'
  | 'replace-and-active';

export type CaveatCode =
  /** Without a time zone the schedule is in that of the controller-manager, which nobody outside can read. Taken as UTC. */
  | 'zone-of-the-controller'
  /** TZ= in the schedule works, but is not supported. */
  | 'zone-in-the-schedule'
  /** More than 100: the controller starts the newest and warns with TooManyMissedTimes; the one of long ago gave up. */
  | 'more-than-100-missed'
  /** With a starting deadline below 10 s runs may be left out. */
  | 'deadline-below-10s'
  /** The starting deadline leaves no moment at which a run may start. */
  | 'deadline-prevents-every-run'
  /** @every counts from the last run, or from the starting deadline, not from the full hour. */
  | 'counted-from-the-last-run'
  /** If the active one ends after the deadline, the missed run does not start. */
  | 'only-within-the-deadline';
