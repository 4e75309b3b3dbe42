// A kubelet, played: it starts the Pods of a namespace, lets some fail before the rest, and ends those whose deadline has come, after
// the grace that each is to take. What a Pod does is written on it, as annotations of its Job's template.
import { type Admin, type Fields, inParallel, type KubeObject } from '../admin.ts';
import { apiTime } from './draft.ts';
import { podStatus } from './pod-status.ts';
import { podPath, writePodStatus } from './pods.ts';

/** Annotations of a Pod template. */
export interface Play {
  /** How many Pods of the Job fail, a while ago, before one goes on running. */
  readonly failsFirst?: number;
  /** Restarts of its container. */
  readonly restarts?: number;
  /** Seconds from being told to end to the end; several: of the first Pod of the Job that runs, the second, and so on in turn. */
  readonly takesToEnd?: number | readonly number[];
  readonly exitCode?: number;
  /** It never gets a startTime. */
  readonly neverStarts?: boolean;
}

const key = 'test.example/play';

export const played = (play: Play): Record<string, string> => ({ [key]: JSON.stringify(play) });

const playOf = ({ metadata }: KubeObject): Play => JSON.parse(metadata.annotations?.[key] ?? '{}');

export interface PlayedKubelet {
  stop(): Promise<void>;
}

const pauseMs = 100;
/** Its lists are to be a small part of what the server does, however many Pods there are. */
const pausesPerList = 4;

export function playKubelet(admin: Admin, namespace: string): PlayedKubelet {
  const kubelet = new Kubelet(admin, namespace);
  let isOn = true;
  const loop = async () => {
    while (isOn) {
      const startedMs = performance.now();
      // as a kubelet whose server is away for a while
      const pods = await kubelet.look().catch(() => []);
      const lookedMs = performance.now() - startedMs;
      await kubelet.play(pods);
      await new Promise(done => setTimeout(done, Math.max(pauseMs, pausesPerList * lookedMs)));
    }
  };
  const running = loop();
  return {
    async stop() {
      isOn = false;
      await running;
    },
  };
}

const ofWork = 'fieldSelector=status.phase!=Failed,status.phase!=Succeeded';

class Kubelet {
  readonly #admin: Admin;
  readonly #namespace: string;
  /** Since when a Pod is told to end, by uid. */
  readonly #told = new Map<string, number>();
  /** How many Pods of a Job were let fail. */
  readonly #failed = new Map<string, number>();
  /** How many Pods of a Job were let run. */
  readonly #running = new Map<string, number>();
  readonly #takesToEnd = new Map<string, number>();
  readonly #written = new Set<string>();

  constructor(admin: Admin, namespace: string) {
    this.#admin = admin;
    this.#namespace = namespace;
  }

  look(): Promise<readonly KubeObject[]> {
    return this.#admin.list(`${podPath(this.#namespace)}?${ofWork}`);
  }

  async play(pods: readonly KubeObject[]): Promise<void> {
    await inParallel(pods, async pod => {
      const { phase } = (pod.status ?? {}) as { phase?: string };
      if (phase === 'Pending') await this.#start(pod);
      if (phase === 'Running' && isTold(pod)) await this.#end(pod);
    });
  }

  async #start(pod: KubeObject): Promise<void> {
    const { failsFirst = 0, restarts = 0, neverStarts = false, takesToEnd = 0 } = playOf(pod);
    const { uid, ownerReferences = [] } = pod.metadata;
    if (neverStarts || this.#written.has(uid)) return;
    this.#written.add(uid);
    const job = String(ownerReferences[0]?.['uid']);
    const failed = this.#failed.get(job) ?? 0;
    // its end lies back, so that the Job controller waits for nothing before the next one
    if (failed < failsFirst) {
      this.#failed.set(job, failed + 1);
      await this.#write(pod, podStatus({ phase: 'Failed', started: '30m', ended: '20m' }));
      return;
    }
    const nth = this.#running.get(job) ?? 0;
    this.#running.set(job, nth + 1);
    const seconds = [takesToEnd].flat();
    this.#takesToEnd.set(uid, seconds[nth % seconds.length] ?? 0);
    await this.#write(pod, podStatus({ phase: 'Running', restarts }));
  }

  async #end(pod: KubeObject): Promise<void> {
    const { exitCode = 143, restarts = 0 } = playOf(pod);
    const { uid } = pod.metadata;
    const isNews = !this.#told.has(uid);
    const since = this.#told.get(uid) ?? Date.now();
    this.#told.set(uid, since);
    if (Date.now() - since < (this.#takesToEnd.get(uid) ?? 0) * 1000) {
      if (isNews) await this.#write(pod, notReady());
      return;
    }
    await this.#write(pod, {
      ...podStatus({ phase: 'Failed', exitCode, restarts }),
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
  }

  /** A Pod that went meanwhile is no failure. */
  async #write(pod: KubeObject, status: Fields): Promise<void> {
    await writePodStatus(this.#admin, pod, status).catch(() => undefined);
  }
}

/** What is shutting down is not ready, and of two Pods the Job controller deletes that one first. */
const notReady = (): Fields => ({
  conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: apiTime(new Date()) }],
});

/** Source: pkg/kubelet/active_deadline.go pastActiveDeadline. */
function isTold({ spec = {}, status = {} }: KubeObject): boolean {
  const { startTime } = status as { startTime?: string };
  const deadline = spec['activeDeadlineSeconds'];
  if (startTime === undefined || typeof deadline !== 'number') return false;
  return Date.now() - new Date(startTime).getTime() >= deadline * 1000;
}
