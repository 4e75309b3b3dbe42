import type { Event } from '../model/event.ts';
import type { ResumePlan } from '../model/plan.ts';
import type { Doors, Run } from './doors.ts';

export async function* resume(_plan: ResumePlan, _doors: Doors, _run: Run): AsyncGenerator<Event> {}
