// CronJobs and ScaledJobs: what makes Jobs, when it does so next, and who told it to stop.
import { given } from '../../model/given.ts';
import { isWorking } from '../../model/job.ts';
import { type JobSource, paths } from '../../model/job-source.ts';
import { isTerminating } from '../../model/object.ts';
import type { NextRun, SourceLine, StatusCode, StatusFinding } from '../../model/status.ts';
import { nextOf } from '../schedule-facts.ts';
import { type About, isKeptFromStop, placeOf } from './about.ts';
import { jobctl, kubectl, typed } from './next.ts';

/** `tooMany`: finished Jobs beyond its limits, by the uid of the owner. */
export function lineOf(source: JobSource, about: About, tooMany: ReadonlyMap<string, number>): SourceLine {
  const { ref, schedule, timeZone, remembered } = source;
  const own = about.jobsOf.get(ref.uid) ?? [];
  const is = stateOf(source);
  return {
    target: ref,
    is,
    ...given({
      schedule,
      timeZone,
      stopped: remembered.state === 'remembered' ? remembered.memory : undefined,
      next: is === 'active' ? nextRunOf(source, about) : undefined,
      running: about.areJobsRead ? own.filter(({ state }) => isWorking(state)).length : undefined,
      tooMany: about.areJobsRead ? (tooMany.get(ref.uid) ?? 0) : undefined,
    }),
  };
}

function stateOf(source: JobSource): SourceLine['is'] {
  if (isTerminating(source)) return 'terminating';
  if (!source.suspended) return 'active';
  return source.remembered.state === 'remembered' ? 'stopped' : 'suspended';
}

/** Undefined: what starts Jobs of a ScaledJob is not a clock. */
function nextRunOf(source: JobSource, { snapshot }: About): NextRun | undefined {
  if (source.schedule === undefined) return undefined;
  const foreseen = nextOf(source, snapshot.takenAt);
  if (!foreseen.known) return { is: 'unknown', why: foreseen.why };
  const { next, utcAssumed } = foreseen;
  return next === undefined ? { is: 'never' } : { is: 'at', at: next, utcAssumed };
}

const limits: ReadonlySet<string> = new Set([paths.successfulLimit, paths.failedLimit]);

/** `line`: of this source. */
export function sourceFindings(source: JobSource, line: SourceLine, about: About): StatusFinding[] {
  const namespace = placeOf(source);
  const as = (code: StatusCode, needs: boolean, more: Pick<StatusFinding, 'facts' | 'next'>) => [
    { code, namespace, needs, targets: [source.ref], ...more },
  ];
  // what asks to be left alone was stopped with this flag, and is not resumed without it
  const protection = isKeptFromStop(source) ? ['--include-protected'] : [];
  const resume = [jobctl(namespace, 'resume', typed(source.ref), ...protection)];
  const { stopped, next } = line;
  if (line.is === 'terminating') return [];
  if (stopped !== undefined) {
    const { by, at, reason, changes } = stopped;
    const lifted = changes.filter(({ path }) => limits.has(path)).length || undefined;
    const facts = { by, sinceMs: about.since(at), ...given({ reason, lifted }) };
    return as(line.is === 'stopped' ? 'stopped' : 'stop-undone', true, { facts, next: resume });
  }
  // somebody wanted it so: told, and not counted as something to be done
  if (line.is === 'suspended') return as('suspended', false, { facts: {}, next: resume });
  const why =
    next?.is === 'never'
      ? 'no-such-time'
      : next?.is === 'unknown' && next.why === 'schedule-unreadable'
        ? next.why
        : undefined;
  if (why === undefined) return [];
  const facts = { why, ...given({ schedule: source.schedule }) };
  return as('never-runs', true, { facts, next: [kubectl(namespace, 'edit', typed(source.ref))] });
}
