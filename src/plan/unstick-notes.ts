// What `unstick` says besides its verdicts, and what makes it more than a yes-or-no question.
import type { FinalizerAction } from '../model/finalizer-action.ts';
import { type Hold, restsOnAbsence } from '../model/hold.ts';
import { resourceName } from '../model/kind.ts';
import { knownFinalizer } from '../model/known-finalizers.ts';
import type { ObjectMeta } from '../model/object.ts';
import type { UnstickOptions } from '../model/options.ts';
import type { Danger } from '../model/plan.ts';
import { label } from '../model/ref.ts';
import type { Unreadable } from '../model/snapshot.ts';
import type { UnstickSnapshot } from '../model/unstick-snapshot.ts';
import type { Note } from '../model/why.ts';
import { uidOf } from './causes/case.ts';
import type { Diagnosed } from './diagnose.ts';
import { manyObjects } from './guards.ts';
import { overrideNotes } from './overrides.ts';
import { unreadableNote } from './unreadable-note.ts';

export function unstickNotes(
  snapshot: UnstickSnapshot,
  diagnosed: readonly Diagnosed[],
  actions: readonly FinalizerAction[],
  options: UnstickOptions,
): Note[] {
  const acting = new Set(actions.map(({ target }) => target.uid));
  const freed = diagnosed.map(({ at }) => at.looked.object).filter(({ ref }) => acting.has(ref.uid));
  return [
    // whoever deleted a hook meant it: hooks are freed as they are
    ...overrideNotes(options, { includeHooks: true }, { targets: freed }),
    ...managers(freed),
    ...actors(diagnosed),
    ...snapshot.evidence.silentWebhooks.map(
      ({ configuration, name, service, about }): Note => ({
        code: 'webhook-cannot-be-called',
        facts: { configuration, name, service, count: about.length },
      }),
    ),
    ...(snapshot.evidence.collectorBlockers ?? []).map(
      ({ object, reason }): Note => ({ code: 'collector-blocked', facts: { object, reason } }),
    ),
    ...snapshot.otherVersions.map(
      ({ definition, failed, used, conversion, problem }): Note => ({
        code: 'other-version',
        facts: { definition, failed, used: used ?? '', conversion, problem: problem.text },
      }),
    ),
    ...snapshot.liveWith.map((live): Note => ({ code: 'live-with-finalizer', facts: { ...live } })),
    ...nowhere(diagnosed, options),
    ...abandoned(actions, snapshot),
    ...snapshot.silentGroups.map(
      ({ group, problem }): Note => ({ code: 'silent-group', facts: { group, problem: problem.text } }),
    ),
    ...unreadNotes([...snapshot.unreadable, ...snapshot.unreadableEvidence]),
  ];
}

const fewEnoughForALineEach = 3;

/** Somebody with few rights may read hardly any kind: that is one line, not sixty. */
function unreadNotes(unreadable: readonly Unreadable[]): Note[] {
  const groups = Map.groupBy(unreadable, ({ problem, namespace }) => `${problem.code} ${namespace ?? ''}`);
  return [...groups.values()].flatMap(group => {
    const [first] = group;
    if (first === undefined || group.length <= fewEnoughForALineEach) return group.map(unreadableNote);
    const kinds = group.map(({ kind }) => resourceName(kind)).join(', ');
    const facts = {
      count: group.length,
      kinds,
      namespace: first.namespace ?? '',
      problem: first.problem.text,
    };
    return [{ code: 'unreadable-kinds', facts }];
  });
}

function managers(freed: readonly ObjectMeta[]): Note[] {
  return freed.flatMap(({ ref, managers: others }) =>
    others.map(
      ({ tool, name }): Note => ({
        code: 'managed-elsewhere',
        facts: { object: label(ref), tool, name, only: '' },
      }),
    ),
  );
}

/** Controllers that would carry out what is pending, once somebody installs them again: each is said once. */
function actors(diagnosed: readonly Diagnosed[]): Note[] {
  const gone = diagnosed.flatMap(({ holds }) => holds.filter(({ cause }) => restsOnAbsence.has(cause)));
  const byFinalizer = Map.groupBy(
    // of one that nobody knows, the worst has to be expected
    gone.filter(({ finalizer }) => knownFinalizer(finalizer)?.actsOnReturn !== false),
    ({ finalizer }) => finalizer,
  );
  return [...byFinalizer].map(([finalizer, { length }]) => ({
    code: 'acts-on-return',
    facts: { finalizer, count: length, known: knownFinalizer(finalizer)?.id ?? '' },
  }));
}

/** A name that was given and that nothing here carries is likely a slip of the pen. */
function nowhere(diagnosed: readonly Diagnosed[], options: UnstickOptions): Note[] {
  const there = new Set(
    diagnosed.flatMap(({ at, holds }) => [
      ...at.looked.object.finalizers,
      ...holds.map(({ finalizer }) => finalizer),
    ]),
  );
  return options.finalizers
    .filter(finalizer => !there.has(finalizer))
    .map(finalizer => ({ code: 'finalizer-nowhere', facts: { finalizer } }));
}

function abandoned(actions: readonly FinalizerAction[], snapshot: UnstickSnapshot): Note[] {
  return actions
    .filter(({ where }) => where === 'spec')
    .map(({ target }) => {
      const inside = snapshot.inside.get(target.uid);
      const resources = (inside?.counts ?? [])
        .map(({ resource, count }) => `${count} ${resource}`)
        .join(', ');
      return {
        code: 'abandoned-contents',
        facts: { namespace: target.name, resources, whole: inside?.whole === true ? 'yes' : 'no' },
      };
    });
}

export function unstickDangers(
  diagnosed: readonly Diagnosed[],
  actions: readonly FinalizerAction[],
): Danger[] {
  const byUid = new Map(diagnosed.map(({ at, holds }) => [uidOf(at.looked), holds]));
  const removed = actions.flatMap(({ target, where, remove }) =>
    (byUid.get(target.uid) ?? []).filter(
      (hold: Hold) => hold.where === where && remove.includes(hold.finalizer),
    ),
  );
  const finalized = actions.some(({ where }) => where === 'spec');
  const found: [Danger, boolean][] = [
    ['running-work', removed.some(({ facts }) => facts['runningJobs'] !== undefined)],
    ['orphans', removed.some(({ cause }) => cause === 'orphaning')],
    ['outside-left', removed.some(({ loss, cause }) => loss === 'outside' && cause !== 'orphaning')],
    ['data-lost', removed.some(({ loss, where }) => loss === 'data' && where === 'metadata')],
    ['abandons-contents', finalized],
    ['many-objects', new Set(actions.map(({ target }) => target.uid)).size > manyObjects],
  ];
  return found.filter(([, there]) => there).map(([danger]) => danger);
}
