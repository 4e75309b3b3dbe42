// The corridor, the same for every verb: select → plan → confirm → execute → report. Read this file first.
import type { ClusterWriter } from './cluster/contract.ts';
import { type Circumstances, gate } from './confirm/gate.ts';
import { askWhich, askWord, askYesOrNo, type Choice, type Terminal } from './confirm/prompt.ts';
import { declined, EarlyEnd, exitCodes } from './errors.ts';
import type { Invocation } from './execute/doors.ts';
import { execute } from './execute/execute.ts';
import type { Event } from './model/event.ts';
import type { WritingOptions } from './model/options.ts';
import type { Plan } from './model/plan.ts';
import type { Refusal } from './model/refusal.ts';
import type { Archive } from './model/saving.ts';
import { freeing } from './plan/freeing.ts';
import { resuming } from './plan/give-back.ts';
import { settleStep } from './plan/settle.ts';
import { stopping } from './plan/stopping.ts';
import { type Planner, type Reading, select } from './planners.ts';
import { rendererFor } from './report/choose-renderer.ts';
import { Counting, exitCodeOf } from './report/counting.ts';
import { choiceQuestion, choicesOf, questionOf } from './report/question.ts';
import { unstickPreview } from './report/unstick-preview.ts';

export interface Surroundings extends Reading {
  /** Made only once a plan is agreed to: a client dry run has no writer. */
  readonly makeWriter: (dryRun: boolean) => ClusterWriter;
  /** Absent: questions cannot be asked. */
  readonly terminal?: Terminal;
  readonly invocation: Invocation;
  /** A folder for what a stop saves. */
  readonly openArchive: (dir: string) => Promise<Archive>;
}

/**
 * What is deleted is pinned by its uid, however long a list or a question stood. A finalizer rests on what was seen around its
 * object, and that may have turned meanwhile: its controller may be back.
 */
const longAgoMs = 30_000;

/** The exit code. Throws an EarlyEnd for what ends the run before its plan. */
export async function run(options: WritingOptions, at: Surroundings): Promise<number> {
  const { planner, denied } = await select(options, at);
  const readAtMs = at.elapsedMs();
  const { plan, chosen } = await choose(planner, options, at);
  if (at.signal.aborted) {
    // reads that an interrupt cut off must not become a plan
    await at.show({ err: ['interrupted: nothing was changed'] });
    return exitCodes.interrupted;
  }
  const circumstances: Circumstances = {
    ...cannotAsk(options, at),
    ...denied(plan),
  };
  const decision = gate(plan, options, circumstances);
  const asks = decision.gate.startsWith('ask') || decision.gate === 'refuse';
  const renderer = rendererFor({ form: options.output, asks, quiet: options.quiet });
  const counting = new Counting();
  const tell = async (event: Event): Promise<void> => {
    counting.add(event);
    await at.show(renderer.on(event));
  };
  const end = async (exitCode: number, refusal?: Refusal): Promise<number> => {
    await at.show(renderer.end(counting.tally, exitCode, refusal));
    return exitCode;
  };
  await tell({ type: 'plan', plan });
  if (decision.gate === 'refuse') return await end(exitCodes.refused, decision);
  if (plan.dryRun === 'client') return await end(exitCodes.done);
  if (decision.gate !== 'nothing-to-do') await ask(plan, decision, at);
  if (plan.verb === 'unstick' && plan.actions.length > 0 && at.elapsedMs() - readAtMs > longAgoMs) {
    const isStill = await isStillSo(plan, chosen, options, at);
    if (at.signal.aborted) return await end(exitCodes.interrupted);
    if (!isStill) return await end(exitCodes.refused, { code: 'changed-meanwhile', facts: {} });
  }
  const doors = { read: at.read, write: at.makeWriter(plan.dryRun === 'server') };
  for await (const event of execute(plan, doors, {
    ...at,
    settling: settleStep,
    freeing,
    stopping,
    resuming,
  }))
    await tell(event);
  return await end(exitCodeOf(counting.tally));
}

function cannotAsk({ quiet }: WritingOptions, { terminal }: Surroundings): Pick<Circumstances, 'cannotAsk'> {
  if (quiet) return { cannotAsk: 'quiet' };
  return terminal === undefined ? { cannotAsk: 'no-terminal' } : {};
}

interface Chosen {
  readonly plan: Plan;
  /** The uids that were ticked; absent where no list was shown. */
  readonly chosen?: ReadonlySet<string>;
}

/** From a list, the planner decides again with what was ticked, so that the plan stays the planner's. */
async function choose(planner: Planner, options: WritingOptions, at: Surroundings): Promise<Chosen> {
  const whole = planner();
  const choices = at.terminal === undefined ? [] : offered(whole, options);
  if (at.terminal === undefined || choices.length === 0) return { plan: whole };
  if (whole.verb === 'unstick') await at.show({ err: unstickPreview(whole) });
  const chosen = await askWhich(at.terminal, choiceQuestion(whole), choices);
  // a plan without its targets is done; what was only looked at has been declined
  if (chosen.size === 0 && whole.actions.length === 0)
    throw declined('nothing was chosen, nothing was changed');
  return { plan: planner(chosen), chosen };
}

/** -i: what the plan would do. A scan of stuck objects that only looks: what it could do. */
function offered(plan: Plan, options: WritingOptions): Choice[] {
  if (options.interactive) return options.dryRun === 'server' ? [] : choicesOf(plan);
  const isForPeople = options.output === 'text' || options.output === 'wide';
  const onlyLooks = plan.verb === 'unstick' && plan.actions.length === 0 && options.dryRun === 'none';
  return onlyLooks && isForPeople && !options.yes ? choicesOf(plan) : [];
}

async function isStillSo(
  plan: Plan,
  chosen: ReadonlySet<string> | undefined,
  options: WritingOptions,
  at: Surroundings,
): Promise<boolean> {
  try {
    return (await select(options, at)).planner(chosen).digest === plan.digest;
  } catch (problem) {
    // a named object that is not there any more, or that cannot be read now: not what was agreed to
    if (problem instanceof EarlyEnd) return false;
    throw problem;
  }
}

async function ask(plan: Plan, decision: ReturnType<typeof gate>, at: Surroundings): Promise<void> {
  if (at.terminal === undefined || decision.gate === 'go') return;
  const question = questionOf(plan);
  const agreed =
    decision.gate === 'ask-word'
      ? await askWord(at.terminal, `${question} Type ${decision.word}:`, decision.word)
      : await askYesOrNo(at.terminal, question);
  if (!agreed) throw declined('nothing was changed');
}
