// Discovery: every kind that is served, from the two aggregated documents. A group that does not answer does not stop the others.
// Source: apidiscovery.k8s.io/v2 (GA since 1.30); `freshness: Stale` marks a group whose server did not answer the aggregator.
import type { Kind } from '../model/kind.ts';
import { type Fields, fieldsOf, listOf, textOf } from './adapt-meta.ts';
import type { KindCatalog, Read } from './contract.ts';
import { malformed } from './pages.ts';
import { problemOfAnswer } from './problem.ts';
import type { Transport } from './transport.ts';

const aggregated = ['v2', 'v2beta1']
  .map(version => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',');

type SilentGroup = KindCatalog['silentGroups'][number];

export async function readKinds(transport: Transport): Promise<Read<KindCatalog>> {
  const documents = await Promise.all(['/api', '/apis'].map(path => readDocument(transport, path)));
  const kinds: Kind[] = [];
  const silentGroups: SilentGroup[] = [];
  for (const document of documents) {
    if (document.state !== 'read') return document;
    for (const group of listOf(document.value['items']).map(fieldsOf)) addGroup(group, kinds, silentGroups);
  }
  return { state: 'read', value: { kinds, silentGroups } };
}

async function readDocument(transport: Transport, path: string): Promise<Read<Fields>> {
  const sent = await transport.send({ method: 'GET', path, accept: aggregated, repeatable: true });
  if ('problem' in sent) return { state: 'unreadable', problem: sent.problem };
  const { status, body } = sent.answer;
  if (status !== 200) return { state: 'unreadable', problem: problemOfAnswer(status, body) };
  try {
    const document = fieldsOf(JSON.parse(body));
    if (document['kind'] === 'APIGroupDiscoveryList') return { state: 'read', value: document };
    return {
      state: 'unreadable',
      problem: malformed(
        new Error(`${path} is no aggregated discovery document (Kubernetes 1.30 and newer have it)`),
      ),
    };
  } catch (problem) {
    return { state: 'unreadable', problem: malformed(problem) };
  }
}

/** Versions come in the server's order of preference: the first one that serves a resource is the one that is used. */
function addGroup(group: Fields, kinds: Kind[], silentGroups: SilentGroup[]): void {
  const name = textOf(fieldsOf(group['metadata'])['name']) ?? '';
  const known = new Set<string>();
  for (const version of listOf(group['versions']).map(fieldsOf)) {
    if (version['freshness'] === 'Stale') {
      const problem = {
        code: 'server-error',
        text: `the API server behind ${name}/${String(version['version'])} does not answer`,
      } as const;
      if (!silentGroups.some(silent => silent.group === name)) silentGroups.push({ group: name, problem });
    }
    for (const resource of listOf(version['resources']).map(fieldsOf)) {
      const kind = toKind(name, textOf(version['version']) ?? '', resource);
      if (kind === undefined || known.has(kind.resource)) continue;
      known.add(kind.resource);
      kinds.push(kind);
    }
  }
}

function toKind(group: string, version: string, resource: Fields): Kind | undefined {
  const plural = textOf(resource['resource']);
  const kind = textOf(fieldsOf(resource['responseKind'])['kind']);
  if (plural === undefined || kind === undefined) return undefined;
  const texts = (name: string) => listOf(resource[name]).filter(text => typeof text === 'string');
  return {
    group,
    version,
    kind,
    resource: plural,
    singular: textOf(resource['singularResource']) ?? kind.toLowerCase(),
    namespaced: resource['scope'] === 'Namespaced',
    shortNames: texts('shortNames'),
    categories: texts('categories'),
    verbs: texts('verbs'),
  };
}
