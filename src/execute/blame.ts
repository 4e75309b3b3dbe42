// Who refused our change: the server names the webhook, the configuration that installs it has to be looked up. Asked only after a
// refusal.
import type { ClusterReader } from '../cluster/contract.ts';
import type { Blamed } from '../model/event.ts';
import { asksAboutUpdate, type Webhook } from '../model/evidence.ts';
import type { Kind } from '../model/kind.ts';
import type { Problem, Rejection } from '../model/problem.ts';

export type Blame = (problem: Problem, kind: Kind) => Promise<Blamed[]>;

/** The configurations are read at the first refusal, once: a webhook that refuses one change refuses a thousand. */
export function blameBy(read: ClusterReader): Blame {
  let webhooks: Promise<Webhook[]> | undefined;
  return async ({ rejection }, kind) => {
    if (rejection === undefined || !byWebhook.has(rejection.by)) return [];
    webhooks ??= readWebhooks(read);
    return (await webhooks)
      .filter(webhook => isMeant(webhook, rejection, kind))
      .map(({ configuration, name, service = '' }) => ({ configuration, name, service }));
  };
}

async function readWebhooks(read: ClusterReader): Promise<Webhook[]> {
  const lists = await Promise.all([
    read.readEvidence('validatingWebhooks', {}),
    read.readEvidence('mutatingWebhooks', {}),
  ]);
  return lists.flatMap(list => (list.state === 'read' ? list.value : []));
}

const byWebhook: ReadonlySet<Rejection['by']> = new Set([
  'webhook',
  'silent-webhook',
  'no-dry-run',
  'mutation',
  'put-back',
]);

/** A change on the way in is never signed: every mutating webhook that sees updates of this kind may have made it. */
function isMeant(webhook: Webhook, rejection: Rejection, kind: Kind): boolean {
  if ('name' in rejection) return webhook.name === rejection.name;
  return webhook.mutating && asksAboutUpdate(webhook, kind);
}
