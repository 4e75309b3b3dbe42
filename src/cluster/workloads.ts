// Controllers run as Deployments, StatefulSets or DaemonSets: metadata finds them by word, and only those are read in full.
import type { Workload } from '../model/evidence.ts';
import { says } from '../model/evidence.ts';
import { never, pool } from '../pool.ts';
import { type Fields, fieldsOf, numberOf, textOf, textsOf } from './adapt-meta.ts';
import type { Read } from './contract.ts';
import { inFull, metadataList } from './media-types.ts';
import { type Listing, listAll } from './pages.ts';
import { pathOf } from './path.ts';
import type { Transport } from './transport.ts';

const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

const resources = [
  { resource: 'deployments', kind: 'deployment' },
  { resource: 'statefulsets', kind: 'statefulset' },
  { resource: 'daemonsets', kind: 'daemonset' },
] as const;
type Resource = (typeof resources)[number];

const readsAtOnce = 3;
/** Words match a name or a label as a whole; more than these means that a word says nothing. */
const mostInFull = 20;

interface Named {
  readonly from: Resource;
  readonly namespace: string;
  readonly name: string;
}

export async function findWorkloads(
  transport: Transport,
  words: readonly string[],
): Promise<Read<Workload[]>> {
  const found: Named[] = [];
  const lists = resources.map(from => ({ from, listing: namesListing(from, words) }));
  const list = (one: (typeof lists)[number]) => listAll(transport, one.listing);
  for await (const { result } of pool(lists, readsAtOnce, never, list)) {
    if (result.state === 'unreadable') return result;
    if (result.state === 'read') found.push(...result.value);
  }
  const workloads: Workload[] = [];
  const get = (one: Named) => listAll(transport, oneListing(one));
  for await (const { result } of pool(found.slice(0, mostInFull), readsAtOnce, never, get)) {
    if (result.state === 'unreadable') return result;
    if (result.state === 'read') workloads.push(...result.value);
  }
  return { state: 'read', value: workloads };
}

const place = (resource: string) => ({ group: 'apps', version: 'v1', resource });

function namesListing(from: Resource, words: readonly string[]): Listing<Named> {
  return {
    path: pathOf(place(from.resource)),
    accept: metadataList,
    query: { unasked: true },
    adapt: item => {
      const metadata = fieldsOf(fieldsOf(item)['metadata']);
      const matches = textsOfWorkload(metadata).some(text => words.some(word => says(text, word)));
      const namespace = textOf(metadata['namespace']) ?? '';
      return matches ? { from, namespace, name: textOf(metadata['name']) ?? '' } : undefined;
    },
  };
}

const oneListing = ({ from, namespace, name }: Named): Listing<Workload> => ({
  path: pathOf(place(from.resource), namespace),
  accept: inFull,
  query: { fieldSelector: `metadata.name=${name}`, unasked: true },
  adapt: item => toWorkload(from, fieldsOf(item)),
});

const textsOfWorkload = (metadata: Fields): string[] => [
  textOf(metadata['name']) ?? '',
  ...Object.values(textsOf(metadata['labels'])).filter(value => value !== undefined),
];

function toWorkload(from: Resource, item: Fields): Workload {
  const metadata = fieldsOf(item['metadata']);
  const [spec, status] = [fieldsOf(item['spec']), fieldsOf(item['status'])];
  return {
    label: `${from.kind}.apps/${textOf(metadata['name']) ?? ''}`,
    namespace: textOf(metadata['namespace']) ?? '',
    texts: textsOfWorkload(metadata),
    wanted: numberOf(spec['replicas']) ?? numberOf(status['desiredNumberScheduled']) ?? 1,
    ready: numberOf(status['readyReplicas']) ?? numberOf(status['numberReady']) ?? 0,
  };
}
