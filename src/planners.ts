// What each verb reads and how it decides: the first two steps of the corridor, wired. `run.ts` goes on from here.
import type { ClusterReader } from './cluster/contract.ts';
import type { Circumstances } from './confirm/gate.ts';
import { resourceName } from './model/kind.ts';
import type { WritingOptions } from './model/options.ts';
import type { Plan } from './model/plan.ts';
import type { Ref } from './model/ref.ts';
import { accessKey, type Rights } from './model/snapshot.ts';
import { planDelete } from './plan/delete.ts';
import { planPruneJobs } from './plan/prune-jobs.ts';
import { planPrunePods } from './plan/prune-pods.ts';
import { planResume } from './plan/resume.ts';
import { planStop } from './plan/stop.ts';
import { planUnstick } from './plan/unstick.ts';
import type { Lines } from './report/renderer.ts';
import { selectDelete } from './select/delete.ts';
import { selectPruneJobs } from './select/prune-jobs.ts';
import { selectPrunePods } from './select/prune-pods.ts';
import { selectResume } from './select/resume.ts';
import { selectStop } from './select/stop.ts';
import { selectUnstick } from './select/unstick.ts';

/** What reading needs. */
export interface Reading {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
  readonly readStdin: () => Promise<string>;
  /** Milliseconds that only go forward. */
  readonly elapsedMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly show: (lines: Lines) => Promise<void>;
}

export type Planner = (chosen?: ReadonlySet<string>) => Plan;

interface Selected {
  readonly planner: Planner;
  /** What a review said that may not be done for this plan. */
  readonly denied: (plan: Plan) => Pick<Circumstances, 'denied' | 'unsavable'>;
}

export async function select(options: WritingOptions, at: Reading): Promise<Selected> {
  switch (options.verb) {
    case 'delete': {
      const snapshot = await selectDelete(options, at);
      const planner: Planner = chosen => planDelete(snapshot, options, chosen);
      return { planner, denied: plan => ({ denied: deniedIn(plan, snapshot.rights) }) };
    }
    case 'prune jobs': {
      const snapshot = await selectPruneJobs(options, at.read);
      const planner: Planner = chosen => planPruneJobs(snapshot, options, chosen);
      return { planner, denied: plan => ({ denied: deniedIn(plan, snapshot.rights) }) };
    }
    case 'prune pods': {
      const snapshot = await selectPrunePods(options, at.read);
      const planner: Planner = chosen => planPrunePods(snapshot, options, chosen);
      return { planner, denied: plan => ({ denied: deniedIn(plan, snapshot.rights) }) };
    }
    case 'unstick': {
      const snapshot = await selectUnstick(options, { ...at, tell: status => at.show({ status }) });
      // each stuck object stands for itself: its verdict says what may not be done
      return { planner: chosen => planUnstick(snapshot, options, chosen), denied: () => ({ denied: [] }) };
    }
    case 'stop': {
      const snapshot = await selectStop(options, at);
      const planner: Planner = chosen => planStop(snapshot, options, chosen);
      const isSaved = (plan: Plan) => plan.verb === 'stop' && plan.terms.save?.ignoreErrors === false;
      return {
        planner,
        denied: plan => ({
          denied: unpatchable(plan, snapshot.mayPatch),
          unsavable: isSaved(plan) && plan.dryRun === 'none' ? snapshot.maySave : [],
        }),
      };
    }
    case 'resume': {
      const snapshot = await selectResume(options, at);
      const planner: Planner = chosen => planResume(snapshot, options, chosen);
      const isMore = (plan: Plan) => plan.actions.length > 0;
      return {
        planner,
        denied: plan => ({
          denied: [...unpatchable(plan, snapshot.mayPatch), ...(isMore(plan) ? snapshot.mayNot : [])],
        }),
      };
    }
  }
}

/** `jobs.batch in batch`: where a review said that a target of the plan may not be deleted. */
const deniedIn = (plan: Plan, rights: Rights): string[] =>
  places(plan, ({ kind, namespace }) => rights.get(accessKey(kind, namespace)) === 'no');

const unpatchable = (plan: Plan, mayPatch: ReadonlyMap<string, string>): string[] =>
  places(plan, ({ uid }) => mayPatch.get(uid) === 'no');

function places(plan: Plan, isDenied: (target: Ref) => boolean): string[] {
  const denied = plan.actions
    .map(action => action.target)
    .filter(isDenied)
    .map(({ kind, namespace }) => resourceName(kind) + (namespace === undefined ? '' : ` in ${namespace}`));
  return [...new Set(denied)];
}
