// `prune jobs`, the reads: Jobs, then their owners (so that an owner that is not there is gone), then the Pods of finished ones.

import type { ClusterReader, KindCatalog, ListQuery } from '../cluster/contract.ts';
import { given } from '../model/given.ts';
import type { HistoryOwner } from '../model/history-owner.ts';
import { isFinished, type Job } from '../model/job.ts';
import { isCronJobKind, isJobKind, isPodKind, isScaledJobKind, type Kind } from '../model/kind.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { PruneJobsOptions } from '../model/options.ts';
import { groupKind, type PruneSnapshot, type Unreadable } from '../model/snapshot.ts';
import { readDeleteRights } from './access.ts';
import { needed } from './needed.ts';
import { kindOf, resolveKind } from './resolve-kind.ts';

export async function selectPruneJobs(
  options: PruneJobsOptions,
  read: ClusterReader,
): Promise<PruneSnapshot> {
  const catalog = needed(await read.kinds(), 'the list of kinds');
  const jobKind = kindOf(catalog, isJobKind);
  const podKind = kindOf(catalog, isPodKind);
  const ownerKind = options.owner === undefined ? undefined : resolveKind(catalog, options.owner.type);
  const where: ListQuery = options.allNamespaces ? {} : { namespace: read.target.namespace };
  const hint = options.allNamespaces
    ? 'You may not list Jobs in all namespaces; name one with -n.'
    : undefined;
  const grouped = options.groupBy === undefined ? {} : { groupBy: options.groupBy };
  const jobs = needed(await read.listJobs({ ...where, ...grouped, consistent: false }), 'jobs', hint);
  const selected = await readSelected(options, where, jobKind, read, hint);
  const owners = await readOwners(jobs, catalog, where, read);
  const unreadable: Unreadable[] = [...owners.unreadable];
  const candidates = jobs.filter(
    job =>
      isFinished(job.state) ||
      (options.neverStartedOlderThanMs !== undefined && job.state.is === 'never-started'),
  );
  const pods = await readPods(candidates, podKind, where, read, unreadable);
  const { context, server, namespace } = read.target;
  return {
    takenAt: read.now(),
    ...given({ context }),
    server,
    namespaces: options.allNamespaces ? [] : [namespace],
    allNamespaces: options.allNamespaces,
    jobs,
    owners: owners.byUid,
    ownerKindsRead: owners.kindsRead,
    unreadable,
    ...given({ pods, selected, ownerKind }),
    podKind,
    rights: await readDeleteRights(
      read,
      [...candidates, ...(pods ?? [])].map(({ ref }) => ref),
    ),
  };
}

/** The server evaluates selectors; they narrow what may go, so the whole list is needed beside the selected one. */
async function readSelected(
  options: PruneJobsOptions,
  where: ListQuery,
  jobKind: Kind,
  read: ClusterReader,
  hint: string | undefined,
): Promise<ReadonlySet<string> | undefined> {
  if (options.selector === undefined && options.fieldSelector === undefined) return undefined;
  const query: ListQuery = {
    ...where,
    ...given({ labelSelector: options.selector, fieldSelector: options.fieldSelector }),
  };
  const chosen = needed(await read.listMetadata(jobKind, query), 'jobs', hint);
  return new Set(chosen.map(object => object.ref.uid));
}

interface OwnersRead {
  readonly byUid: ReadonlyMap<string, HistoryOwner>;
  readonly kindsRead: ReadonlySet<string>;
  readonly unreadable: readonly Unreadable[];
}

/** CronJobs and ScaledJobs, where a Job names one as its owner. */
async function readOwners(
  jobs: readonly Job[],
  catalog: KindCatalog,
  where: ListQuery,
  read: ClusterReader,
): Promise<OwnersRead> {
  const named = new Set(jobs.flatMap(job => job.owners.map(groupKind)));
  const kinds = catalog.kinds.filter(
    kind => (isCronJobKind(kind) || isScaledJobKind(kind)) && named.has(groupKind(kind)),
  );
  const byUid = new Map<string, HistoryOwner>();
  const kindsRead = new Set<string>();
  const unreadable: Unreadable[] = [];
  for (const kind of kinds) {
    const owners = await read.listHistoryOwners(kind, where);
    if (owners.state === 'unreadable') unreadable.push({ kind, problem: owners.problem });
    if (owners.state !== 'read') continue;
    kindsRead.add(groupKind(kind));
    for (const owner of owners.value) byUid.set(owner.ref.uid, owner);
  }
  return { byUid, kindsRead, unreadable };
}

/** Metadata of these Jobs' Pods, found by owner uid: a Job with manualSelector gives its Pods no label of ours. */
async function readPods(
  jobs: readonly Job[],
  podKind: Kind,
  where: ListQuery,
  read: ClusterReader,
  unreadable: Unreadable[],
): Promise<ObjectMeta[] | undefined> {
  if (jobs.length === 0) return [];
  const uids = new Set(jobs.map(job => job.ref.uid));
  const pods = await read.listMetadata(podKind, where, pod => pod.owners.some(owner => uids.has(owner.uid)));
  if (pods.state === 'read') return pods.value;
  if (pods.state === 'unreadable') unreadable.push({ kind: podKind, problem: pods.problem });
  return undefined;
}
