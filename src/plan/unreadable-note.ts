// What could not be read is told, never taken for missing.
import type { Note } from '../model/plan.ts';
import type { Unreadable } from '../model/snapshot.ts';

export function unreadableNote({ kind, namespace, problem }: Unreadable): Note {
  return {
    code: 'unreadable',
    facts: { kind: kind.resource, namespace: namespace ?? '', problem: problem.text },
  };
}
