// A world written small in YAML, expanded to API objects as a server would answer them.
import type { Fields } from '../cluster/admin.ts';
import { at } from '../support/time.ts';

export interface Case {
  /** The command line, without the program's name. */
  readonly argv: string;
  readonly now: string;
  readonly objects: readonly Item[];
}

/** One object: its kind's word names it; ages are before `now`. */
interface Item {
  readonly cronjob?: string;
  readonly job?: string;
  readonly pod?: string;
  readonly configmap?: string;
  readonly claim?: string;
  readonly widget?: string;
  readonly scaledjob?: string;
  readonly lease?: string;
  /** A lease: when it was renewed. */
  readonly renewed?: string;
  /** A Pod: the claim in its volumes. */
  readonly uses?: string;
  readonly namespace?: string;
  /** `cronjob/nightly`, also several; by the words above. */
  readonly owner?: string | readonly string[];
  readonly keeps?: readonly [succeeded: number, failed: number];
  readonly complete?: string;
  readonly failed?: string;
  readonly reason?: string;
  readonly running?: number;
  readonly suspended?: boolean;
  readonly phase?: string;
  readonly grace?: number;
  readonly preStop?: boolean;
  readonly deleting?: string;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Merged into what the words above make of it, one level deep. */
  readonly spec?: Fields;
  readonly status?: Fields;
}

const kinds = {
  cronjob: { apiVersion: 'batch/v1', kind: 'CronJob' },
  job: { apiVersion: 'batch/v1', kind: 'Job' },
  pod: { apiVersion: 'v1', kind: 'Pod' },
  configmap: { apiVersion: 'v1', kind: 'ConfigMap' },
  claim: { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  widget: { apiVersion: 'example.test/v1', kind: 'Widget' },
  scaledjob: { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledJob' },
  lease: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
} as const;
type Word = keyof typeof kinds;
const words = Object.keys(kinds) as Word[];

export interface RawObject extends Fields {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields & { readonly name: string; readonly namespace: string; readonly uid: string };
}

export function expand({ now, objects }: Case): RawObject[] {
  const ago = (age: string): string => at(`${age} ago`, new Date(now)).toISOString();
  return objects.map(item => {
    const [word, name] = named(item);
    return {
      ...kinds[word],
      metadata: metadata(item, word, name, ago),
      spec: { ...specOf(item, ago), ...item.spec },
      status: { ...statusOf(item, ago), ...item.status },
    };
  });
}

function named(item: Item): [Word, string] {
  const word = words.find(candidate => item[candidate] !== undefined);
  if (word === undefined) throw new Error(`an object is one of ${words.join(', ')}: ${JSON.stringify(item)}`);
  return [word, item[word] ?? ''];
}

const uidOf = (word: string, name: string): string => `uid-${word}-${name}`;

function metadata(item: Item, word: Word, name: string, ago: (age: string) => string) {
  const owners = item.owner === undefined ? [] : [item.owner].flat();
  return {
    name,
    namespace: item.namespace ?? 'batch',
    uid: uidOf(word, name),
    resourceVersion: '7',
    creationTimestamp: ago('60d'),
    labels: item.labels ?? {},
    annotations: item.annotations ?? {},
    finalizers: item.finalizers ?? [],
    ownerReferences: owners.map((owner, at) => {
      const [kind = '', of = ''] = owner.split('/');
      return {
        ...kinds[kind as Word],
        name: of,
        uid: uidOf(kind, of),
        controller: at === 0,
        blockOwnerDeletion: true,
      };
    }),
    ...(item.deleting === undefined
      ? {}
      : { deletionTimestamp: ago(item.deleting), deletionGracePeriodSeconds: 0 }),
  };
}

function specOf(item: Item, ago: (age: string) => string): Fields {
  if (item.lease !== undefined) return { holderIdentity: 'x', renewTime: ago(item.renewed ?? '0s') };
  if (item.cronjob !== undefined) {
    const [successfulJobsHistoryLimit, failedJobsHistoryLimit] = item.keeps ?? [3, 1];
    return { successfulJobsHistoryLimit, failedJobsHistoryLimit };
  }
  if (item.job !== undefined) return item.suspended === true ? { suspend: true } : {};
  const lifecycle = item.preStop === true ? { lifecycle: { preStop: {} } } : {};
  const volumes = item.uses === undefined ? [] : [{ persistentVolumeClaim: { claimName: item.uses } }];
  return {
    terminationGracePeriodSeconds: item.grace ?? 30,
    containers: [{ name: 'main', ...lifecycle }],
    ...(volumes.length === 0 ? {} : { volumes }),
  };
}

function statusOf(item: Item, ago: (age: string) => string): Fields {
  if (item.pod !== undefined) {
    const state = item.phase === 'Running' ? { running: {} } : { terminated: {} };
    return { phase: item.phase ?? 'Succeeded', containerStatuses: [{ name: 'main', state }] };
  }
  const condition = (type: string, age: string) => [
    { type, status: 'True', reason: item.reason ?? '', lastTransitionTime: ago(age) },
  ];
  if (item.complete !== undefined)
    return {
      succeeded: 1,
      completionTime: ago(item.complete),
      conditions: condition('Complete', item.complete),
    };
  if (item.failed !== undefined) return { failed: 1, conditions: condition('Failed', item.failed) };
  return item.running === undefined ? {} : { active: item.running };
}
