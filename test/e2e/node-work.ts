// Work on a real node: containers that write down what happens to them, in a folder that they share with the test.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Admin, Fields, KubeObject } from '../cluster/admin.ts';
import type { ControlPlaneWithNode } from '../cluster/control-plane.ts';
import { kubectl } from '../cluster/kubectl.ts';
import { podPath } from '../cluster/state/pods.ts';
import { until } from '../cluster/until.ts';

/** Where every container finds the folder. */
const inContainer = '/shared';

export interface Shared {
  /** On the host. */
  readonly path: string;
  read(name: string): string;
  has(name: string): boolean;
}

/** A folder of the host, mounted by the Pods that are given it. */
export function sharedFolder(plane: ControlPlaneWithNode, name: string): Shared {
  const path = join(plane.dir, `shared-${name}`);
  mkdirSync(path, { recursive: true });
  return {
    path,
    read: file => readFileSync(join(path, file), 'utf8'),
    has: file => existsSync(join(path, file)),
  };
}

export interface ScriptWish {
  /** So often it fails first: of all Pods together, or each Pod by itself. */
  readonly fails?: { readonly times: number; readonly each: 'job' | 'pod' };
  /** Seconds from TERM to the end; of several, each Pod has another one. */
  readonly takes?: readonly number[];
  /** 143 if not said: what a shell says of a TERM that ended it. */
  readonly exitCode?: number;
}

/**
 * A shell that is the first process of its container, so that it gets the signals: `began-POD` is there once it can be told to end, and
 * its last line is printed after TERM.
 */
export function workScript({ fails, takes = [0], exitCode = 143 }: ScriptWish = {}): string {
  const failures = fails?.each === 'pod' ? 'failed-$POD' : 'failed';
  return [
    // a folder is made by one of those who try
    `n=1; while [ $n -le ${fails?.times ?? 0} ]; do`,
    `  if mkdir ${inContainer}/${failures}-$n 2>/dev/null; then echo "failure $n"; exit 1; fi; n=$((n+1))`,
    'done',
    `for takes in ${takes.join(' ')}; do mkdir ${inContainer}/takes-$takes 2>/dev/null && break; done`,
    `trap 'sleep $takes; echo "last line of $POD"; exit ${exitCode}' TERM`,
    'echo "first line of $POD"',
    `echo >${inContainer}/began-$POD`,
    // a wait is interrupted by a signal, a sleep in the foreground is not
    'while :; do sleep 1000 & wait; done',
  ].join('\n');
}

/** Goes on whatever it is told. */
export const deafScript = `trap "" TERM; echo began; echo >${inContainer}/began-$POD; while :; do sleep 1; done`;

export interface ContainerWish {
  readonly name?: string;
  readonly script: string;
  /** Run by a shell. */
  readonly preStop?: string;
  readonly more?: Fields;
}

export const containerOf = (
  plane: ControlPlaneWithNode,
  { name = 'main', script, preStop, more }: ContainerWish,
): Fields => ({
  name,
  image: plane.node.image,
  command: ['sh', '-c', script],
  env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  volumeMounts: [{ name: 'shared', mountPath: inContainer }],
  ...(preStop === undefined ? {} : { lifecycle: { preStop: { exec: { command: ['sh', '-c', preStop] } } } }),
  ...more,
});

/** A Pod's spec with the shared folder. */
export const podSpecOf = (shared: Shared, containers: readonly Fields[], more: Fields = {}): Fields => ({
  restartPolicy: 'Never',
  terminationGracePeriodSeconds: 30,
  containers,
  volumes: [{ name: 'shared', hostPath: { path: shared.path, type: 'Directory' } }],
  ...more,
});

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: {
    readonly running?: unknown;
    readonly waiting?: { readonly reason: string };
    readonly terminated?: { readonly exitCode: number; readonly finishedAt: string };
  };
}

export interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
}

export const statusOf = (pod: KubeObject): PodStatus => (pod.status ?? {}) as PodStatus;

/** Of its containers, `undefined` for one that has not ended. */
export const exitCodesOf = (pod: KubeObject): (number | undefined)[] =>
  (statusOf(pod).containerStatuses ?? []).map(({ state }) => state.terminated?.exitCode);

const patienceMs = 90_000;

export const untilPods = (
  admin: Admin,
  namespace: string,
  what: string,
  holds: (pods: readonly KubeObject[]) => boolean,
): Promise<readonly KubeObject[]> =>
  until(`the Pods to be ${what}`, patienceMs, async () => {
    const pods = await admin.list(podPath(namespace));
    return holds(pods) && pods;
  });

/** So many Pods run, and each can be told to end. */
export const untilBegun = (
  admin: Admin,
  namespace: string,
  shared: Shared,
  count: number,
): Promise<readonly KubeObject[]> =>
  untilPods(admin, namespace, 'at work', pods => {
    const running = pods.filter(pod => statusOf(pod).phase === 'Running');
    return running.length === count && running.every(({ metadata }) => shared.has(`began-${metadata.name}`));
  });

export const logOf = (
  plane: ControlPlaneWithNode,
  { metadata }: KubeObject,
  container = 'main',
): Promise<string> =>
  kubectl(plane, ['logs', metadata.name, '-c', container, '-n', String(metadata.namespace)]);

/** The newest of what was saved of this container's log. */
export function savedLog(dir: string, pod: string, container: string, previous = false): string {
  const { files } = JSON.parse(readFileSync(join(dir, 'index.json'), 'utf8')) as {
    readonly files: readonly {
      readonly file: string;
      readonly what: string;
      readonly object?: { readonly name: string };
      readonly container?: string;
      readonly previous?: boolean;
      readonly complete: boolean;
    }[];
  };
  const found = files.filter(
    ({ what, object, complete, ...log }) =>
      complete &&
      what === 'log' &&
      object?.name === pod &&
      log.container === container &&
      log.previous === previous,
  );
  const newest = found.at(-1);
  if (newest === undefined) throw new Error(`nothing was saved of ${container} in ${pod}`);
  return readFileSync(join(dir, newest.file), 'utf8');
}
