// Invalid owner references (D06, D15, D16): the owner is not in the namespace of what names it, so that the garbage collector takes it
// for absent. It deletes what has no other owner, and drops the reference of what has one. Source: pkg/controller/garbagecollector,
// attemptToDeleteItem. Only of kinds that were read whole; what is not known is not told.
import { given } from '../../model/given.ts';
import { isJobKind, isPodKind, kindName } from '../../model/kind.ts';
import { isTerminating, type ObjectMeta, type OwnerReference } from '../../model/object.ts';
import { label } from '../../model/ref.ts';
import { groupKind } from '../../model/snapshot.ts';
import type { NextCommand, StatusFinding } from '../../model/status.ts';
import { collectorHasHadMs } from '../leaked.ts';
import { type About, isKept, placeOf, presenceOf } from './about.ts';
import { jobctl, kubectl, typed } from './next.ts';

export function ownerFindings(about: About): StatusFinding[] {
  const { sources, jobs, pods } = about.snapshot;
  const invalid = [...sources, ...jobs, ...pods]
    .filter(object => !isTerminating(object))
    .flatMap(object => invalidIn(object, about));
  const taken = invalid.filter(({ is, beside }) => is === 'gone' && beside === undefined);
  return [
    ...invalid
      .filter(one => one.is === 'elsewhere' || one.beside !== undefined)
      .map(one => alone(one, about)),
    ...goneFindings(taken, about),
  ];
}

interface Invalid {
  readonly object: ObjectMeta;
  readonly owner: OwnerReference;
  /** Its place in the list. */
  readonly at: number;
  readonly is: 'gone' | 'elsewhere';
  /** Another owner, which is there or may be: while it is, the collector does no more than drop the reference. */
  readonly beside?: OwnerReference;
}

function invalidIn(object: ObjectMeta, about: About): Invalid[] {
  const judged = object.owners.map((owner, at) => ({ owner, at, is: presenceOf(owner, object, about) }));
  const beside = judged.find(({ is }) => is === 'there' || is === 'unknown')?.owner;
  const invalid = judged.flatMap(({ owner, at, is }): Invalid[] =>
    is === 'elsewhere' || (is === 'gone' && !isToldAsLeak(object, owner))
      ? [{ object, owner, at, is, ...given({ beside }) }]
      : [],
  );
  // what will be deleted will be so once
  return beside === undefined ? invalid.slice(0, 1) : invalid;
}

/** A Pod whose Job is gone is leaked, or the collector's next one. */
const isToldAsLeak = (object: ObjectMeta, owner: OwnerReference): boolean =>
  isPodKind(object.ref.kind) && isJobKind(owner);

const nameOf = (owner: OwnerReference): string => `${kindName(owner)}/${owner.name}`;

function alone(one: Invalid, { byUid }: About): StatusFinding {
  const { object, owner, beside } = one;
  const elsewhere = byUid.get(owner.uid)?.ref.namespace;
  return {
    code: one.is === 'elsewhere' ? 'owner-in-other-namespace' : 'owner-gone',
    namespace: placeOf(object),
    needs: beside === undefined,
    targets: [object.ref],
    facts: {
      ...(one.is === 'gone' ? { count: 1, object: label(object.ref) } : {}),
      owner: nameOf(owner),
      uid: owner.uid,
      ...given({ other: elsewhere, beside: beside && nameOf(beside) }),
    },
    next: [withoutReference(one)],
  };
}

/** All of one dead owner are one finding; those that the collector should have taken long ago are another. */
function goneFindings(invalid: readonly Invalid[], about: About): StatusFinding[] {
  const namesakes = namesakesOf(about);
  const dated = invalid.map(one => ({ ...one, sinceMs: goneSinceMs(one, namesakes, about) }));
  const groups = Map.groupBy(dated, ({ object, owner, sinceMs }) =>
    [placeOf(object), owner.uid, sinceMs >= collectorHasHadMs].join(' '),
  );
  return [...groups.values()].flatMap(all => {
    const [one] = all;
    if (one === undefined) return [];
    const namespace = placeOf(one.object);
    const isOverdue = one.sinceMs >= collectorHasHadMs;
    const kinds = new Set(all.map(({ object }) => object.ref.kind.kind));
    return {
      code: 'owner-gone' as const,
      namespace,
      needs: isOverdue,
      targets: all.map(({ object }) => object.ref),
      facts: {
        count: all.length,
        kind: kinds.size === 1 ? one.object.ref.kind.kind : 'object',
        object: label(one.object.ref),
        owner: nameOf(one.owner),
        uid: one.owner.uid,
        ...(isOverdue ? { sinceMs: Math.min(...all.map(({ sinceMs }) => sinceMs)) } : {}),
      },
      // what is about to be taken is waited for: a patch would orphan what somebody deletes on purpose
      next: isOverdue ? overdueNext(all) : [jobctl(namespace, 'status', '--watch')],
    };
  });
}

/** A line that nobody can read helps nobody: the same command takes the next ones. */
const namedAtOnce = 10;

function overdueNext(all: readonly Invalid[]): NextCommand[] {
  const names = all.filter(({ object }) => !isKept(object)).map(({ object }) => typed(object.ref));
  const patches = all.slice(0, 1).map(withoutReference);
  const [one] = all;
  return one === undefined || names.length === 0
    ? patches
    : [jobctl(placeOf(one.object), 'delete', ...names.slice(0, namedAtOnce)), ...patches];
}

const nameKey = (kind: { readonly group: string; readonly kind: string }, place: string, name: string) =>
  `${groupKind(kind)} ${place}/${name}`;

const namesakesOf = ({ byUid }: About): ReadonlyMap<string, ObjectMeta> =>
  new Map(
    [...byUid.values()].map(object => [nameKey(object.ref.kind, placeOf(object), object.ref.name), object]),
  );

/**
 * For how long the collector has had it before it, at least. Nothing on an object tells when its owner went; where another one has taken
 * the owner's name, that was before. 0: not known, it may have been just now.
 */
function goneSinceMs({ object, owner }: Invalid, namesakes: ReadonlyMap<string, ObjectMeta>, about: About) {
  const namesake = namesakes.get(nameKey(owner, placeOf(object), owner.name));
  if (namesake === undefined) return 0;
  return Math.min(about.since(namesake.createdAt), about.since(object.createdAt));
}

/** The uid is tested, so that the patch takes no other reference away than the one that was looked at. */
function withoutReference({ object, owner, at }: Invalid): NextCommand {
  const path = `/metadata/ownerReferences/${at}`;
  const patch = [
    { op: 'test', path: `${path}/uid`, value: owner.uid },
    { op: 'remove', path },
  ];
  return kubectl(placeOf(object), 'patch', typed(object.ref), '--type=json', '-p', JSON.stringify(patch));
}
