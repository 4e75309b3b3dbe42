import type { ResumePlan } from '../model/plan.ts';
import { countOf } from './counted.ts';

export const resumedOf = (plan: ResumePlan): string => countOf(plan.actions.map(({ target }) => target));
