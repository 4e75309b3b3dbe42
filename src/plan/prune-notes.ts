// What `prune jobs` says besides its verdicts: what could not be read, what stays unfinished for ever, who removes the Pods.
import type { Dependent, Finding } from '../model/plan.ts';
import type { PruneSnapshot } from '../model/snapshot.ts';
import type { Note } from '../model/why.ts';
import { unreadableNote } from './unreadable-note.ts';

export function pruneNotes(
  snapshot: PruneSnapshot,
  findings: readonly Finding[],
  dependents: readonly Dependent[],
): Note[] {
  return [
    ...snapshot.unreadable.map(unreadableNote),
    ...stateNotes(findings),
    ...managerNotes(snapshot, findings),
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

/** Whoever else manages the owners of what goes is named; only finished Jobs of theirs are touched. */
function managerNotes(snapshot: PruneSnapshot, findings: readonly Finding[]): Note[] {
  const going = new Set(
    findings.filter(finding => finding.verdict === 'delete').map(finding => finding.target.uid),
  );
  const jobs = snapshot.jobs.filter(job => going.has(job.ref.uid));
  const owners = new Set(jobs.flatMap(job => job.owners.map(owner => owner.uid)));
  return [...owners].flatMap(uid => {
    const owner = snapshot.owners.get(uid);
    if (owner === undefined) return [];
    return owner.managers.map(({ tool, name }) => ({
      code: 'managed-elsewhere' as const,
      facts: {
        object: `${owner.ref.kind.kind.toLowerCase()}/${owner.ref.name}`,
        tool,
        name,
        only: 'finished-jobs',
      },
    }));
  });
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
