// Puts the parts of a decision together into the value that is shown, confirmed and executed, and gives it its digest.
import { given } from '../model/given.ts';
import type {
  DeleteOptions,
  PruneJobsOptions,
  PrunePodsOptions,
  ResumeOptions,
  StopOptions,
  UnstickOptions,
  WritingOptions,
} from '../model/options.ts';
import type { DeletePlan, ResumePlan, StopPlan, UnstickPlan } from '../model/plan.ts';
import type { Moment } from '../model/snapshot.ts';
import { changeLines, deleteLines, digest, unstickLines } from './digest.ts';

type Shown = 'findings' | 'notes' | 'dangers' | 'contents' | 'actions';
export type Decision = Pick<DeletePlan, Shown | 'settle'>;
type UnstickDecision = Pick<UnstickPlan, Shown | 'aftermath' | 'isScan'>;

export function assemble(
  at: Moment,
  options: DeleteOptions | PruneJobsOptions | PrunePodsOptions,
  decision: Decision,
): DeletePlan {
  const { verb } = options;
  const lines = deleteLines(decision);
  return { ...placeOf(at, options), verb, ...decision, digest: digest(at.server, lines) };
}

export function assembleUnstick(at: Moment, options: UnstickOptions, decision: UnstickDecision): UnstickPlan {
  const { verb } = options;
  const lines = unstickLines(decision);
  return { ...placeOf(at, options), verb, ...decision, digest: digest(at.server, lines) };
}

type StopDecision = Pick<StopPlan, Shown | 'terms'>;
type ResumeDecision = Pick<ResumePlan, Shown | 'terms'>;

export function assembleStop(at: Moment, options: StopOptions, decision: StopDecision): StopPlan {
  const { verb } = options;
  const lines = changeLines(decision);
  return { ...placeOf(at, options), verb, ...decision, digest: digest(at.server, lines) };
}

export function assembleResume(at: Moment, options: ResumeOptions, decision: ResumeDecision): ResumePlan {
  const { verb } = options;
  const lines = changeLines(decision);
  return { ...placeOf(at, options), verb, ...decision, digest: digest(at.server, lines) };
}

function placeOf(at: Moment, options: WritingOptions) {
  const { takenAt, server, namespaces, allNamespaces, context } = at;
  const { dryRun, concurrency, reach } = options;
  return { dryRun, server, ...given({ context }), reach, namespaces, allNamespaces, takenAt, concurrency };
}
