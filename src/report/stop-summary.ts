// The last lines of a stop: what was seen to be stopped, and how to go on.
import type { StopPlan } from '../model/plan.ts';
import { spent } from './age.ts';
import { plural } from './counted.ts';
import { dryRunMark } from './heading.ts';
import { inNamespace, typedFor } from './next-command.ts';
import type { Tally } from './tally.ts';
import { undoLines } from './ways-on.ts';

export function stopSummary(tally: Tally, plan: StopPlan): string[] {
  const { terms } = plan;
  const isBad =
    tally.failed + tally.lost + tally.putBack > 0 || tally.timedOut || tally.interrupted || tally.halfWay;
  if (plan.dryRun === 'server')
    return [
      `${plural(tally.changed, 'write')} would be accepted${dryRunMark(plan)}, ${tally.failed} failed (${spent(tally.ms)})`,
    ];
  const parts = [
    ...(terms.sources.length > 0
      ? [`${plural(tally.suspended, terms.sources.length === 1 ? kindOf(terms) : 'source')} suspended`]
      : []),
    ...(terms.jobs.length > 0 ? [`${tally.jobsClosed} of ${plural(terms.jobs.length, 'Job')} ended`] : []),
    ...(tally.podsEnded > 0 ? [`${plural(tally.podsEnded, 'Pod')} ended and kept`] : []),
    ...(tally.lost > 0 ? [`${tally.lost} lost`] : []),
    ...(tally.failed > 0 ? [`${tally.failed} failed`] : []),
    ...(tally.throttled > 0 ? [`throttled ${plural(tally.throttled, 'time')}`] : []),
  ];
  const head = `${isBad ? 'not all is stopped' : 'stopped'}: ${parts.join(', ')} (${spent(tally.ms)})`;
  return [head, ...(isBad ? [] : nextLines(tally, plan))];
}

const kindOf = ({ sources }: StopPlan['terms']): string => sources[0]?.kind.kind ?? 'source';

function nextLines(tally: Tally, plan: StopPlan): string[] {
  const pod = tally.lastPod;
  const look =
    pod === undefined
      ? []
      : [`Look: ${typedFor(plan)('kubectl', 'logs', ...inNamespace(pod.namespace), pod.name)}`];
  // a stopped Job has failed and cannot go on; what makes Jobs can
  return [...look, ...(plan.terms.sources.length === 0 ? [] : undoLines(plan, 'Go on later'))];
}
