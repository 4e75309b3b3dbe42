// Label and field selectors, as far as kubectl's users write them.
import { fieldsOf, type RawObject } from './object.ts';

export type Matcher = (object: RawObject) => boolean;
type Labels = Readonly<Record<string, string>>;

/** Splits at commas that are not inside `in (a, b)`. */
const partsOf = (selector: string): string[] =>
  selector
    .split(/,(?![^(]*\))/)
    .map(part => part.trim())
    .filter(part => part !== '');

function requirement(part: string): (labels: Labels) => boolean {
  const [, setKey, operator, values] = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(part) ?? [];
  if (setKey !== undefined) {
    const listed = (values ?? '').split(',').map(value => value.trim());
    const isIn = (labels: Labels) => listed.includes(labels[setKey] ?? '') && labels[setKey] !== undefined;
    return operator === 'in' ? isIn : labels => !isIn(labels);
  }
  const [, key = '', sign, value] = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(part) ?? [];
  if (sign !== undefined) return labels => (labels[key] === value) === (sign !== '!=');
  if (/^!\s*[^\s=()]+$/.test(part)) return labels => labels[part.slice(1).trim()] === undefined;
  if (/^[^\s=()!]+$/.test(part)) return labels => labels[part] !== undefined;
  throw new Error(`unable to parse requirement: found '${part}'`);
}

export function labelMatcher(selector: string): Matcher {
  const wanted = partsOf(selector).map(requirement);
  return ({ metadata }) => wanted.every(holds => holds(metadata.labels ?? {}));
}

const fieldAt = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => fieldsOf(value)[key], object);

/** What a real server supports beside the two names of metadata. */
const moreFields: Readonly<Record<string, readonly string[]>> = {
  Event: ['involvedObject.uid', 'involvedObject.name', 'type', 'reason'],
  Job: ['status.successful'],
  Pod: ['spec.nodeName', 'status.phase', 'spec.restartPolicy'],
};

/** Source of `status.successful`: pkg/registry/batch/job/strategy.go, which reads status.succeeded. */
const fieldText = (object: RawObject, path: string): string =>
  String(
    (path === 'status.successful' ? (fieldsOf(object.status)['succeeded'] ?? 0) : fieldAt(object, path)) ??
      '',
  );

function unsupported(path: string, kind: string): string {
  if (kind === 'Job') return `field label "${path}" not supported for Job`;
  if (kind === 'Pod') return `field label not supported: ${path}`;
  return `"${path}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

export function fieldMatcher(selector: string, kind: string): Matcher {
  const supported = ['metadata.name', 'metadata.namespace', ...(moreFields[kind] ?? [])];
  const wanted = partsOf(selector).map(part => {
    const [, path = '', sign, value] = /^([^=!]+)(==|=|!=)(.*)$/.exec(part) ?? [];
    if (sign === undefined) throw new Error(`invalid field selector: ${part}`);
    if (!supported.includes(path)) throw new Error(unsupported(path, kind));
    return (object: RawObject) => (fieldText(object, path) === value) === (sign !== '!=');
  });
  return object => wanted.every(holds => holds(object));
}
