// A short token for "exactly this plan", so that a script can go on with what a person has seen in a dry run.
import { createHash } from 'node:crypto';
import type { DeleteAction } from '../model/delete-action.ts';
import type { Settle } from '../model/plan.ts';

/**
 * Eight hex digits over the server, every delete with its uid, policy and grace period, and every dependent with its uid.
 * Versions are left out: a heartbeat on an object does not make it another plan; uids do.
 */
export function digest(server: string, actions: readonly DeleteAction[], settle: Settle): string {
  const lines = [
    ...actions.map(action => `${action.target.uid} ${action.propagation} ${action.graceSeconds ?? ''}`),
    ...settle.dependents.map(dependent => `${dependent.target.uid} with-owner`),
  ];
  return createHash('sha256')
    .update([server, ...lines.sort()].join('\n'))
    .digest('hex')
    .slice(0, 8);
}
