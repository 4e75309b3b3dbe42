// How to go on with a stop, and how to undo it: all that it was about, a line for each namespace.
import type { StopPlan } from '../model/plan.ts';
import { label, type Ref } from '../model/ref.ts';
import { inNamespace, type Typed, typedFor } from './next-command.ts';

/** With more names it is no line to paste any more. */
const namesShown = 20;

export function goOnLines(plan: StopPlan): string[] {
  const targets = targetsOf(plan);
  if (targets.length > namesShown) return ['Go on: the same command again'];
  return byNamespace(targets, typedFor(plan), 'stop').map(line => `Go on: ${line}`);
}

export function undoLines(plan: StopPlan, head: string): string[] {
  const targets = targetsOf(plan);
  const typed = typedFor(plan);
  if (targets.length <= namesShown)
    return byNamespace(targets, typed, 'resume').map(line => `${head}: ${line}`);
  // `resume` alone lists what is stopped
  const where = plan.allNamespaces ? ['-A'] : inNamespace(targets[0]?.namespace);
  return [`${head}: ${typed('kubectl jobctl', 'resume', ...where)} lists what is stopped`];
}

const targetsOf = ({ terms: { sources, jobs } }: StopPlan): readonly Ref[] =>
  sources.length > 0 ? sources : jobs;

const byNamespace = (targets: readonly Ref[], typed: Typed, verb: 'stop' | 'resume'): string[] =>
  [...Map.groupBy(targets, ({ namespace }) => namespace)].map(([namespace, of]) =>
    typed('kubectl jobctl', verb, ...of.map(label), ...inNamespace(namespace)),
  );
