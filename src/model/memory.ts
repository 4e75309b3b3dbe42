// The note that `stop` leaves on what it changed, and that `resume` gives back from: one annotation per object, with its version.

/** The annotation. Bound to the object's uid: KEDA copies a ScaledJob's annotations to the Jobs that it makes. */
export const memoryKey = 'jobctl/stopped';

export type Value = string | number | boolean | null;

/** One field, as a JSON pointer (RFC 6901): `/spec/suspend`. `null` is a field that is not there. */
export interface Change {
  readonly path: string;
  readonly was: Value;
  readonly set: Value;
}

export interface Memory {
  readonly uid: string;
  /** When the first stop wrote it; later ones add to it and overwrite nothing. */
  readonly at: Date;
  /** As the server knows the user. */
  readonly by: string;
  readonly reason?: string;
  readonly changes: readonly Change[];
}

/** What is found where the annotation should be. */
export type Remembered =
  | { readonly state: 'none' }
  | { readonly state: 'remembered'; readonly memory: Memory }
  /** Of another object (copied), or not to be read: written by a newer version, or by hand. */
  | { readonly state: 'foreign' | 'unreadable' };

const format = 1;

/** Never throws: an annotation is text that anybody may write. */
export function readMemory(text: string | undefined, uid: string): Remembered {
  if (text === undefined) return { state: 'none' };
  try {
    const { v, uid: of, at, by, reason, changes } = JSON.parse(text);
    const since = new Date(at);
    const isWhole = v === format && typeof by === 'string' && !Number.isNaN(since.getTime());
    if (!isWhole || typeof of !== 'string' || !Array.isArray(changes) || !changes.every(isChange))
      return { state: 'unreadable' };
    if (of !== uid) return { state: 'foreign' };
    const why = typeof reason === 'string' ? { reason } : {};
    return { state: 'remembered', memory: { uid, at: since, by, ...why, changes: changes.map(toChange) } };
  } catch {
    return { state: 'unreadable' };
  }
}

export function writeMemory({ uid, at, by, reason, changes }: Memory): string {
  return JSON.stringify({ v: format, uid, at: at.toISOString(), by, reason, changes });
}

const isValue = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

function isChange(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { path, was, set } = entry as Record<string, unknown>;
  return typeof path === 'string' && path.startsWith('/') && isValue(was) && isValue(set);
}

const toChange = ({ path, was, set }: Change): Change => ({ path, was, set });

/** The first memory stays: what was remembered keeps its `was`, and only what is set is as it is now. */
export function addToMemory(first: Remembered, now: Memory): Memory {
  if (first.state !== 'remembered') return now;
  const known = new Map(first.memory.changes.map(change => [change.path, change]));
  for (const change of now.changes) {
    const before = known.get(change.path);
    // a field that was not there is remembered as null, and that stays too
    known.set(change.path, before === undefined ? change : { ...change, was: before.was });
  }
  return { ...first.memory, changes: [...known.values()] };
}

/** The merge patch that makes these changes and remembers them in the same write. */
export function patchOf(changes: readonly Change[], note: string | null): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  put(patch, ['metadata', 'annotations', memoryKey], note);
  for (const { path, set } of changes) put(patch, stepsOf(path), set);
  return patch;
}

const stepsOf = (path: string): string[] =>
  path
    .slice(1)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** `autoscaling.keda.sh/paused` as one step of a pointer. */
export const pointer = (...steps: readonly string[]): string =>
  steps.map(step => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function put(into: Record<string, unknown>, steps: readonly string[], value: Value): void {
  const [step = '', ...rest] = steps;
  if (rest.length === 0) {
    into[step] = value;
    return;
  }
  const below = (into[step] ?? {}) as Record<string, unknown>;
  into[step] = below;
  put(below, rest, value);
}
