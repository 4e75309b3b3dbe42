// Objects as the server wrote them, for files: text, byte for byte. An int64 of a custom resource that JavaScript cannot hold would be
// another number after JSON.parse.
import type { Kind } from '../model/kind.ts';
import { inFull } from './accept.ts';
import { fieldsOf, textOf } from './adapt-meta.ts';
import type { Read } from './contract.ts';
import { listAll } from './pages.ts';
import { pathOf } from './path.ts';
import { problemOfAnswer } from './problem.ts';
import type { Transport } from './transport.ts';

export async function readText(
  transport: Transport,
  kind: Kind,
  { name, namespace }: { readonly name: string; readonly namespace: string | undefined },
): Promise<Read<string>> {
  const path = pathOf(kind, namespace, name);
  const sent = await transport.send({ method: 'GET', path, accept: inFull, repeatable: true });
  if ('problem' in sent) return { state: 'unreadable', problem: sent.problem };
  const { status, body } = sent.answer;
  if (status === 200) return { state: 'read', value: body };
  const problem = problemOfAnswer(status, body, { name });
  return problem.code === 'not-found' ? { state: 'absent' } : { state: 'unreadable', problem };
}

/**
 * A selector spares the wire, not the server: Events have no watch cache, so that each request with a selector makes it read all Events
 * of the namespace from etcd (pkg/kubeapiserver/default_storage_factory_builder.go, DefaultWatchCacheSizes). For this many objects that
 * is cheaper than sending all of them here.
 */
const mostBySelector = 4;

const eventPath = (namespace: string): string =>
  pathOf({ group: '', version: 'v1', resource: 'events' }, namespace);

/** Events about the objects with these uids, each as JSON. They hold no number that JSON.parse could change: counts are int32. */
export async function listEventTexts(
  transport: Transport,
  namespace: string,
  uids: ReadonlySet<string>,
): Promise<Read<string[]>> {
  const selectors =
    uids.size > mostBySelector ? [undefined] : [...uids].map(uid => `involvedObject.uid=${uid}`);
  const texts: string[] = [];
  for (const fieldSelector of selectors) {
    const read = await listAll(transport, {
      path: eventPath(namespace),
      accept: inFull,
      // a newer moment is as good: nothing is decided by what is not among them
      query: { consistent: false, unasked: true, ...(fieldSelector === undefined ? {} : { fieldSelector }) },
      adapt: item => (uids.has(subjectOf(item)) ? JSON.stringify(item) : undefined),
    });
    if (read.state !== 'read') return read;
    texts.push(...read.value);
  }
  return { state: 'read', value: texts };
}

const subjectOf = (item: unknown): string => textOf(fieldsOf(fieldsOf(item)['involvedObject'])['uid']) ?? '';
