// -o json and -o yaml: one document at the end, with a schema version. A change of its meaning is a new version.

import { stringify } from 'yaml';
import type { Event, Left } from '../model/event.ts';
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { given } from '../model/given.ts';
import type { Hold } from '../model/hold.ts';
import type { Finding, Plan, UnstickPlan } from '../model/plan.ts';
import type { Refusal } from '../model/refusal.ts';
import { ofStop, toChanged } from './document-changes.ts';
import { toRef } from './document-ref.ts';
import { holdLines } from './hold-lines.ts';
import { type Typed, typedFor } from './next-command.ts';
import type { Renderer } from './renderer.ts';
import type { Tally } from './tally.ts';
import { textRenderer } from './text.ts';
import { leftAlone } from './unstick-text.ts';
import { notes, reasons } from './words.ts';

export function documentRenderer(form: 'json' | 'yaml', asks: boolean): Renderer {
  const text = textRenderer({ wide: false, asks });
  const actions: unknown[] = [];
  let remaining: readonly Left[] = [];
  let causes: readonly string[] = [];
  return {
    on: event => {
      const action = actionOf(event);
      if (action !== undefined) actions.push(action);
      if (event.type === 'timeout' || event.type === 'interrupted' || event.type === 'given-up')
        remaining = event.left;
      if (event.type === 'timeout') causes = event.causes;
      const { err, status } = text.on(event);
      if (event.type === 'plan' && !asks) return {};
      return given({ err, status });
    },
    end: (tally, exitCode, refusal) => {
      const { err } = text.end(tally, exitCode, refusal);
      const result = toDocument(tally, exitCode, {
        actions,
        remaining,
        causes,
        ...given({ refusal }),
      });
      const out = form === 'json' ? JSON.stringify(result, undefined, 2) : stringify(result).trimEnd();
      return { out: [out], ...given({ err }) };
    },
  };
}

function actionOf(event: Event): unknown {
  if (event.type === 'deleted') {
    const { action, as, state, finalizers } = event;
    return {
      ...toRef(action.target),
      as,
      propagationPolicy: action.propagation,
      state,
      ...(finalizers.length > 0 ? { finalizers } : {}),
    };
  }
  if (event.type === 'failed') {
    const { action, as, problem } = event;
    return { ...toRef(action.target), as, propagationPolicy: action.propagation, state: 'failed', problem };
  }
  if (event.type === 'spared')
    return { ...toRef(event.target), as: 'target', state: 'spared', job: event.job };
  if (event.type === 'freed') {
    const { action, state } = event;
    return { ...toRemoval(action), state };
  }
  if (event.type === 'not-freed') {
    const { action, problem, blame } = event;
    return { ...toRemoval(action), state: 'failed', problem, ...(blame.length === 0 ? {} : { blame }) };
  }
  if (event.type === 'stays-held') {
    const { target, code, facts } = event.left;
    return { ...toRef(target), state: 'still-there', code, facts };
  }
  if (event.type === 'changed' || event.type === 'not-changed') return toChanged(event);
  const seen = ofStop(event);
  if (seen !== undefined) return seen;
  if (event.type === 'made-anew') return { ...toRef(event.target), state: 'made-anew' };
  return event.type === 'seen-gone'
    ? { ...toRef(event.target), as: event.as, state: 'seen-gone', by: event.by }
    : undefined;
}

/** What was taken away and what stays, in full: the way back, as far as there is one. */
const toRemoval = ({ target, where, remove, causes, keeps }: FinalizerAction): object => ({
  ...toRef(target),
  as: 'target',
  list: where === 'spec' ? 'spec.finalizers' : 'metadata.finalizers',
  removed: remove,
  causes,
  kept: keeps,
});

interface Gathered {
  readonly actions: readonly unknown[];
  readonly remaining: readonly Left[];
  readonly causes: readonly string[];
  readonly refusal?: Refusal;
}

function toDocument(tally: Tally, exitCode: number, gathered: Gathered): object {
  const plan = tally.plan;
  return {
    apiVersion: 'jobctl/v1',
    kind: 'Result',
    ...(plan === undefined ? {} : planPart(plan)),
    actions: gathered.actions,
    remaining: gathered.remaining.map(({ target, code, facts }) => ({ ...toRef(target), code, facts })),
    ...(gathered.causes.length === 0 ? {} : { causes: gathered.causes }),
    ...given({ refusal: gathered.refusal }),
    summary: summaryOf(tally),
    exitCode,
  };
}

const howItEnded = ({ throttled, timedOut, interrupted, ms }: Tally): object => ({
  throttled,
  timedOut,
  interrupted,
  milliseconds: ms,
});

function summaryOf(tally: Tally): object {
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

function planPart(plan: Plan): object {
  const typed = typedFor(plan);
  return {
    verb: plan.verb,
    dryRun: plan.dryRun,
    ...given({ context: plan.context }),
    server: plan.server,
    namespaces: plan.namespaces,
    allNamespaces: plan.allNamespaces,
    takenAt: plan.takenAt.toISOString(),
    digest: plan.digest,
    findings: plan.findings.map(finding => toFinding(finding, typed)),
    ...othersOf(plan),
    notes: plan.notes.map(({ code, facts }) => ({ code, facts, text: notes[code](facts, typed) })),
    dangers: plan.dangers,
  };
}

function othersOf(plan: Plan): object {
  switch (plan.verb) {
    case 'unstick':
      return { follows: plan.aftermath.follows.map(({ target }) => toRef(target)) };
    case 'stop':
    case 'resume':
      return {
        writes: plan.actions.map(({ target, does, changes }) => ({ ...toRef(target), does, changes })),
      };
    default:
      return { dependents: plan.settle.dependents.map(({ target, by }) => ({ ...toRef(target), by })) };
  }
}

function toFinding({ target, under, verdict, why, seen }: Finding, typed: Typed): object {
  const text = reasons[why.code].row(why.facts ?? {});
  return {
    ...toRef(target),
    ...given({ under }),
    verdict,
    reason: { ...why, text },
    seen: seen.as === 'stuck' ? { ...seen, holds: seen.holds.map(hold => toHold(hold, typed)) } : seen,
  };
}

const toHold = (hold: Hold, typed: Typed): object => ({ ...hold, text: holdLines(hold, undefined, typed) });
