// What `delete` says besides its verdicts: who may bring the objects back, what will behave otherwise, what could not be read.
import { isWorking } from '../model/job.ts';
import { controllerOf, type ObjectMeta } from '../model/object.ts';
import type { DeleteOptions } from '../model/options.ts';
import type { Dependent } from '../model/plan.ts';
import { label, type Ref } from '../model/ref.ts';
import type { DeleteSnapshot } from '../model/snapshot.ts';
import type { Note } from '../model/why.ts';
import type { Fate } from './dependents.ts';
import { overrideNotes } from './overrides.ts';
import { isAliveIn } from './owner-alive.ts';
import { unreadableNote } from './unreadable-note.ts';

interface Decided {
  readonly deleted: readonly Ref[];
  /** Uids of what goes with them. */
  readonly byOurDelete: ReadonlySet<string>;
  readonly going: ReadonlySet<string>;
  readonly shown: readonly Fate[];
  readonly dependents: readonly Dependent[];
}

export function deleteNotes(snapshot: DeleteSnapshot, options: DeleteOptions, decided: Decided): Note[] {
  const targets = snapshot.targets
    .map(({ object }) => object)
    .filter(object => decided.going.has(object.ref.uid));
  const left = decided.dependents.filter(dependent => dependent.by === 'collector').length;
  return [
    ...overridden(snapshot, options, decided),
    ...snapshot.notFound.map((object): Note => ({ code: 'not-found-ignored', facts: { object } })),
    ...targets.flatMap(target => targetNotes(target, snapshot, options)),
    ...contentNotes(snapshot),
    ...snapshot.silentGroups.map(
      ({ group, problem }): Note => ({ code: 'silent-group', facts: { group, problem: problem.text } }),
    ),
    ...snapshot.unreadable.map(unreadableNote),
    ...(left > 0 && options.wait && options.propagation === 'Background'
      ? [{ code: 'dependents-left-to-collector' as const, facts: { count: left } }]
      : []),
    ...orphanNotes(targets, options, decided.shown),
    ...(options.force ? [{ code: 'force' as const, facts: {} }] : []),
  ];
}

function overridden(
  snapshot: DeleteSnapshot,
  options: DeleteOptions,
  { deleted, byOurDelete }: Decided,
): Note[] {
  const uids = new Set(deleted.map(({ uid }) => uid));
  const labels = new Set(deleted.map(label));
  const isTaken = options.propagation !== 'Orphan';
  const inside = snapshot.contents.filter(({ of }) => labels.has(of));
  return overrideNotes(
    options,
    { includeHooks: false },
    {
      targets: snapshot.targets.map(({ object }) => object).filter(({ ref }) => uids.has(ref.uid)),
      dependents: snapshot.dependents
        .map(({ object }) => object)
        .filter(({ ref }) => isTaken && byOurDelete.has(ref.uid)),
      contents: inside.reduce((sum, { kept }) => sum + kept, 0),
    },
  );
}

function targetNotes(target: ObjectMeta, snapshot: DeleteSnapshot, options: DeleteOptions): Note[] {
  const object = label(target.ref);
  const notes: Note[] = target.managers.map(({ tool, name }) => ({
    code: 'managed-elsewhere',
    facts: { object, tool, name, only: '' },
  }));
  const owner = controllerOf(target);
  if (owner !== undefined) {
    const facts = { object, owner: `${owner.kind.toLowerCase()}/${owner.name}` };
    const alive = isAliveIn(snapshot).isAlive(owner, target);
    if (alive === 'yes') notes.push({ code: 'owner-may-recreate', facts });
    if (alive === 'no') notes.push({ code: 'owner-gone', facts });
  }
  // measured on 1.34 to 1.37: an explicit policy replaces both policy finalizers, preset ones too
  if (
    target.finalizers.includes('foregroundDeletion') &&
    target.deletingSince === undefined &&
    options.propagation === 'Background'
  ) {
    notes.push({ code: 'foreground-overridden', facts: { object } });
  }
  return notes;
}

function contentNotes(snapshot: DeleteSnapshot): Note[] {
  return snapshot.contents
    .filter(content => content.count > 0)
    .map(({ of, resource, count }) => ({ code: 'namespace-contents', facts: { of, resource, count } }));
}

function orphanNotes(targets: readonly ObjectMeta[], options: DeleteOptions, shown: readonly Fate[]): Note[] {
  if (options.propagation !== 'Orphan') {
    const running = shown.filter(
      ({ looked, goes }) => goes && looked.as === 'job' && isWorking(looked.object.state),
    ).length;
    const jobs = shown.filter(({ looked, goes }) => goes && looked.as === 'job').length;
    return running === 0 ? [] : [{ code: 'orphan-instead', facts: { running, jobs } }];
  }
  const podsUnder = Map.groupBy(
    shown.filter(({ looked }) => looked.as === 'pod'),
    ({ under }) => under,
  );
  return targets.flatMap(target => {
    const pods = podsUnder.get(target.ref.uid)?.length ?? 0;
    if (pods === 0) return [];
    return [
      {
        code: 'orphaned-pods' as const,
        facts: { pods, uid: target.ref.uid, namespace: target.ref.namespace ?? '' },
      },
    ];
  });
}
