// Admission webhooks that deny, change, or cannot be reached. They do so in one namespace only; all is removed after the test.
import type { TestContext } from 'node:test';
import { type Admin, collection } from '../admin.ts';
import { configure, type Kind, type WantedWebhook, type Webhook } from './webhook-configuration.ts';
import { type Answer, startWebhookServer } from './webhook-server.ts';

async function serve(t: TestContext, admin: Admin, kind: Kind, wanted: WantedWebhook, answer: Answer) {
  const { only = () => true } = wanted;
  const served = await startWebhookServer(review => (only(review) ? answer : 'allowed'));
  return configure(t, admin, kind, wanted, served);
}

/** Without a code the server answers 400, with one that code. */
export const createDenyingWebhook = (
  t: TestContext,
  admin: Admin,
  wanted: WantedWebhook & { readonly message: string; readonly code?: number; readonly kind?: Kind },
): Promise<Webhook> => {
  const { message: denied, code, kind = 'Validating' } = wanted;
  return serve(t, admin, kind, wanted, { denied, ...(code === undefined ? {} : { code }) });
};

/** Applies a JSON patch to every object it is asked about: one that changes what may not change makes any update fail. */
export const createMutatingWebhook = (
  t: TestContext,
  admin: Admin,
  wanted: WantedWebhook & { readonly patch: readonly object[] },
): Promise<Webhook> => serve(t, admin, 'Mutating', wanted, { patch: wanted.patch });

interface WantedUnreachable extends WantedWebhook {
  /**
   * `no service`: it does not exist. `no endpoints`: nobody serves it; the apiserver says so with the flag
   * --enable-aggregator-routing, without it dials the service's address and says what became of that.
   * `refused`: nobody listens. `silent`: the request is taken and never answered.
   */
  readonly how: 'no service' | 'no endpoints' | 'refused' | 'silent';
}

async function createServiceOfNobody(
  t: TestContext,
  admin: Admin,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Promise<void> {
  const services = collection('v1', 'services', namespace);
  t.after(() => admin.delete(`${services}/${name}`).catch(() => undefined));
  await admin.create(services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 443 }] },
  });
}

/** Its service has the name of the configuration, in its namespace or in `default`. Its timeout is a second if not said. */
export async function createUnreachableWebhook(
  t: TestContext,
  admin: Admin,
  unhurried: WantedUnreachable,
): Promise<Webhook> {
  const wanted = { timeoutSeconds: 1, ...unhurried };
  const { how, name, namespace = 'default' } = wanted;
  if (how === 'silent') return serve(t, admin, 'Validating', wanted, 'silent');
  const service = { name, namespace };
  if (how === 'no endpoints') await createServiceOfNobody(t, admin, service);
  const clientConfig = how === 'refused' ? { url: 'https://127.0.0.1:1/admit' } : { service };
  return configure(t, admin, 'Validating', wanted, { clientConfig, reviews: [] });
}
