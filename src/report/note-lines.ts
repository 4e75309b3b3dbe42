// What a plan has to say besides its rows.
import type { Plan } from '../model/plan.ts';
import { plain } from '../model/ref.ts';
import { typedFor } from './next-command.ts';
import { notes } from './words.ts';

export function noteLines(plan: Pick<Plan, 'notes' | 'reach'>): string[] {
  const typed = typedFor(plan);
  return plan.notes.map(({ code, facts }) => plain(notes[code](facts, typed)));
}
