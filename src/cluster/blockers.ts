// What may keep the garbage collector from working: it needs every kind that can be listed, so one dead API server or one broken
// conversion webhook can stop it for the whole cluster. Source: pkg/controller/garbagecollector (it waits for its caches to sync).
import { type Kind, resourceName } from '../model/kind.ts';
import { pool } from '../pool.ts';
import { type Fields, fieldsOf, listOf, textOf } from './adapt-meta.ts';
import type { Blocker, KindCatalog } from './contract.ts';
import { pathOf, withQuery } from './path.ts';
import { problemOfAnswer } from './problem.ts';
import type { Transport } from './transport.ts';

const listsAtOnce = 4;
const never = new AbortController().signal;

export async function readBlockers(transport: Transport, catalog: KindCatalog): Promise<Blocker[]> {
  const services = await unavailableServices(transport);
  const listed = catalog.kinds.filter(kind => kind.verbs.includes('list') && kind.verbs.includes('delete'));
  const failing: Blocker[] = [];
  for await (const { item, result } of pool(listed, listsAtOnce, never, kind => failureOf(transport, kind))) {
    if (result !== undefined) failing.push({ object: ownerOf(item), reason: result });
  }
  return [...services, ...failing].sort((a, b) => (a.object < b.object ? -1 : 1));
}

async function unavailableServices(transport: Transport): Promise<Blocker[]> {
  const sent = await transport.send({
    method: 'GET',
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    repeatable: true,
  });
  if ('problem' in sent || sent.answer.status !== 200) return [];
  const services = listOf(fieldsOf(JSON.parse(sent.answer.body))['items']).map(fieldsOf);
  return services.flatMap(service => {
    const conditions = listOf(fieldsOf(service['status'])['conditions']).map(fieldsOf);
    const down = conditions.find(
      condition => condition['type'] === 'Available' && condition['status'] !== 'True',
    );
    return down === undefined ? [] : [{ object: `apiservice/${nameOf(service)}`, reason: reasonOf(down) }];
  });
}

const nameOf = (item: Fields): string => textOf(fieldsOf(item['metadata'])['name']) ?? '';
const reasonOf = (condition: Fields): string =>
  `${textOf(condition['reason']) ?? 'not available'}: ${textOf(condition['message']) ?? ''}`;

/** The server's words when a list of one fails with a 5xx; undefined when it works, or when we may not ask. */
async function failureOf(transport: Transport, kind: Kind): Promise<string | undefined> {
  const sent = await transport.send({
    method: 'GET',
    path: withQuery(pathOf(kind), { limit: '1' }),
    repeatable: false,
    unasked: true,
  });
  if ('problem' in sent) return sent.problem.text;
  const { status, body } = sent.answer;
  return status >= 500 ? problemOfAnswer(status, body).text : undefined;
}

/** Kinds with a dot in their group that are not of Kubernetes itself come from a definition of the same name. */
const ownerOf = (kind: Kind): string =>
  kind.group.includes('.') && !kind.group.endsWith('.k8s.io')
    ? `customresourcedefinition/${resourceName(kind)}`
    : resourceName(kind);
