// What a stop or a resume wrote and saw, in a document.
import type { Event } from '../model/event.ts';
import { given } from '../model/given.ts';
import type { ResumeAction } from '../model/resume-plan.ts';
import type { StopAction } from '../model/stop-plan.ts';
import { toRef } from './document-ref.ts';

export function toWrite(action: StopAction | ResumeAction): object {
  const { target, does, changes } = action;
  const jobName = 'jobName' in action ? action.jobName : undefined;
  return { ...toRef(target), does, changes, ...given({ jobName }) };
}

export function toChanged(event: Extract<Event, { type: 'changed' | 'not-changed' }>): object {
  const part = toWrite(event.action);
  return event.type === 'changed'
    ? { ...part, state: event.state }
    : { ...part, state: 'failed', problem: event.problem, blame: event.blame };
}

/** What was seen of a stop. */
export function ofStop(event: Event): object | undefined {
  switch (event.type) {
    case 'pod-ended': {
      const { target, ...seen } = event.pod;
      return { ...toRef(target), state: 'ended', seen };
    }
    case 'job-closed':
      return { ...toRef(event.target), state: 'closed', job: event.state, pods: event.pods.length };
    case 'lost':
      return { ...toRef(event.target), state: 'lost', foretold: event.foretold };
    case 'grace-used-up': {
      const { target, graceSeconds, containers } = event;
      return { ...toRef(target), state: 'grace-used-up', graceSeconds, killed: containers };
    }
    case 'hook-failed':
      return { ...toRef(event.target), state: 'hook-failed', container: event.container };
    case 'appeared':
    case 'put-back':
    case 'pause-not-seen':
      return { ...toRef(event.target), state: event.type };
    case 'saved':
      return { state: 'saved', ...event.saved };
    default:
      return undefined;
  }
}
