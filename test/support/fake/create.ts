// POST of a new object, so that tests can make objects with the same requests on the fake and on a real server.
import { randomUUID } from 'node:crypto';
import { apiTime } from '../time.ts';
import { type Answer, alreadyExists, json } from './answer.ts';
import type { ServedKind } from './kinds.ts';
import { type Fields, fieldsOf, type Metadata, type RawObject } from './object.ts';
import type { Store } from './store.ts';
import { written } from './written.ts';

export function createStored(
  store: Store,
  kind: ServedKind,
  namespace: string | undefined,
  sent: { readonly body: unknown; readonly now: Date },
): Answer {
  const body = fieldsOf(sent.body);
  const given = named(fieldsOf(body['metadata']));
  if (store.get(kind, namespace, given.name) !== undefined) return alreadyExists(kind, given.name);
  const uid = randomUUID();
  const labels = kind.kind === 'Job' ? { ...given.labels, ...labelsOfJob(given.name, uid) } : given.labels;
  // a status that comes with a new object is dropped: it is written through the status subresource
  const { status: _dropped, ...rest } = body;
  const object = {
    ...rest,
    ...(kind.kind === 'Job' ? { spec: specOfJob(fieldsOf(body['spec']), uid) } : {}),
    metadata: {
      ...given,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      uid,
      generation: 1,
      creationTimestamp: apiTime(sent.now),
    },
  } as unknown as RawObject;
  return json(201, written(store.put({ kind, object, padding: 0 }), '', 'object'));
}

/** With a name of the server's making where only its beginning was given. */
function named(metadata: Fields): Metadata {
  const { generateName, ...rest } = metadata;
  const name = metadata['name'] ?? `${generateName}${randomUUID().slice(0, 5)}`;
  return { ...rest, name } as unknown as Metadata;
}

/** All four, as every supported server writes them. */
export const labelsOfJob = (name: string, uid: string): Readonly<Record<string, string>> => ({
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': name,
  'controller-uid': uid,
  'job-name': name,
});

const specOfJob = (spec: Fields, uid: string): Fields => ({
  ...spec,
  selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
});
