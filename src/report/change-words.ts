// One change of a field, as people write it: `failedJobsHistoryLimit 1 → out of reach`.
import type { Change, Value } from '../model/memory.ts';
import { plain } from '../model/ref.ts';
import { outOfReach } from '../model/working-job.ts';

export const changeWords = ({ path, was, set }: Change): string =>
  plain(`${fieldOf(path)} ${textOf(was)} → ${textOf(set)}`);

/** The last step of the pointer. */
const fieldOf = (path: string): string =>
  (path.split('/').at(-1) ?? path).replaceAll('~1', '/').replaceAll('~0', '~');

function textOf(value: Value): string {
  if (value === null) return 'none';
  return value === outOfReach ? 'out of reach' : String(value);
}
