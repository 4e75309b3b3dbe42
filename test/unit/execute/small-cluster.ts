// A cluster of a few objects in memory, for the order of events: what is deleted goes, unless a test says otherwise.
import type { ClusterReader, Read, Written } from '../../../src/cluster/contract.ts';
import type { Doors, Run } from '../../../src/execute/doors.ts';
import { execute } from '../../../src/execute/execute.ts';
import type { DeleteAction } from '../../../src/model/delete-action.ts';
import type { Event } from '../../../src/model/event.ts';
import { isSameKind } from '../../../src/model/kind.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { freeing } from '../../../src/plan/freeing.ts';
import { resuming } from '../../../src/plan/give-back.ts';
import { settleStep } from '../../../src/plan/settle.ts';
import { stopping } from '../../../src/plan/stopping.ts';
import { now } from '../nouns.ts';

export interface SmallCluster extends Doors {
  readonly objects: Map<string, ObjectMeta>;
  /** Every delete that was sent, in order. */
  readonly sent: DeleteAction[];
  /** How many were under way at once, at most. */
  mostAtOnce: number;
}

/** `answer`: instead of letting the object go. */
export function smallCluster(
  objects: readonly ObjectMeta[],
  answer: (action: DeleteAction, cluster: SmallCluster) => Written | undefined = () => undefined,
): SmallCluster {
  const stored = new Map(objects.map(object => [object.ref.uid, object]));
  let atOnce = 0;
  const value = <T>(it: T): Promise<Read<T>> => Promise.resolve({ state: 'read', value: it });
  const unasked = () => Promise.reject(new Error('not read in these tests'));
  const read: ClusterReader = {
    target: { server: 'https://x', namespace: 'batch' },
    now: () => now,
    throttled: () => 0,
    kinds: unasked,
    listJobs: unasked,
    listHistoryOwners: unasked,
    listPods: unasked,
    listJobPods: unasked,
    listLivingJobs: unasked,
    getJob: unasked,
    getPod: unasked,
    listWorkingJobs: unasked,
    getWorkingJob: unasked,
    listWorkingPods: unasked,
    listJobSources: unasked,
    getJobSource: unasked,
    whoAmI: unasked,
    readText: unasked,
    listEventTexts: unasked,
    openLog: unasked,
    readNode: unasked,
    mayI: unasked,
    readEvidence: unasked,
    findWorkloads: unasked,
    readGarbageCollectorBlockers: () =>
      value([{ object: 'apiservice/v1.dead.example', reason: 'FailedDiscoveryCheck' }]),
    listMetadata: (kind, _query, keep = () => true) =>
      value([...stored.values()].filter(object => isSameKind(object.ref.kind, kind)).filter(keep)),
    getMetadata: (kind, name) => {
      const found = [...stored.values()].find(
        object => isSameKind(object.ref.kind, kind) && object.ref.name === name,
      );
      return found === undefined ? Promise.resolve({ state: 'absent' }) : value(found);
    },
  };
  const cluster: SmallCluster = {
    objects: stored,
    sent: [],
    mostAtOnce: 0,
    read,
    write: {
      deleteObject: async action => {
        cluster.sent.push(action);
        atOnce += 1;
        cluster.mostAtOnce = Math.max(cluster.mostAtOnce, atOnce);
        await Promise.resolve();
        atOnce -= 1;
        const told = answer(action, cluster);
        if (told !== undefined) return told;
        return stored.delete(action.target.uid) ? { state: 'gone' } : { state: 'already-gone' };
      },
      patchObject: () => Promise.reject(new Error('nothing is patched here')),
      createJobFrom: () => Promise.reject(new Error('nothing is created here')),
      recordEvent: () => Promise.reject(new Error('nothing is recorded here')),
      finalizeNamespace: () => Promise.reject(new Error('nothing is finalized here')),
    },
  };
  return cluster;
}

/** Runs a plan to its end. Time passes only in pauses, 1 s each. */
export async function events(
  plan: Plan,
  cluster: Doors,
  more: Partial<Run> & { readonly onPause?: () => void } = {},
): Promise<Event[]> {
  let ms = 0;
  const run: Run = {
    signal: new AbortController().signal,
    elapsedMs: () => ms,
    pause: () => {
      ms += 1000;
      more.onPause?.();
      return Promise.resolve();
    },
    settling: settleStep,
    freeing,
    stopping,
    resuming,
    invocation: { command: 'kubectl jobctl test', version: '0' },
    openArchive: () => Promise.reject(new Error('nothing is saved here')),
    ...more,
  };
  const seen: Event[] = [];
  for await (const event of execute(plan, cluster, run)) seen.push(event);
  return seen;
}

/** The events in short, without progress. */
export const inShort = (seen: readonly Event[]): string[] =>
  seen.flatMap(event => {
    if (event.type === 'deleted') return [`${event.as} ${event.action.target.name} ${event.state}`];
    if (event.type === 'failed')
      return [`${event.as} ${event.action.target.name} failed ${event.problem.code}`];
    if (event.type === 'seen-gone') return [`${event.as} ${event.target.name} seen gone, by ${event.by}`];
    if (event.type === 'timeout' || event.type === 'interrupted')
      return [`${event.type}: ${event.left.map(item => `${item.target.name} ${item.code}`).join(', ')}`];
    return [];
  });
