// Webhooks that have to be asked about a change of a stuck object and cannot be: then nobody's change gets through, ours neither.
import type { ClusterReader } from '../../cluster/contract.ts';
import { asksAboutUpdate } from '../../model/evidence.ts';
import type { ObjectMeta } from '../../model/object.ts';
import type { Problem } from '../../model/problem.ts';
import type { SilentWebhook } from '../../model/unstick-snapshot.ts';

/** By service alone: what an address or a selector does cannot be told from here, the server tells when we write. */
export async function findSilentWebhooks(
  objects: readonly ObjectMeta[],
  read: ClusterReader,
): Promise<{ readonly found: readonly SilentWebhook[]; readonly problem?: Problem }> {
  if (objects.length === 0) return { found: [] };
  const lists = await Promise.all([
    read.readEvidence('validatingWebhooks', {}),
    read.readEvidence('mutatingWebhooks', {}),
  ]);
  const webhooks = lists.flatMap(list => (list.state === 'read' ? list.value : []));
  const found: SilentWebhook[] = [];
  const ready = new Map<string, number | undefined>();
  for (const webhook of webhooks) {
    const { service, failsClosed, configuration, name } = webhook;
    if (!failsClosed || service === undefined) continue;
    const about = objects.filter(object => asksAboutUpdate(webhook, object.ref.kind)).map(({ ref }) => ref);
    if (about.length === 0) continue;
    if (!ready.has(service)) ready.set(service, await readyEndpoints(service, read));
    if (ready.get(service) === 0) found.push({ configuration, name, service, about });
  }
  const unread = lists.find(list => list.state === 'unreadable');
  return { found, ...(unread === undefined ? {} : { problem: unread.problem }) };
}

/** Undefined: not readable, so not known to be none. */
async function readyEndpoints(service: string, read: ClusterReader): Promise<number | undefined> {
  const [namespace = '', name = ''] = service.split('/');
  const labelSelector = `kubernetes.io/service-name=${name}`;
  const slices = await read.readEvidence('endpoints', { namespace, labelSelector });
  return slices.state === 'read' ? slices.value.reduce((sum, slice) => sum + slice.ready, 0) : undefined;
}
