// The rule of the wait: which dependents may be deleted now, what is still there, and why. Pure; `execute/settle.ts` reads and acts.
import type { DeleteAction } from '../model/delete-action.ts';
import type { Left } from '../model/event.ts';
import { isPodKind } from '../model/kind.ts';
import { graceLeftSeconds, isCollectors, isTerminating, type ObjectMeta } from '../model/object.ts';
import type { Dependent, Settle } from '../model/plan.ts';
import type { Ref } from '../model/ref.ts';
import type { Present, Sent, Step } from '../model/settling.ts';

export function settleStep(settle: Settle, present: Present, sent: Sent, now: Date): Step {
  const staying = stayingWith(settle.dependents, sent.failed);
  const deletes: DeleteAction[] = [];
  const left: Left[] = [];
  const gone: Ref[] = [];
  const watched = [
    ...settle.targets.map(target => ({ target, dependent: undefined })),
    ...settle.dependents.map(toWatched),
  ].filter(({ target }) => !staying.has(target.uid));
  for (const { target, dependent } of watched) {
    const object = present.objects.get(target.uid);
    if (present.unknown.has(target.uid)) left.push({ target, code: 'unreadable', facts: {} });
    else if (object === undefined) gone.push(target);
    else if (isOrphaned(object, dependent)) continue;
    else if (dependent !== undefined && mayGo(dependent, object, present, sent)) {
      deletes.push({ target: object.ref, propagation: 'Background', pin: 'version' });
      left.push({ target, code: 'about-to-be-deleted', facts: {} });
    } else left.push(whyLeft(object, present, now));
  }
  return {
    deletes,
    gone,
    left: [...left, ...appeared(settle, present, staying).map(object => whyLeft(object, present, now))],
  };
}

/** It lost every owner since it was shown: somebody orphaned it, and nobody asked for its end. */
const isOrphaned = (object: ObjectMeta, dependent: Dependent | undefined): boolean =>
  dependent !== undefined && isLetGo(object);

const isLetGo = (object: ObjectMeta): boolean => object.owners.length === 0 && !isTerminating(object);

/** What was never shown and is there now; not what belongs to something that stays. */
function appeared(settle: Settle, present: Present, staying: ReadonlySet<string>): ObjectMeta[] {
  const known = new Set(
    [...settle.targets, ...settle.dependents.map(({ target }) => target)].map(ref => ref.uid),
  );
  return [...present.objects.values()].filter(
    object =>
      !known.has(object.ref.uid) && !isLetGo(object) && !object.owners.some(owner => staying.has(owner.uid)),
  );
}

const toWatched = (dependent: Dependent) => ({ target: dependent.target, dependent });

/** A dependent is ours to delete once every owner of it is gone, and only at the version that was just looked at. */
function mayGo(dependent: Dependent, object: ObjectMeta, present: Present, sent: Sent): boolean {
  if (dependent.by !== 'us' || isTerminating(object) || sent.failed.has(object.ref.uid)) return false;
  if (sent.versions.get(object.ref.uid) === object.ref.resourceVersion) return false;
  const expected = new Set(dependent.owners);
  return object.owners.every(owner => expected.has(owner.uid) && isGone(owner.uid, present));
}

const isGone = (uid: string, present: Present): boolean =>
  !present.objects.has(uid) && !present.unknown.has(uid);

/** What will stay because something it belongs to stays: waiting for it would never end. */
function stayingWith(dependents: readonly Dependent[], failed: ReadonlySet<string>): Set<string> {
  const staying = new Set(failed);
  for (let before = -1; before !== staying.size; ) {
    before = staying.size;
    for (const { target, owners } of dependents)
      if (owners.some(owner => staying.has(owner))) staying.add(target.uid);
  }
  return staying;
}

function whyLeft(object: ObjectMeta, present: Present, now: Date): Left {
  const target = object.ref;
  if (!isTerminating(object)) {
    const ownersGone = object.owners.length > 0 && object.owners.every(owner => isGone(owner.uid, present));
    return { target, code: ownersGone ? 'waits-for-collector' : 'about-to-be-deleted', facts: {} };
  }
  const foreign = object.finalizers.filter(name => !isCollectors(name));
  if (foreign.length > 0)
    return { target, code: 'held-by-finalizers', facts: { finalizers: object.finalizers.join(', ') } };
  if (object.finalizers.length > 0) {
    return { target, code: 'waits-for-dependents', facts: { finalizers: object.finalizers.join(', ') } };
  }
  if (!isPodKind(target.kind)) return { target, code: 'waits-for-contents', facts: {} };
  const seconds = graceLeftSeconds(object, now) ?? 0;
  return seconds > 0
    ? { target, code: 'in-grace', facts: { seconds, of: object.deletionGraceSeconds ?? 0 } }
    : { target, code: 'past-grace', facts: { seconds: -seconds } };
}

export const fiveMinutesMs = 300_000;
const afterGraceMs = 60_000;
/** The collector takes 20 objects a second when it has nothing else to do (measured on 1.34 to 1.37); it is given twice the time. */
const collectorMs = 100;

/** Five minutes, or a minute more than the longest grace period that the plan has seen; more where the collector has much to do. */
export function settleTimeoutMs(graceSeconds: readonly number[], dependents: readonly Dependent[]): number {
  const collected = dependents.filter(dependent => dependent.by === 'collector').length;
  return (
    Math.max(
      fiveMinutesMs,
      graceSeconds.reduce((most, grace) => Math.max(most, grace), 0) * 1000 + afterGraceMs,
    ) +
    collected * collectorMs
  );
}
