// API objects → model nouns: metadata. Fields may be missing or of the wrong type; only a name and a uid are indispensable.
import { given } from '../model/given.ts';
import { isJobKind, isPodKind, type Kind } from '../model/kind.ts';
import { memoryKey, readMemory } from '../model/memory.ts';
import type { ObjectMeta, OwnerReference, Writer } from '../model/object.ts';
import { type Mark, managersOf, marksOf } from '../model/protection.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
/** The object that a body holds; undefined: it is no JSON. */
export function fieldsIn(body: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(body));
  } catch {
    return undefined;
  }
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

export function dateOf(value: unknown): Date | undefined {
  const text = textOf(value);
  const date = text === undefined ? undefined : new Date(text);
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}

export function textsOf(value: unknown): Readonly<Record<string, string | undefined>> {
  return fieldsOf(value) as Record<string, string | undefined>;
}

/** Throws when the answer is no object at all: a rule that needs the whole must not go on without one of its parts. */
export function toObjectMeta(kind: Kind, item: unknown): ObjectMeta {
  const metadata = fieldsOf(fieldsOf(item)['metadata']);
  const name = textOf(metadata['name']);
  const uid = textOf(metadata['uid']);
  if (name === undefined || uid === undefined)
    throw new Error(`the server sent a ${kind.kind} without a name or a uid`);
  const labels = textsOf(metadata['labels']);
  const annotations = textsOf(metadata['annotations']);
  const graceSeconds = numberOf(metadata['deletionGracePeriodSeconds']);
  return {
    ref: {
      kind,
      ...given({ namespace: kind.namespaced ? textOf(metadata['namespace']) : undefined }),
      name,
      uid,
      resourceVersion: textOf(metadata['resourceVersion']) ?? '',
    },
    createdAt: dateOf(metadata['creationTimestamp']) ?? new Date(0),
    ...deleting(metadata, graceSeconds),
    finalizers: listOf(metadata['finalizers']).filter(name => typeof name === 'string'),
    owners: listOf(metadata['ownerReferences']).map(toOwner),
    marks: [...marksOf(labels, annotations), ...evidenceMark(kind, annotations[memoryKey], uid)],
    managers: managersOf(labels, annotations, textOf(fieldsOf(fieldsOf(item)['spec'])['managedBy'])),
  };
}

/** What a stop kept stays; a note that cannot be read may be one of a newer version. On a CronJob it says only that it is suspended. */
function evidenceMark(kind: Kind, note: string | undefined, uid: string): Mark[] {
  if (note === undefined || !(isJobKind(kind) || isPodKind(kind))) return [];
  const { state } = readMemory(note, uid);
  return state === 'remembered' || state === 'unreadable' ? ['jobctl-stopped'] : [];
}

/** The server writes the end of the grace period into deletionTimestamp; since when it is deleting is that less the grace. */
function deleting(metadata: Fields, graceSeconds: number | undefined) {
  const end = dateOf(metadata['deletionTimestamp']);
  if (end === undefined) return {};
  const deletingSince = new Date(end.getTime() - (graceSeconds ?? 0) * 1000);
  const writers = listOf(metadata['managedFields']).map(fieldsOf).map(toWriter);
  return { deletingSince, ...given({ deletionGraceSeconds: graceSeconds }), writers };
}

function toWriter(entry: Fields): Writer {
  const written = fieldsOf(fieldsOf(fieldsOf(entry['fieldsV1'])['f:metadata'])['f:finalizers']);
  // an element of a set is written `v:"its value"`
  const finalizers = Object.keys(written).flatMap(key => /^v:"(.*)"$/.exec(key)?.[1] ?? []);
  return { manager: textOf(entry['manager']) ?? '', ...given({ at: dateOf(entry['time']) }), finalizers };
}

function toOwner(value: unknown): OwnerReference {
  const owner = fieldsOf(value);
  const apiVersion = textOf(owner['apiVersion']) ?? '';
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/', 2) : ['', apiVersion];
  return {
    group: group ?? '',
    version: version ?? '',
    kind: textOf(owner['kind']) ?? '',
    name: textOf(owner['name']) ?? '',
    uid: textOf(owner['uid']) ?? '',
    controller: owner['controller'] === true,
    blocking: owner['blockOwnerDeletion'] === true,
  };
}
