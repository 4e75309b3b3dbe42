// An object in a document: which one, and at which version.
import { given } from '../model/given.ts';
import { resourceName } from '../model/kind.ts';
import type { Ref } from '../model/ref.ts';

export function toRef({ kind, namespace, name, uid, resourceVersion }: Ref): object {
  return {
    resource: resourceName(kind),
    kind: kind.kind,
    ...given({ namespace }),
    name,
    uid,
    resourceVersion,
  };
}
