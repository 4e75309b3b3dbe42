// Live names of objects: one list of one kind, of those that the verb is for.
import type { ClusterReader, ListQuery, Read } from '../cluster/contract.ts';
import { isFinished } from '../model/job.ts';
import { isJobKind, type Kind } from '../model/kind.ts';
import type { Remembered } from '../model/memory.ts';
import { isTerminating, type ObjectMeta } from '../model/object.ts';
import type { Which } from './asked.ts';
import { isFor } from './kinds.ts';

interface Where {
  readonly which: Which;
  readonly everywhere: boolean;
}

/** None where they cannot be read: a list is given whole or not at all, because the shell types what is the only choice. */
export async function readNames(
  kind: Kind,
  { which, everywhere }: Where,
  read: ClusterReader,
): Promise<string[]> {
  if (which !== 'owners' && !isFor(kind, which)) return [];
  const anywhere = everywhere || !kind.namespaced;
  const query: ListQuery = {
    ...(anywhere ? {} : { namespace: read.target.namespace }),
    consistent: false,
    unasked: true,
  };
  const objects = await readObjects(kind, which, query, read);
  return objects.state === 'read' ? [...new Set(objects.value.map(({ ref }) => ref.name))] : [];
}

function readObjects(
  kind: Kind,
  which: Which,
  query: ListQuery,
  read: ClusterReader,
): Promise<Read<ObjectMeta[]>> {
  switch (which) {
    case 'stuck':
      return read.listMetadata(kind, query, isTerminating);
    case 'stopped':
      return isJobKind(kind)
        ? read.listWorkingJobs(query, isStopped)
        : only(read.listJobSources(kind, query), isStopped);
    case 'unfinished':
      return isJobKind(kind)
        ? only(read.listJobs(query), ({ state }) => !isFinished(state))
        : read.listMetadata(kind, query);
    default:
      return read.listMetadata(kind, query);
  }
}

const isStopped = ({ remembered }: { readonly remembered: Remembered }): boolean =>
  remembered.state === 'remembered';

async function only<T>(reading: Promise<Read<T[]>>, keep: (object: T) => boolean): Promise<Read<T[]>> {
  const objects = await reading;
  return objects.state === 'read' ? { state: 'read', value: objects.value.filter(keep) } : objects;
}
