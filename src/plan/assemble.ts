// Puts the parts of a decision together into the value that is shown, confirmed and executed, and gives it its digest.
import { given } from '../model/given.ts';
import type { WritingOptions } from '../model/options.ts';
import type { Plan } from '../model/plan.ts';
import type { Moment } from '../model/snapshot.ts';
import { digest } from './digest.ts';

export type Decision = Pick<Plan, 'findings' | 'notes' | 'dangers' | 'actions' | 'settle' | 'contents'>;

export function assemble(at: Moment, options: WritingOptions, decision: Decision): Plan {
  const { takenAt, server, namespaces, allNamespaces, context } = at;
  return {
    verb: options.verb,
    dryRun: options.dryRun,
    server,
    ...given({ context }),
    namespaces,
    allNamespaces,
    takenAt,
    ...decision,
    concurrency: options.concurrency,
    digest: digest(server, decision),
  };
}
