import type { Event } from '../model/event.ts';
import type { ResumePlan } from '../model/plan.ts';
import type { Lines } from './renderer.ts';
import type { Tally } from './tally.ts';

export const resumeLines = (
  _event: Event,
  _plan: ResumePlan,
  _how: { wide: boolean; asks: boolean },
): Lines => ({});
export const resumeSummary = (_tally: Tally, _plan: ResumePlan): string[] => [];
