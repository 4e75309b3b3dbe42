// Controllers run as Deployments, StatefulSets or DaemonSets. They are read in full, page by page, because many are known by their
// image alone; what says none of the words is not kept.
import { says, type Workload } from '../model/evidence.ts';
import { never, pool } from '../pool.ts';
import { inFull } from './accept.ts';
import { type Fields, fieldsOf, listOf, numberOf, textOf, textsOf } from './adapt-meta.ts';
import type { Read } from './contract.ts';
import { type Listing, listAll } from './pages.ts';
import { pathOf } from './path.ts';
import type { Transport } from './transport.ts';

const resources = [
  { resource: 'deployments', kind: 'deployment' },
  { resource: 'statefulsets', kind: 'statefulset' },
  { resource: 'daemonsets', kind: 'daemonset' },
] as const;
type Resource = (typeof resources)[number];

const readsAtOnce = 3;

export async function findWorkloads(
  transport: Transport,
  words: readonly string[],
): Promise<Read<Workload[]>> {
  const found: Workload[] = [];
  const list = (from: Resource) => listAll(transport, listingOf(from, words));
  for await (const { result } of pool(resources, readsAtOnce, never, list)) {
    // one of them not readable: what it holds is not known, so nothing is known to be missing
    if (result.state === 'unreadable') return result;
    if (result.state === 'read') found.push(...result.value);
  }
  return { state: 'read', value: found };
}

const listingOf = (from: Resource, words: readonly string[]): Listing<Workload> => ({
  path: pathOf({ group: 'apps', version: 'v1', resource: from.resource }),
  accept: inFull,
  query: { unasked: true },
  adapt: item => {
    const workload = toWorkload(from, fieldsOf(item));
    return workload.texts.some(text => words.some(word => says(text, word))) ? workload : undefined;
  },
});

/** The labels that say what an application is; others (team, environment) say it of everything. */
const tellingLabels = ['app', 'k8s-app', 'app.kubernetes.io/name', 'app.kubernetes.io/part-of'];

function toWorkload(from: Resource, item: Fields): Workload {
  const metadata = fieldsOf(item['metadata']);
  const [spec, status] = [fieldsOf(item['spec']), fieldsOf(item['status'])];
  const name = textOf(metadata['name']) ?? '';
  const labels = textsOf(metadata['labels']);
  const containers = listOf(fieldsOf(fieldsOf(spec['template'])['spec'])['containers']).map(fieldsOf);
  const texts = [
    name,
    ...tellingLabels.map(label => labels[label]),
    ...containers.map(container => textOf(container['image'])),
  ];
  return {
    label: `${from.kind}.apps/${name}`,
    namespace: textOf(metadata['namespace']) ?? '',
    texts: texts.filter(text => text !== undefined),
    owners: listOf(metadata['ownerReferences']).map(owner => textOf(fieldsOf(owner)['uid']) ?? ''),
    wanted: numberOf(spec['replicas']) ?? numberOf(status['desiredNumberScheduled']) ?? 1,
    ready: numberOf(status['readyReplicas']) ?? numberOf(status['numberReady']) ?? 0,
  };
}
