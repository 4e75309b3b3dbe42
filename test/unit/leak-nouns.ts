// Builders of what `prune pods` reads: Pods with the labels of their Job, and Jobs that are there. The rest is in nouns.ts.
import type { JobPod } from '../../src/model/job-pod.ts';
import type { LivingJob } from '../../src/model/living-job.ts';
import type { OwnerReference } from '../../src/model/object.ts';
import type { PrunePodsOptions } from '../../src/model/options.ts';
import type { PrunePodsSnapshot } from '../../src/model/snapshot.ts';
import { ago, aPod, kinds, now, pruneOptions } from './nouns.ts';

/** It ended an hour ago, has no owner, and its labels name the Job `gone`. */
export function aLeakedPod(name: string, more: Partial<JobPod> & { namespace?: string } = {}): JobPod {
  return {
    ...aPod(name, undefined, { phase: 'Succeeded' }),
    jobUids: ['uid-gone'],
    jobNames: ['gone'],
    labels: {},
    mirror: false,
    endedAt: ago('1h'),
    ...more,
  };
}

/** A running Pod has no end. */
export function aLeakedRunningPod(name: string, more: Partial<JobPod> = {}): JobPod {
  const { endedAt: _, ...pod } = aLeakedPod(name, { phase: 'Running', runningContainers: 1, ...more });
  return pod;
}

export const aLivingJob = (name: string, more: Partial<LivingJob> = {}): LivingJob => ({
  name,
  uid: `uid-${name}`,
  namespace: 'batch',
  ...more,
});

export const ownerOf = (
  name: string,
  kind: keyof typeof kinds = 'job',
  more: Partial<OwnerReference> = {},
): OwnerReference => {
  const { group, version, kind: of } = kinds[kind];
  return {
    group,
    version,
    kind: of,
    name,
    uid: `uid-${name}`,
    controller: true,
    blocking: true,
    ...more,
  };
};

export function prunePodsOptions(more: Partial<PrunePodsOptions> = {}): PrunePodsOptions {
  const { standalone: _1, reasons: _2, includeHooks: _3, skipManual: _4, ...shared } = pruneOptions();
  return { ...shared, verb: 'prune pods', includeRunning: false, ...more };
}

export function prunePodsSnapshot(
  pods: readonly JobPod[],
  { jobs = [], ...more }: Partial<Omit<PrunePodsSnapshot, 'pods' | 'jobs'>> & { jobs?: LivingJob[] } = {},
): PrunePodsSnapshot {
  return {
    takenAt: now,
    context: 'prod',
    server: 'https://10.0.0.1:6443',
    namespaces: ['batch'],
    allNamespaces: false,
    pods,
    // read wherever a Pod is
    jobs: new Map(['batch', ...pods.map(({ ref }) => ref.namespace ?? '')].map(place => [place, jobs])),
    unreadable: [],
    rights: new Map(),
    ...more,
  };
}
