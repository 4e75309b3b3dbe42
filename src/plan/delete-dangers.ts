// What makes a delete more than a yes-or-no question.
import { isWorking } from '../model/job.ts';
import type { DeleteOptions } from '../model/options.ts';
import type { Danger, Finding } from '../model/plan.ts';
import type { DeleteSnapshot } from '../model/snapshot.ts';

const manyObjects = 100;

export function dangersOfDelete(
  findings: readonly Finding[],
  snapshot: DeleteSnapshot,
  options: DeleteOptions,
): Danger[] {
  const goes = findings.filter(
    finding => finding.verdict === 'delete' || finding.verdict === 'goes-with-owner',
  );
  if (goes.length === 0) return [];
  const orphans = findings.some(finding => finding.why.code === 'orphaned');
  const found: [Danger, boolean][] = [
    ['running-work', goes.some(isRunning)],
    ['orphans', orphans],
    ['many-objects', goes.length > manyObjects],
    ['takes-contents', snapshot.contents.some(content => content.count > 0)],
    ['force', options.force],
  ];
  return found.filter(([, there]) => there).map(([danger]) => danger);
}

function isRunning({ seen }: Finding): boolean {
  if (seen.as === 'job') return isWorking(seen.state);
  return seen.as === 'pod' && !seen.ended;
}
