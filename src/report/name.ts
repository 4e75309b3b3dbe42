// -o name: what was changed, one a line, and nothing else on standard output.

import type { Event } from '../model/event.ts';
import { given } from '../model/given.ts';
import type { Plan } from '../model/plan.ts';
import { label } from '../model/ref.ts';
import type { Renderer } from './renderer.ts';
import { textRenderer } from './text.ts';

export function nameRenderer(asks: boolean): Renderer {
  const text = textRenderer({ wide: false, asks });
  return {
    on: event => {
      const { err, status } = text.on(event);
      const names = namesOf(event);
      return given({ out: names.length === 0 ? undefined : names, err, status });
    },
    end: (tally, exitCode, refusal) => text.end(tally, exitCode, refusal),
  };
}

function namesOf(event: Event): string[] {
  if (event.type === 'plan') return event.plan.dryRun === 'client' ? namesInPlan(event.plan) : [];
  if (event.type === 'deleted' && event.as === 'target')
    return event.state === 'already-gone' ? [] : [label(event.action.target)];
  if (event.type === 'freed')
    return event.state === 'removed' || event.state === 'dry-run' ? [label(event.action.target)] : [];
  // what was told once: a CronJob suspended, a Job at its end
  if (event.type === 'job-closed') return [label(event.target)];
  if (event.type === 'changed' && named.has(event.action.does) && event.state !== 'already-gone')
    return [label(event.action.target)];
  return [];
}

const named: ReadonlySet<string> = new Set(['suspend', 'pause', 'give-back', 'release-evidence']);

const namesInPlan = (plan: Plan): string[] => [...new Set(plan.actions.map(action => label(action.target)))];
