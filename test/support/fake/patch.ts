// PATCH of one object: JSON merge patch, with the checks that finalizer patches meet on a real server (compared with 1.37.2).
import { type Answer, type Cause, failure, invalid, json, modified } from './answer.ts';
import { isHeld } from './delete.ts';
import {
  type Fields,
  fieldsOf,
  finalizersOf,
  isTerminating,
  type RawObject,
  withMetadata,
} from './object.ts';
import type { Store, Stored } from './store.ts';
import { written } from './written.ts';

export interface PatchRequest {
  readonly contentType: string;
  readonly body: unknown;
  readonly isDryRun: boolean;
  /** The status subresource takes the status only; the object itself takes everything else. */
  readonly isStatus: boolean;
}

const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';

export function patchStored(store: Store, stored: Stored, request: PatchRequest): Answer {
  const { kind, object } = stored;
  const isStrategic = request.contentType === strategicPatch && !kind.isCustom;
  if (request.contentType !== mergePatch && !isStrategic) {
    return failure({ status: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type' });
  }
  const patch = fieldsOf(request.body);
  const asked = fieldsOf(patch['metadata']);
  const version = asked['resourceVersion'];
  if (version !== undefined && version !== object.metadata.resourceVersion)
    return modified(kind, object.metadata.name);
  const after = patched(object, patch, { isStrategic, isStatus: request.isStatus });
  const causes = refusals(stored, after, asked['uid']);
  if (causes.length > 0) return invalid(kind, object.metadata.name, causes);
  return json(200, written(keep(store, stored, after, request.isDryRun), '', 'object'));
}

/** An object that is terminating goes with its last finalizer; a patch that changes nothing writes nothing. */
function keep(store: Store, stored: Stored, after: RawObject, isDryRun: boolean): Stored {
  const made = { ...stored, object: after };
  if (isDryRun || JSON.stringify(after) === JSON.stringify(stored.object)) return made;
  if (!isTerminating(after) || isHeld(after)) return store.put(made);
  store.remove(made);
  return made;
}

function patched(
  object: RawObject,
  patch: Fields,
  how: { readonly isStrategic: boolean; readonly isStatus: boolean },
): RawObject {
  const { status, ...rest } = patch;
  const merged = merge(object, how.isStatus ? { status } : rest) as RawObject;
  // a strategic patch adds to the list and takes nothing away: `[]` changes nothing
  const finalizers = how.isStrategic
    ? [...new Set([...finalizersOf(object), ...finalizersOf(merged)])]
    : finalizersOf(merged);
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return withMetadata(merged, { name, namespace, uid, resourceVersion, finalizers });
}

/** RFC 7386. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = { ...fieldsOf(target) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = merge(result[key], value);
  }
  return result;
}

function refusals({ kind, object }: Stored, after: RawObject, uid: unknown): Cause[] {
  const added = finalizersOf(after).filter(name => !finalizersOf(object).includes(name));
  const causes: Cause[] = [];
  if (uid !== undefined && uid !== object.metadata.uid) {
    const message = `Invalid value: "${uid}": field is immutable`;
    causes.push({ field: 'metadata.uid', reason: 'FieldValueInvalid', message });
  }
  if (isTerminating(object) && added.length > 0) {
    const names = added.map(name => `"${name}"`).join(', ');
    const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${names}}`;
    causes.push({ field: 'metadata.finalizers', reason: 'FieldValueForbidden', message });
  }
  if (!kind.isCustom) causes.push(...unqualified(finalizersOf(after)));
  return causes;
}

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

const unqualified = (names: readonly string[]): Cause[] =>
  [...names.entries()]
    .filter(([, name]) => !name.includes('/') && !standard.has(name))
    .map(([at, name]) => ({
      field: `metadata.finalizers[${at}]`,
      reason: 'FieldValueInvalid',
      message: `Invalid value: "${name}": name is neither a standard finalizer name nor is it fully qualified`,
    }));
