// What may keep the garbage collector from working: it needs every kind that can be listed, so one dead API server or one broken
// conversion webhook can stop it for the whole cluster. Source: pkg/controller/garbagecollector (it waits for its caches to sync).
import { type Kind, resourceName } from '../model/kind.ts';
import type { Problem } from '../model/problem.ts';
import { never, pool } from '../pool.ts';
import { type Fields, fieldsOf, listOf, textOf } from './adapt-meta.ts';
import type { Blocker, KindCatalog, Read } from './contract.ts';
import { pathOf, withQuery } from './path.ts';
import { problemOfAnswer } from './problem.ts';
import type { Transport } from './transport.ts';

const listsAtOnce = 4;
/** What is wrong with the way to the server, or with us: no kind is to blame for it. */
const notOfAKind: ReadonlySet<Problem['code']> = new Set(['unreachable', 'interrupted', 'unauthorized']);

export async function readBlockers(transport: Transport, catalog: KindCatalog): Promise<Read<Blocker[]>> {
  const services = await unavailableServices(transport);
  if ('problem' in services) return { state: 'unreadable', problem: services.problem };
  const listed = catalog.kinds.filter(kind => kind.verbs.includes('list') && kind.verbs.includes('delete'));
  const failing: Blocker[] = [];
  for await (const { item, result } of pool(listed, listsAtOnce, never, kind => failureOf(transport, kind))) {
    if (result === undefined) continue;
    if (notOfAKind.has(result.code)) return { state: 'unreadable', problem: result };
    failing.push({ object: ownerOf(item), reason: result.text });
  }
  const value = [...services.down, ...failing].sort((a, b) => (a.object < b.object ? -1 : 1));
  return { state: 'read', value };
}

/** None where we may not list them, or something else than the server answers. */
async function unavailableServices(
  transport: Transport,
): Promise<{ readonly down: readonly Blocker[] } | { readonly problem: Problem }> {
  const sent = await transport.send({
    method: 'GET',
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    repeatable: true,
  });
  if ('problem' in sent) return sent;
  return { down: sent.answer.status === 200 ? downOf(sent.answer.body) : [] };
}

function downOf(body: string): Blocker[] {
  return itemsOf(body).flatMap(service => {
    const conditions = listOf(fieldsOf(service['status'])['conditions']).map(fieldsOf);
    const down = conditions.find(
      condition => condition['type'] === 'Available' && condition['status'] !== 'True',
    );
    return down === undefined ? [] : [{ object: `apiservice/${nameOf(service)}`, reason: reasonOf(down) }];
  });
}

function itemsOf(body: string): readonly Fields[] {
  try {
    return listOf(fieldsOf(JSON.parse(body))['items']).map(fieldsOf);
  } catch {
    return [];
  }
}

const nameOf = (item: Fields): string => textOf(fieldsOf(item['metadata'])['name']) ?? '';
const reasonOf = (condition: Fields): string =>
  `${textOf(condition['reason']) ?? 'not available'}: ${textOf(condition['message']) ?? ''}`;

/** What the server says when a list of one fails with a 5xx; undefined when it works, or when we may not ask. */
async function failureOf(transport: Transport, kind: Kind): Promise<Problem | undefined> {
  const sent = await transport.send({
    method: 'GET',
    path: withQuery(pathOf(kind), { limit: '1' }),
    repeatable: false,
    unasked: true,
  });
  if ('problem' in sent) return sent.problem;
  const { status, body } = sent.answer;
  return status >= 500 ? problemOfAnswer(status, body) : undefined;
}

/** Kinds with a dot in their group that are not of Kubernetes itself come from a definition of the same name. */
const ownerOf = (kind: Kind): string =>
  kind.group.includes('.') && !kind.group.endsWith('.k8s.io')
    ? `customresourcedefinition/${resourceName(kind)}`
    : resourceName(kind);
