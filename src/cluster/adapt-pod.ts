// API objects → model nouns: Pods.
import { given } from '../model/given.ts';
import type { Kind } from '../model/kind.ts';
import type { Pod } from '../model/pod.ts';
import { fieldsOf, listOf, numberOf, textOf, textsOf, toObjectMeta } from './adapt-meta.ts';

/** The server's default of terminationGracePeriodSeconds. */
const standardGraceSeconds = 30;

export function toPod(kind: Kind, item: unknown): Pod {
  const fields = fieldsOf(item);
  const spec = fieldsOf(fields['spec']);
  const status = fieldsOf(fields['status']);
  const running = runningNames(status);
  const containers = [...listOf(spec['containers']), ...listOf(spec['initContainers'])].map(fieldsOf);
  return {
    ...toObjectMeta(kind, item),
    phase: textOf(status['phase']) ?? 'Unknown',
    ...given({ node: textOf(spec['nodeName']) }),
    graceSeconds: numberOf(spec['terminationGracePeriodSeconds']) ?? standardGraceSeconds,
    preStopHooks: containers.filter(
      container =>
        running.has(textOf(container['name']) ?? '') &&
        fieldsOf(container['lifecycle'])['preStop'] !== undefined,
    ).length,
    runningContainers: running.size,
    ...madeBy(textsOf(fieldsOf(fields['metadata'])['labels'])),
    claims: listOf(spec['volumes'])
      .map(fieldsOf)
      .flatMap(volume => claimOf(volume, textOf(fieldsOf(fields['metadata'])['name']) ?? '')),
  };
}

function madeBy(labels: Readonly<Record<string, string | undefined>>) {
  const label = (name: string) => labels[`batch.kubernetes.io/${name}`] ?? labels[name];
  const [uid, name] = [label('controller-uid'), label('job-name')];
  return uid === undefined || name === undefined ? {} : { madeBy: { uid, name } };
}

/** The claim of a generic ephemeral volume is called after the Pod and the volume. */
function claimOf(volume: ReturnType<typeof fieldsOf>, pod: string): string[] {
  if (volume['ephemeral'] !== undefined) return [`${pod}-${textOf(volume['name']) ?? ''}`];
  const name = textOf(fieldsOf(volume['persistentVolumeClaim'])['claimName']);
  return name === undefined ? [] : [name];
}

function runningNames(status: ReturnType<typeof fieldsOf>): ReadonlySet<string> {
  const statuses = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'].flatMap(
    list => listOf(status[list]),
  );
  const running = statuses.map(fieldsOf).filter(one => fieldsOf(one['state'])['running'] !== undefined);
  return new Set(running.map(one => textOf(one['name']) ?? ''));
}
