// The counts of a document, by verb.
import type { UnstickPlan } from '../model/plan.ts';
import type { Tally } from './tally.ts';
import { leftAlone } from './unstick-text.ts';

const howItEnded = ({ throttled, timedOut, interrupted, ms }: Tally): object => ({
  throttled,
  timedOut,
  interrupted,
  milliseconds: ms,
});

export function summaryOf(tally: Tally): object {
  const { plan } = tally;
  if (plan?.verb === 'unstick') return unstickSummary(tally, plan);
  return plan?.verb === 'stop' || plan?.verb === 'resume' ? changeSummary(tally) : deleteSummary(tally);
}

const changeSummary = (tally: Tally): object => ({
  changed: tally.changed,
  suspended: tally.suspended,
  podsEnded: tally.podsEnded,
  jobsClosed: tally.jobsClosed,
  alreadyGone: tally.alreadyGone,
  lost: tally.lost,
  putBack: tally.putBack,
  notSaved: tally.notSaved,
  failed: tally.failed,
  ...howItEnded(tally),
});

const deleteSummary = (tally: Tally): object => ({
  deleted: tally.targetsGone.length - tally.alreadyGone,
  alreadyGone: tally.alreadyGone,
  pending: tally.targetsPending.size,
  dependentsGone: tally.dependentsGone,
  dependentsByUs: tally.byUs,
  dependentsByCollector: tally.byCollector,
  failed: tally.failed + tally.dependentsFailed,
  ...(tally.hooksFailed > 0 ? { hooksFailed: tally.hooksFailed } : {}),
  ...(tally.spared > 0 ? { spared: tally.spared } : {}),
  kept: tally.plan?.findings.filter(finding => finding.verdict === 'stays').length ?? 0,
  ...howItEnded(tally),
});

const unstickSummary = (tally: Tally, plan: UnstickPlan): object => ({
  freed: tally.freed,
  alreadyGone: tally.alreadyGone,
  gone: tally.targetsGone.length,
  goneAfterThem: tally.dependentsGone,
  stillThere: tally.staysHeld,
  failed: tally.failed,
  leftAlone: leftAlone(plan),
  ...howItEnded(tally),
});
