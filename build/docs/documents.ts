// Documents of -o json: what differs from run to run is written in one way, and which fields they have is what the reference lists.

/** A field, as `findings[].reason.code`, with the types of its values. */
export type Fields = ReadonlyMap<string, ReadonlySet<string>>;

/** Not gone into: their fields are named by what they are about, or always the same three. */
const closed: ReadonlySet<string> = new Set(['facts', 'seen', 'changes', 'stopped', 'job']);

export function fieldsOf(documents: readonly unknown[]): Fields {
  const fields = new Map<string, Set<string>>();
  for (const document of documents) visit(document, '', fields);
  return new Map([...fields].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** How every object is written, wherever it stands. */
const reference: ReadonlySet<string> = new Set([
  'resource',
  'kind',
  'namespace',
  'name',
  'uid',
  'resourceVersion',
]);

function visit(value: unknown, path: string, fields: Map<string, Set<string>>): void {
  if (path !== '' && !path.endsWith('[]')) add(fields, path, typeOf(value));
  if (Array.isArray(value)) for (const one of value) visit(one, `${path}[]`, fields);
  else if (isObject(value) && !closed.has(lastWord(path)))
    for (const [name, one] of ownFields(value)) visit(one, path === '' ? name : `${path}.${name}`, fields);
}

const ownFields = (value: Record<string, unknown>) =>
  Object.entries(value).filter(([name]) => !('resourceVersion' in value && reference.has(name)));

const lastWord = (path: string): string => path.replaceAll('[]', '').split('.').at(-1) ?? '';

function add(fields: Map<string, Set<string>>, path: string, type: string): void {
  const types = fields.get(path) ?? new Set();
  fields.set(path, types.add(type));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Values that are of one run only. */
export function steadyDocument(value: unknown, server: string): unknown {
  const names: Readonly<Record<string, unknown>> = {
    uid: '3f2b8a54-6f0f-4c86-9d37-2b1f6c2f7a11',
    resourceVersion: '4711',
    context: 'prod-eu',
    server: 'https://10.0.0.1:6443',
    milliseconds: 900,
    digest: '14a9c171',
    bytes: 24_576,
    dir: 'evidence',
  };
  const steady = (one: unknown, name: string): unknown => {
    if (Object.hasOwn(names, name) && one !== null) return names[name];
    if (Array.isArray(one)) return one.map(item => steady(item, name));
    if (isObject(one))
      return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, steady(item, key)]));
    if (typeof one === 'number' && name.endsWith('Ms')) return 12_000;
    return typeof one === 'string' ? steadyText(one, server) : one;
  };
  return steady(value, '');
}

const steadyText = (text: string, server: string): string =>
  text
    .replaceAll(server, 'https://10.0.0.1:6443')
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-03-01T02:14:00Z')
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '3f2b8a54-6f0f-4c86-9d37-2b1f6c2f7a11',
    )
    .replace(/\b\d{1,3}s ago\b/g, '12s ago')
    .replace(/(stuck for|since) \d{1,3}s/g, '$1 12s');
