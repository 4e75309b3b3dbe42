// A short token for "exactly this plan", so that a script can go on with what a person has seen in a dry run.
import { createHash } from 'node:crypto';
import type { Plan } from '../model/plan.ts';

/**
 * Eight hex digits over the server, every delete with its uid, policy and grace period, every dependent with its uid, and the number of contents.
 * Versions are left out: a heartbeat on an object does not make it another plan; uids do.
 */
export function digest(
  server: string,
  { actions, settle, contents }: Pick<Plan, 'actions' | 'settle' | 'contents'>,
): string {
  const lines = [
    ...actions.map(action => `${action.target.uid} ${action.propagation} ${action.graceSeconds ?? ''}`),
    ...settle.dependents.map(dependent => `${dependent.target.uid} with-owner`),
    ...(contents === 0 ? [] : [`${contents} inside`]),
  ];
  return createHash('sha256')
    .update([server, ...lines.sort()].join('\n'))
    .digest('hex')
    .slice(0, 8);
}
