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
  return [];
}

const namesInPlan = (plan: Plan): string[] => [...new Set(plan.actions.map(action => label(action.target)))];
