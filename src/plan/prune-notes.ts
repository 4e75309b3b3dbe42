// What `prune jobs` says besides its verdicts: what could not be read, what stays unfinished for ever, who removes the Pods.
import type { ObjectMeta } from '../model/object.ts';
import type { PruneJobsOptions } from '../model/options.ts';
import type { Dependent, Finding } from '../model/plan.ts';
import type { PruneSnapshot } from '../model/snapshot.ts';
import type { Note } from '../model/why.ts';
import { managedOnce } from './managed.ts';
import { overrideNotes } from './overrides.ts';
import type { PodsByOwner } from './prune-verdicts.ts';
import { unreadableNote } from './unreadable-note.ts';

interface Decided {
  readonly findings: readonly Finding[];
  readonly dependents: readonly Dependent[];
  readonly pods: PodsByOwner;
}

export function pruneNotes(
  snapshot: PruneSnapshot,
  options: PruneJobsOptions,
  { findings, dependents, pods }: Decided,
): Note[] {
  const going = new Set(
    findings.filter(({ verdict }) => verdict === 'delete').map(({ target }) => target.uid),
  );
  const jobs = snapshot.jobs.filter(({ ref }) => going.has(ref.uid));
  const own = new Set(jobs.flatMap(({ ref }) => pods.get(ref.uid) ?? []));
  return [
    ...overrideNotes(options, options, { targets: jobs, dependents: [...own] }),
    ...snapshot.unreadable.map(unreadableNote),
    ...stateNotes(findings),
    ...shardNotes(snapshot, options, findings),
    ...managerNotes(snapshot, jobs),
    ...collectorNotes(snapshot, findings, dependents),
  ];
}

function stateNotes(findings: readonly Finding[]): Note[] {
  const stuck = (code: 'never-started' | 'idle') =>
    findings.filter(finding => finding.verdict === 'stays' && finding.why.code === code);
  const neverStarted = stuck('never-started');
  const idle = stuck('idle');
  const notes: Note[] = [];
  if (neverStarted.length > 0) {
    const owners = new Set(
      neverStarted.map(finding => (finding.seen.as === 'job' ? finding.seen.group?.label : undefined)),
    );
    const owner = owners.size === 1 ? [...owners][0] : undefined;
    const namespace = neverStarted[0]?.target.namespace ?? '';
    notes.push({
      code: 'never-started-jobs',
      facts: { count: neverStarted.length, owner: owner ?? '-', namespace },
    });
  }
  if (idle.length > 0) notes.push({ code: 'idle-jobs', facts: { count: idle.length } });
  return notes;
}

function shardNotes(
  { jobs }: PruneSnapshot,
  { shard }: PruneJobsOptions,
  findings: readonly Finding[],
): Note[] {
  const count = jobs.length - findings.length;
  return shard === undefined || count === 0
    ? []
    : [{ code: 'other-shards', facts: { count, index: shard.index, of: shard.of } }];
}

/** Whoever else manages the owners of what goes is named, of which only finished Jobs are touched; and whoever manages Jobs themselves. */
function managerNotes(snapshot: PruneSnapshot, jobs: readonly ObjectMeta[]): Note[] {
  const uids = new Set(jobs.flatMap(job => job.owners.map(owner => owner.uid)));
  const owners = [...uids].flatMap(uid => snapshot.owners.get(uid) ?? []);
  const ofOwners = owners.flatMap(({ ref, managers }) =>
    managers.map(({ tool, name }) => ({
      code: 'managed-elsewhere' as const,
      facts: { object: `${ref.kind.kind.toLowerCase()}/${ref.name}`, tool, name, only: 'finished-jobs' },
    })),
  );
  return [...ofOwners, ...managedOnce(jobs, owners)];
}

function collectorNotes(
  snapshot: PruneSnapshot,
  findings: readonly Finding[],
  dependents: readonly Dependent[],
): Note[] {
  const goes = findings.some(finding => finding.verdict === 'delete');
  if (snapshot.pods === undefined && goes) return [{ code: 'pods-unreadable', facts: {} }];
  const left = dependents.filter(dependent => dependent.by === 'collector').length;
  return left === 0 ? [] : [{ code: 'pods-left-to-collector', facts: { count: left } }];
}
