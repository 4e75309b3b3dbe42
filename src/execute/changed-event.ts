// What is told of one write of a stop or a resume.
import type { Written } from '../cluster/contract.ts';
import type { Event } from '../model/event.ts';
import type { ResumeAction } from '../model/resume-plan.ts';
import type { StopAction } from '../model/stop-plan.ts';
import type { Blame } from './blame.ts';

export async function changedEvent(
  action: StopAction | ResumeAction,
  written: Written,
  dryRun: 'none' | 'client' | 'server',
  blame: Blame,
): Promise<Event> {
  if (written.state === 'failed') {
    const { problem } = written;
    return { type: 'not-changed', action, problem, blame: await blame(problem, action.target.kind) };
  }
  const done = dryRun === 'server' ? 'dry-run' : 'done';
  return { type: 'changed', action, state: written.state === 'already-gone' ? 'already-gone' : done };
}
