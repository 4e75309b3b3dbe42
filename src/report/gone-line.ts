// kubectl's line for an object that is gone: `job.batch "x" deleted from ns namespace`.
import { kindName } from '../model/kind.ts';
import type { Ref } from '../model/ref.ts';

export function goneLine({ kind, name, namespace }: Ref, how = 'deleted'): string {
  const from = namespace === undefined ? '' : ` from ${namespace} namespace`;
  return `${kindName(kind)} "${name}" ${how}${from}`;
}
