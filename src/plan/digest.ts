// A short token for "exactly this plan", so that a script can go on with what a person has seen in a dry run.
import { createHash } from 'node:crypto';
import type { DeletePlan, ResumePlan, StopPlan, UnstickPlan } from '../model/plan.ts';

/** Eight hex digits over the server and what is done there, a line for each thing. */
export function digest(server: string, lines: readonly string[]): string {
  return createHash('sha256')
    .update([server, ...[...lines].sort()].join('\n'))
    .digest('hex')
    .slice(0, 8);
}

/**
 * Every delete with its uid, policy and grace period, every dependent with its uid, and the number of contents.
 * Versions are left out: a heartbeat on an object does not make it another plan; uids do.
 */
export const deleteLines = ({
  actions,
  settle,
  contents,
}: Pick<DeletePlan, 'actions' | 'settle' | 'contents'>): string[] => [
  ...actions.map(action => `${action.target.uid} ${action.propagation} ${action.graceSeconds ?? ''}`),
  ...settle.dependents.map(dependent => `${dependent.target.uid} with-owner`),
  ...(contents === 0 ? [] : [`${contents} inside`]),
];

/** Every removal with its uid, names and causes, what is at stake, and what goes by itself afterwards. */
export const unstickLines = ({
  actions,
  aftermath,
  contents,
  dangers,
}: Pick<UnstickPlan, 'actions' | 'aftermath' | 'contents' | 'dangers'>): string[] => [
  ...actions.flatMap(({ target, where, remove, causes }) =>
    remove.map((name, at) => `${target.uid} ${where} ${name} ${causes[at] ?? ''}`),
  ),
  ...dangers,
  ...aftermath.follows.map(({ target }) => `${target.uid} follows`),
  ...(contents === 0 ? [] : [`${contents} abandoned`]),
];

/** Every write with its uid, what it does, and what it sets; numbers that follow the Pods are left out. */
export const changeLines = ({ actions }: Pick<StopPlan | ResumePlan, 'actions'>): string[] =>
  actions.map(({ target, does, changes }) => {
    const isSteady = does !== 'hold' && does !== 'follow' && does !== 'empty' && does !== 'close';
    const values = isSteady
      ? [does, ...changes.map(({ path, set }) => `${path}=${JSON.stringify(set)}`)]
      : ['stop'];
    return [target.uid, ...values].join(' ');
  });
