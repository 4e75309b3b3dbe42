// What is to be saved, piece by piece, and under which path. Small things come first: a full disk is known before the big logs.
import { isPodKind, kindName } from '../model/kind.ts';
import type { Ref } from '../model/ref.ts';
import type { SavedObject, SaveMoment, ToSave } from '../model/saving.ts';
import type { ContainerState, WorkingPod } from '../model/working-pod.ts';

export type Task =
  | { readonly what: 'manifest'; readonly target: Ref; readonly path: readonly string[] }
  | {
      readonly what: 'events';
      readonly target: Ref;
      readonly namespace: string;
      readonly uids: ReadonlySet<string>;
      readonly path: readonly string[];
    }
  | LogTask;

export interface LogTask {
  readonly what: 'log';
  readonly target: Ref;
  readonly node?: string;
  readonly container: string;
  readonly previous: boolean;
  readonly restarts: number;
  /** Nothing is added to it any more, unless the container is started anew, and then it is another one. */
  readonly isFinal: boolean;
  /** As far as its status says. */
  readonly hasStarted: boolean;
  readonly path: readonly string[];
}

export function tasksOf(what: ToSave, moment: SaveMoment): Task[] {
  const objects = [...what.sources, ...what.jobs, ...what.pods.map(({ ref }) => ref)];
  return [
    ...objects.map(target => manifestTask(target, moment)),
    ...eventTasks(objects, moment),
    ...what.pods.flatMap(pod => logTasks(pod, moment)),
  ];
}

const manifestTask = (target: Ref, moment: SaveMoment): Task => ({
  what: 'manifest',
  target,
  path: isPodKind(target.kind)
    ? [spaceOf(target), target.name, `pod.${moment}.json`]
    : [spaceOf(target), kindName(target.kind), `${target.name}.${moment}.json`],
});

const spaceOf = ({ namespace = '' }: Ref): string => namespace;

function eventTasks(objects: readonly Ref[], moment: SaveMoment): Task[] {
  return [...Map.groupBy(objects, spaceOf)].flatMap(([namespace, inside]) =>
    inside.slice(0, 1).map(target => ({
      what: 'events' as const,
      target,
      namespace,
      uids: new Set(inside.map(({ uid }) => uid)),
      path: [namespace, `events.${moment}.json`],
    })),
  );
}

function logTasks(pod: WorkingPod, moment: SaveMoment): LogTask[] {
  const states = new Map(pod.containers.map(state => [state.name, state]));
  return pod.containerNames.flatMap(({ name }) => {
    const state = states.get(name);
    const newest = logTask(pod, name, state, { previous: false, moment });
    // a container that was never started anew has no run before
    const isRestarted = state !== undefined && state.restarts > 0;
    return isRestarted ? [newest, logTask(pod, name, state, { previous: true, moment })] : [newest];
  });
}

function logTask(
  pod: WorkingPod,
  container: string,
  state: ContainerState | undefined,
  { previous, moment }: { readonly previous: boolean; readonly moment: SaveMoment },
): LogTask {
  const restarts = state?.restarts ?? 0;
  const isWaiting = state === undefined || state.is === 'waiting';
  return {
    what: 'log',
    target: pod.ref,
    ...(pod.node === undefined ? {} : { node: pod.node }),
    container,
    previous,
    restarts,
    isFinal: previous || state?.is === 'terminated',
    hasStarted: !isWaiting || restarts > 0,
    path: [spaceOf(pod.ref), pod.ref.name, `${container}${previous ? '.previous' : ''}.${moment}.log`],
  };
}

/** As it is named in the index. */
export function objectOf({ kind, namespace, name, uid }: Ref): SavedObject {
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return {
    apiVersion,
    kind: kind.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    uid,
  };
}
