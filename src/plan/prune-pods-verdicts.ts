// `prune pods`, one Pod at a time: why it goes or stays. The first rule that keeps it is the reason that is shown.
import type { GoneJob } from '../model/delete-action.ts';
import { given } from '../model/given.ts';
import type { JobPod } from '../model/job-pod.ts';
import type { PrunePodsOptions } from '../model/options.ts';
import type { Finding } from '../model/plan.ts';
import { isEnded } from '../model/pod.ts';
import type { PrunePodsSnapshot } from '../model/snapshot.ts';
import type { Why } from '../model/why.ts';
import { protectedBy } from './guards.ts';
import { type JobsThere, leakOf } from './leaked.ts';

export interface JudgedPod {
  readonly pod: JobPod;
  readonly finding: Finding;
  /** The Job that it was leaked by, where it goes. */
  readonly whileGone?: GoneJob;
}

interface About {
  readonly snapshot: PrunePodsSnapshot;
  readonly options: PrunePodsOptions;
  readonly jobs: JobsThere;
  readonly chosen: ReadonlySet<string> | undefined;
}

export function judgePod(pod: JobPod, about: About): JudgedPod {
  const { takenAt } = about.snapshot;
  const as = (verdict: Finding['verdict'], why: Why): JudgedPod => ({
    pod,
    finding: { target: pod.ref, verdict, why, seen: seenOf(pod) },
  });
  const leak = leakOf(pod, about.jobs, takenAt);
  if (!leak.leaked) return as('stays', leak.why);
  if (pod.deletingSince !== undefined) {
    const sinceMs = takenAt.getTime() - pod.deletingSince.getTime();
    const facts = { sinceMs, finalizers: pod.finalizers.join(', ') };
    return as('already-terminating', { code: 'terminating', facts });
  }
  const stays = keptBy(pod, leak.job.name, about);
  return stays === undefined ? { ...as('delete', leak.why), whileGone: leak.job } : as('stays', stays);
}

function keptBy(pod: JobPod, job: string, { snapshot, options, chosen }: About): Why | undefined {
  const { includeProtected, includeRunning, allNamespaces, olderThanMs } = options;
  const kept = protectedBy(pod, { includeProtected, includeHooks: includeProtected, allNamespaces });
  if (kept !== undefined) return kept;
  if (!isEnded(pod) && !includeRunning) return { code: 'leaked-running', facts: { job } };
  const young = olderThanMs === undefined ? undefined : youngerThan(pod, olderThanMs, snapshot.takenAt);
  if (young !== undefined) return young;
  return chosen === undefined || chosen.has(pod.ref.uid) ? undefined : { code: 'not-chosen' };
}

/** By its end; one that runs, by when it was made. */
function youngerThan(pod: JobPod, ageMs: number, now: Date): Why | undefined {
  const since = isEnded(pod) ? pod.endedAt : pod.createdAt;
  if (since === undefined) return { code: 'end-unknown' };
  const isYounger = now.getTime() - since.getTime() < ageMs;
  return isYounger
    ? { code: isEnded(pod) ? 'younger-than' : 'made-later-than', facts: { ageMs } }
    : undefined;
}

function seenOf(pod: JobPod): Finding['seen'] {
  const { phase, graceSeconds, preStopHooks, jobNames, endedAt } = pod;
  const ended = isEnded(pod);
  return { as: 'pod', phase, ended, graceSeconds, preStopHooks, ...given({ job: jobNames[0], endedAt }) };
}
