// What makes a delete more than a yes-or-no question.
import { isWorking } from '../model/job.ts';
import { isDefinitionKind, isJobKind, isNamespaceKind, isPodKind } from '../model/kind.ts';
import type { DeleteOptions } from '../model/options.ts';
import type { Danger, Finding } from '../model/plan.ts';
import { manyObjects } from './guards.ts';

export function dangersOfDelete(findings: readonly Finding[], options: DeleteOptions): Danger[] {
  const goes = findings.filter(
    finding => finding.verdict === 'delete' || finding.verdict === 'goes-with-owner',
  );
  if (goes.length === 0) return [];
  const orphans = findings.some(finding => finding.why.code === 'orphaned');
  const found: [Danger, boolean][] = [
    ['running-work', goes.some(isRunning)],
    ['orphans', orphans],
    ['many-objects', goes.length > manyObjects],
    ['takes-contents', goes.some(takesContents)],
    ['force', options.force],
  ];
  return found.filter(([, there]) => there).map(([danger]) => danger);
}

function isRunning({ target, seen }: Finding): boolean {
  if (seen.as === 'job') return isWorking(seen.state);
  if (seen.as === 'pod') return !seen.ended;
  // a Job or Pod that could not be read in full may well run: unknown is not ended
  return isPodKind(target.kind) || isJobKind(target.kind);
}

/** Whatever is in a Namespace goes with it, and every custom resource with its definition, although they name no owner. */
const takesContents = ({ target, verdict }: Finding): boolean =>
  verdict === 'delete' && (isNamespaceKind(target.kind) || isDefinitionKind(target.kind));
