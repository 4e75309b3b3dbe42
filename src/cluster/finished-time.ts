// When a Pod ended, as the Job controller reckons it: it counts the seconds to the next try from there. Source:
// pkg/controller/job/backoff_utils.go, getFinishedTime.
import type { Pod } from '../model/pod.ts';
import { dateOf, fieldsOf, listOf } from './adapt-meta.ts';

type Fields = ReturnType<typeof fieldsOf>;

/** Of any Pod; one that runs has no end yet, and what is answered then is what the controller would fall back to. */
export function finishedTime({ deletingSince, createdAt }: Pod, spec: Fields, status: Fields): Date {
  return ofContainers(spec, status) ?? notReadySince(status) ?? deletingSince ?? createdAt;
}

/** The last one of all containers and sidecars; undefined while one of them has not ended. */
function ofContainers(spec: Fields, status: Fields): Date | undefined {
  const sidecars = new Set(
    listOf(spec['initContainers'])
      .map(fieldsOf)
      .filter(one => one['restartPolicy'] === 'Always')
      .map(one => one['name']),
  );
  const ends = [
    ...listOf(status['containerStatuses']).map(fieldsOf),
    ...listOf(status['initContainerStatuses'])
      .map(fieldsOf)
      .filter(one => sidecars.has(one['name'])),
  ].map(one => dateOf(fieldsOf(fieldsOf(one['state'])['terminated'])['finishedAt']));
  const known = ends.filter(end => end !== undefined);
  if (known.length === 0 || known.length < ends.length) return undefined;
  return new Date(Math.max(...known.map(end => end.getTime())));
}

function notReadySince(status: Fields): Date | undefined {
  const ready = listOf(status['conditions'])
    .map(fieldsOf)
    .find(condition => condition['type'] === 'Ready');
  return ready?.['status'] === 'False' ? dateOf(ready['lastTransitionTime']) : undefined;
}
