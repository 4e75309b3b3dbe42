// What could not be read is told, never taken for missing.

import type { Unreadable } from '../model/snapshot.ts';
import type { Note } from '../model/why.ts';

export function unreadableNote({ kind, namespace, problem }: Unreadable): Note {
  return {
    code: 'unreadable',
    facts: { kind: kind.resource, namespace: namespace ?? '', problem: problem.text },
  };
}
