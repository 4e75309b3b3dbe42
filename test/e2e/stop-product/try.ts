// Starts work of many combinations side by side, stops it by one command, and watches what becomes of it.
import type { ControlPlane } from '../../cluster/control-plane.ts';
import { playKubelet } from '../../cluster/state/played-kubelet.ts';
import { allowIn, type Rule } from '../../cluster/state/roles.ts';
import { watchAftermath } from './aftermath.ts';
import type { Combination } from './combinations.ts';
import { type Ended, readTold, type Told } from './told.ts';
import { judge, type Verdict } from './verdict.ts';
import { label, startWork } from './work.ts';

/** What a stop needs and no more: it reads what it stops and patches it, reads logs and events to save them, and leaves an event. */
export const stopRules: readonly Rule[] = [
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: ['get', 'list', 'patch'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'patch'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: [''], resources: ['events'], verbs: ['list', 'create'] },
];

export interface Tried {
  readonly verdicts: readonly Verdict[];
  readonly told: Told;
  readonly seconds: { readonly start: number; readonly stop: number; readonly watch: number };
  /** Whether the command had ended before the CronJobs would have run again: otherwise that run was not kept off. */
  readonly inTime: boolean;
}

export interface How {
  readonly combinations: readonly Combination[];
  /** What may pass until all of it is stopped. */
  readonly leadMs: number;
  /** `--no-save` */
  readonly flags: string;
  /** Runs `kubectl jobctl` with these words. */
  readonly run: (kubeconfig: string, words: string) => Promise<Ended>;
}

export async function tryAll(plane: ControlPlane, namespace: string, how: How): Promise<Tried> {
  const { admin } = plane;
  const user = `stopper-${namespace}`;
  await allowIn(admin, namespace, { user, rules: stopRules });
  const kubeconfig = plane.kubeconfigFor({ user, namespace });
  const kubelet = playKubelet(admin, namespace);
  try {
    const startedMs = Date.now();
    const work = await startWork(admin, namespace, how.combinations, how.leadMs);
    const runsMs = Date.now();
    const words = `stop cronjobs -l ${label}=${namespace} --yes -o json ${how.flags}`;
    const told = readTold(await how.run(kubeconfig, words));
    const stoppedMs = Date.now();
    const aftermath = await watchAftermath(admin, namespace, work);
    const seconds = {
      start: (runsMs - startedMs) / 1000,
      stop: (stoppedMs - runsMs) / 1000,
      watch: aftermath.watchedSeconds,
    };
    const verdicts = work.cases.map(tried => judge(tried, told, aftermath));
    return { verdicts, told, seconds, inTime: stoppedMs < work.nextRun.getTime() };
  } finally {
    await kubelet.stop();
  }
}
