// Gathers the evidence that the stuck objects call for, and no more: what nothing stuck asks about is not read.
import type { ClusterReader, KindCatalog } from '../../cluster/contract.ts';
import { ofKubernetes } from '../../model/controller-words.ts';
import { given } from '../../model/given.ts';
import { isClaimKind, isKind } from '../../model/kind.ts';
import { isCollectors, isTerminating, type ObjectMeta } from '../../model/object.ts';
import type { Looked, Unreadable } from '../../model/snapshot.ts';
import type { Evidence } from '../../model/unstick-snapshot.ts';
import { findSilentWebhooks } from './admission.ts';
import { readControllers, readWarnings } from './controllers.ts';
import { isNamespace } from './inside.ts';
import { readJobs, readNodes } from './pods.ts';
import { readClaimUsers, readVolumes } from './volumes.ts';

interface At {
  readonly read: ClusterReader;
  readonly signal: AbortSignal;
}

export async function readEvidenceOf(
  objects: readonly Looked[],
  catalog: KindCatalog,
  at: At,
): Promise<{ readonly evidence: Evidence; readonly unreadable: readonly Unreadable[] }> {
  const { read } = at;
  const metas = objects.map(({ object }) => object).filter(isTerminating);
  const pods = objects.flatMap(looked => (looked.as === 'pod' ? [looked.object] : [])).filter(isTerminating);
  const claimKind = catalog.kinds.find(kind => isClaimKind(kind));
  const [controllers, webhooks] = await Promise.all([
    readControllers(metas, read),
    findSilentWebhooks(metas, read),
  ]);
  const evidence: Evidence = {
    jobs: await readJobs(pods, at),
    pods: await readClaimUsers(metas, at),
    ...(await readVolumes(metas, claimKind, read)),
    ...controllers.evidence,
    warnings: await readWarnings(metas.filter(isWorthWarnings), at),
    namespaces: await readNamespaces(metas.filter(isNamespace), read),
    applications: await readApplications(metas, read),
    nodes: await readNodes(
      pods.filter(pod => pod.finalizers.length === 0),
      at,
    ),
    silentWebhooks: webhooks.found,
    ...(await readBlockers(metas, read)),
  };
  const unread = [
    ...controllers.unreadable,
    ...(webhooks.problem === undefined ? [] : [{ ...webhookKind, problem: webhooks.problem }]),
  ];
  const unreadable = unread.map(({ resource, group, problem }) => ({
    kind: { group, resource, kind: resource },
    problem,
  }));
  return { evidence, unreadable };
}

const webhookKind = { resource: 'webhookconfigurations', group: 'admissionregistration.k8s.io' } as const;

/** Held by somebody's controller, or by nothing that a finalizer names: the last warnings may say why. */
const isWorthWarnings = ({ finalizers }: ObjectMeta): boolean =>
  finalizers.length === 0 || finalizers.some(finalizer => !ofKubernetes.has(finalizer));

const fewEnoughToReadOneByOne = 5;

async function readNamespaces(
  objects: readonly ObjectMeta[],
  read: ClusterReader,
): Promise<Evidence['namespaces']> {
  const names = objects.map(({ ref }) => ref.name);
  if (names.length === 0) return [];
  const queries =
    names.length > fewEnoughToReadOneByOne
      ? [{}]
      : names.map(name => ({ fieldSelector: `metadata.name=${name}` }));
  const lists = await Promise.all(queries.map(query => read.readEvidence('namespaces', query)));
  const all = lists.flatMap(list => (list.state === 'read' ? list.value : []));
  return all.filter(({ name }) => names.includes(name));
}

async function readApplications(
  objects: readonly ObjectMeta[],
  read: ClusterReader,
): Promise<Evidence['applications']> {
  const namespaces = new Set(
    objects
      .filter(({ ref }) => isKind(ref.kind, 'argoproj.io', 'Application'))
      .map(({ ref }) => ref.namespace ?? ''),
  );
  const lists = await Promise.all(
    [...namespaces].map(namespace => read.readEvidence('applications', { namespace })),
  );
  return lists.flatMap(list => (list.state === 'read' ? list.value : []));
}

/** Asked for where the collector should have acted and has not. */
async function readBlockers(
  objects: readonly ObjectMeta[],
  read: ClusterReader,
): Promise<Pick<Evidence, 'collectorBlockers'>> {
  if (!objects.some(object => object.finalizers.some(isCollectors) || isNamespace(object))) return {};
  const blockers = await read.readGarbageCollectorBlockers();
  return given({ collectorBlockers: blockers.state === 'read' ? blockers.value : undefined });
}
