// `foregroundDeletion` and `orphan`: the garbage collector removes them when it has dealt with the dependents, found by owner uid.
// Source: pkg/controller/garbagecollector (processDeletingDependentsItem, orphanDependents).
import { resourceName } from '../../model/kind.ts';
import { isCollectors } from '../../model/object.ts';
import { label } from '../../model/ref.ts';
import { type Case, type Diagnosis, isWholeBelow, uidOf } from './case.ts';

const shownNames = 5;

export const diagnoseCollector: Diagnosis = (finalizer, at) => {
  if (!isCollectors(finalizer)) return undefined;
  const { object } = at.looked;
  const below =
    finalizer === 'orphan'
      ? at.dependents
      : // foreground waits for those alone that ask to be waited for
        at.dependents.filter(looked =>
          looked.object.owners.some(owner => owner.uid === object.ref.uid && owner.blocking),
        );
  const hold = { finalizer, where: 'metadata' } as const;
  if (below.length > 0) {
    const names = below.slice(0, shownNames).map(looked => label(looked.object.ref));
    const facts = { count: below.length, names: names.join(', '), namespace: object.ref.namespace ?? '' };
    return finalizer === 'orphan'
      ? { ...hold, cause: 'orphaning', facts, loss: 'outside', allowance: 'only-named', waitsFor: [] }
      : // without it the object would go first, and what waits for its own end would be nobody's
        {
          ...hold,
          cause: 'dependents-block',
          facts,
          loss: 'outside',
          allowance: 'never',
          waitsFor: below.map(uidOf),
        };
  }
  if (!isWholeBelow(object, at)) {
    const facts = { kinds: unreadKinds(at) };
    return {
      ...hold,
      cause: 'dependents-unknown',
      facts,
      loss: 'outside',
      allowance: 'only-named',
      waitsFor: [],
    };
  }
  return { ...hold, cause: 'dependents-gone', facts: {}, loss: 'nothing', allowance: 'proven', waitsFor: [] };
};

function unreadKinds({ snapshot }: Case): string {
  const unread = snapshot.unreadable.map(({ kind }) => resourceName(kind));
  const silent = snapshot.silentGroups.map(({ group }) => `everything of ${group}`);
  const all = [...new Set([...unread, ...silent])];
  return all.length > shownNames
    ? `${all.slice(0, shownNames).join(', ')} and ${all.length - shownNames} more`
    : all.join(', ');
}
