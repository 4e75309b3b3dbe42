// Finished Jobs beyond retention: exactly what `prune jobs` without flags would delete, because it is asked.
import { given } from '../../model/given.ts';
import type { Kind } from '../../model/kind.ts';
import type { PruneJobsOptions } from '../../model/options.ts';
import type { Ref } from '../../model/ref.ts';
import type { StatusFinding } from '../../model/status.ts';
import type { StatusSnapshot } from '../../model/status-snapshot.ts';
import { planPruneJobs } from '../prune-jobs.ts';
import { type About, firstOwnerOf } from './about.ts';
import { jobctl, typed } from './next.ts';

/** What `prune jobs -n NAMESPACE` alone means. */
export const pruneAlone: PruneJobsOptions = {
  verb: 'prune jobs',
  namespaceGiven: true,
  allNamespaces: false,
  dryRun: 'none',
  yes: false,
  interactive: false,
  includeProtected: false,
  concurrency: 24,
  reach: [],
  quiet: false,
  wait: true,
  output: 'text',
  standalone: false,
  reasons: [],
  includeHooks: false,
  skipManual: false,
};

export interface History {
  readonly beyond: readonly Ref[];
  /** By the uid of the owner. */
  readonly byOwner: ReadonlyMap<string, number>;
}

export function historyOf(about: About): History {
  const { snapshot, areJobsRead, byUid } = about;
  if (!areJobsRead) return { beyond: [], byOwner: new Map() };
  const beyond = prunedBy(pruneAlone, snapshot, about);
  const owners = beyond.flatMap(({ uid }) => ownerOf(uid, byUid) ?? []);
  const byOwner = new Map([...Map.groupBy(owners, owner => owner.uid)].map(([uid, of]) => [uid, of.length]));
  return { beyond, byOwner };
}

/** Of what `prune` is asked about. `ownerKind`: of the owner that its options name. */
interface Asked extends Pick<StatusSnapshot, 'jobs' | 'sources' | 'pods'> {
  readonly ownerKind?: Kind;
}

/** The Jobs that such a `prune jobs` would delete. */
export function prunedBy(
  options: PruneJobsOptions,
  { jobs, sources, pods, ownerKind }: Asked,
  { snapshot, arePodsRead }: About,
): Ref[] {
  const { pods: _all, kindsRead, ...rest } = snapshot;
  const plan = planPruneJobs(
    {
      ...rest,
      jobs,
      owners: new Map(sources.map(source => [source.ref.uid, source])),
      ownerKindsRead: kindsRead,
      rights: new Map(),
      // a mark on a Pod keeps its Job too
      ...(arePodsRead ? { pods } : {}),
      ...given({ ownerKind }),
    },
    options,
  );
  return plan.actions.map(({ target }) => target);
}

function ownerOf(uid: string, byUid: About['byUid']) {
  const job = byUid.get(uid);
  return job && firstOwnerOf(job);
}

const ownersShown = 3;

export function historyFindings({ beyond }: History, { byUid }: About): StatusFinding[] {
  return [...Map.groupBy(beyond, ({ namespace }) => namespace ?? '')].map(([namespace, targets]) => {
    const owners = Map.groupBy(
      targets.flatMap(({ uid }) => byUid.get(ownerOf(uid, byUid)?.uid ?? '')?.ref ?? []),
      typed,
    );
    const most = [...owners].sort(([, a], [, b]) => b.length - a.length);
    const named = most.slice(0, ownersShown).map(([owner, of]) => `${of.length} of ${owner}`);
    const facts = { count: targets.length, owners: named.join(', '), more: most.length - named.length };
    return {
      code: 'beyond-retention',
      namespace,
      needs: true,
      targets,
      facts,
      next: [jobctl(namespace, 'prune', 'jobs')],
    };
  });
}
