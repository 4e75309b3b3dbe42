// DELETE of one object. Source: staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go and generic/registry/store.go;
// the answers were compared with those of 1.37.2.
import { apiTime } from '../time.ts';
import { type Answer, json, preconditionFailed } from './answer.ts';
import type { DeleteOptions } from './delete-options.ts';
import { fieldsOf, finalizersOf, isTerminating, type RawObject, withMetadata } from './object.ts';
import type { Store, Stored } from './store.ts';
import { written } from './written.ts';

/** The two finalizers that stand for a policy. */
const ofPolicy: Readonly<Record<string, readonly string[]>> = {
  Foreground: ['foregroundDeletion'],
  Orphan: ['orphan'],
  Background: [],
};

/** Kinds whose DELETE answers with the object even when it is gone. */
const answersWithObject = new Set(['Pod', 'PersistentVolumeClaim', 'ServiceAccount', 'Namespace']);

const isJob = ({ kind }: Stored): boolean => kind.group === 'batch' && kind.kind === 'Job';

/** Since 1.36 or so; it goes with a 404 as well. */
export const orphanWarning =
  '299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"';

export function deleteStored(store: Store, stored: Stored, options: DeleteOptions, now: Date): Answer {
  const conflict = checkPreconditions(stored, options);
  if (conflict !== undefined) return conflict;
  const object = isTerminating(stored.object) ? again(stored, options, now) : begun(stored, options, now);
  const after = { ...stored, object };
  if (isHeld(object)) {
    const isUnchanged = JSON.stringify(object) === JSON.stringify(stored.object);
    return json(200, written(options.isDryRun || isUnchanged ? after : store.put(after), '', 'object'));
  }
  if (!options.isDryRun) store.remove(after);
  return json(200, answersWithObject.has(stored.kind.kind) ? written(after, '', 'object') : success(stored));
}

function checkPreconditions(
  { kind, object }: Stored,
  { uid, resourceVersion }: DeleteOptions,
): Answer | undefined {
  const { metadata } = object;
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    return preconditionFailed(kind, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    return preconditionFailed(kind, metadata.name, why);
  }
  return undefined;
}

function begun(stored: Stored, options: DeleteOptions, now: Date): RawObject {
  const graceSeconds = graceOf(stored, options);
  return withMetadata(stored.object, {
    ...ending(graceSeconds, now),
    generation: (stored.object.metadata.generation ?? 1) + 1,
    finalizers: finalizersFor(stored, options),
  });
}

const ending = (graceSeconds: number, now: Date) => ({
  deletionTimestamp: apiTime(new Date(now.getTime() + graceSeconds * 1000)),
  deletionGracePeriodSeconds: graceSeconds,
});

/**
 * A further delete of what is terminating says anew what happens to dependents: Background frees an object that waits under
 * Foreground. Not while a grace period is running, which can only be shortened.
 */
function again(stored: Stored, options: DeleteOptions, now: Date): RawObject {
  const running = stored.object.metadata.deletionGracePeriodSeconds ?? 0;
  const finalizers = finalizersFor(stored, options);
  if (running === 0) return withMetadata(stored.object, { finalizers });
  const { graceSeconds } = options;
  if (graceSeconds === undefined || graceSeconds >= running) return stored.object;
  return withMetadata(stored.object, { ...ending(graceSeconds, now), finalizers });
}

function finalizersFor(stored: Stored, options: DeleteOptions): readonly string[] {
  const others = finalizersOf(stored.object).filter(
    name => name !== 'orphan' && name !== 'foregroundDeletion',
  );
  return [...others, ...(ofPolicy[policyOf(stored, options)] ?? [])];
}

/** What was asked for; else what a finalizer set beforehand says; else the kind's default. */
function policyOf(stored: Stored, options: DeleteOptions): string {
  if (options.policy !== undefined) return options.policy;
  const preset = finalizersOf(stored.object);
  if (preset.includes('orphan')) return 'Orphan';
  if (preset.includes('foregroundDeletion')) return 'Foreground';
  return isJob(stored) ? 'Orphan' : 'Background';
}

/** Only a Pod that is bound to a node and has not ended gets time. Source: pkg/registry/core/pod/strategy.go, CheckGracefulDelete. */
function graceOf({ kind, object }: Stored, { graceSeconds }: DeleteOptions): number {
  const phase = fieldsOf(object.status)['phase'];
  const isBound = kind.kind === 'Pod' && fieldsOf(object.spec)['nodeName'] !== undefined;
  if (!isBound || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = fieldsOf(object.spec)['terminationGracePeriodSeconds'];
  const wanted = graceSeconds ?? (typeof own === 'number' ? own : 30);
  return wanted < 0 ? 1 : wanted;
}

export const isHeld = (object: RawObject): boolean =>
  finalizersOf(object).length > 0 || (object.metadata.deletionGracePeriodSeconds ?? 0) > 0;

const success = ({ kind, object: { metadata } }: Stored) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: {
    name: metadata.name,
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.resource,
    uid: metadata.uid,
  },
});
