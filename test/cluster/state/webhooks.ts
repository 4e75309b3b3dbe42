// Admission webhooks that deny, change, or cannot be reached. They do so in one namespace only; all is removed after the test.
import type { TestContext } from 'node:test';
import { type Admin, collection, type Fields, type KubeObject } from '../admin.ts';
import { namespaceSelector, type Probe, type Scope, untilInForce } from './admission.ts';
import { type Answer, type Review, startWebhookServer, type WebhookServer } from './webhook-server.ts';

interface WebhookRule {
  /** `['UPDATE']` if not said. */
  readonly operations?: readonly string[];
  /** `['']` is the core group. */
  readonly apiGroups: readonly string[];
  /** With a subresource: `namespaces/finalize`. */
  readonly resources: readonly string[];
}

export interface WantedWebhook extends Scope {
  readonly rules: readonly WebhookRule[];
  /** Has to be an update that the rules cover. */
  readonly probe: Probe;
  /** Ask only about objects with these labels: for kinds of the cluster, which other tests use too. */
  readonly objectLabels?: Readonly<Record<string, string>>;
  /** Others are let through. */
  readonly only?: (review: Review) => boolean;
  /** v1 has no others: `Some` and `Unknown`, which forbid dry runs, are refused with 422. `None` if not said. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly timeoutSeconds?: number;
}

export interface Webhook {
  /** As messages of the server call it. */
  readonly name: string;
  readonly path: string;
  readonly configuration: KubeObject;
  /** What was asked since it is in force. */
  readonly reviews: readonly Review[];
}

interface ServiceName {
  readonly name: string;
  readonly namespace: string;
}

type Kind = 'Validating' | 'Mutating';

const apiVersion = 'admissionregistration.k8s.io/v1';

export const webhookConfigurationPath = (kind: Kind, name: string): string =>
  `${collection(apiVersion, `${kind.toLowerCase()}webhookconfigurations`)}/${name}`;

function webhookOf(wanted: WantedWebhook, clientConfig: Fields): Fields & { name: string } {
  const { rules, objectLabels, sideEffects = 'None', failurePolicy = 'Fail', timeoutSeconds = 5 } = wanted;
  return {
    // Three labels at least.
    name: `${wanted.name}.example.test`,
    admissionReviewVersions: ['v1'],
    clientConfig,
    rules: rules.map(rule => ({ operations: ['UPDATE'], apiVersions: ['*'], ...rule })),
    namespaceSelector: namespaceSelector(wanted),
    ...(objectLabels === undefined ? {} : { objectSelector: { matchLabels: objectLabels } }),
    sideEffects,
    failurePolicy,
    timeoutSeconds,
  };
}

async function configure(
  t: TestContext,
  admin: Admin,
  kind: Kind,
  wanted: WantedWebhook,
  served: Pick<WebhookServer, 'reviews'> & { clientConfig: Fields; stop?: () => void },
): Promise<Webhook> {
  const webhook = webhookOf(wanted, served.clientConfig);
  const path = webhookConfigurationPath(kind, wanted.name);
  t.after(async () => {
    // The test may have ended the server.
    await admin.delete(path).catch(() => undefined);
    served.stop?.();
  });
  const configuration = await admin.create(path.slice(0, path.lastIndexOf('/')), {
    apiVersion,
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: wanted.name },
    webhooks: [webhook],
  });
  const { reviews } = served;
  await untilInForce(admin, webhook.name, wanted.probe, () => reviews.length > 0);
  reviews.length = 0;
  return { name: webhook.name, path, configuration, reviews };
}

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

async function serviceWithoutEndpoints(t: TestContext, admin: Admin, service: ServiceName): Promise<void> {
  const { name, namespace } = service;
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
  if (how === 'no endpoints') await serviceWithoutEndpoints(t, admin, service);
  const clientConfig = how === 'refused' ? { url: 'https://127.0.0.1:1/admit' } : { service };
  return configure(t, admin, 'Validating', wanted, { clientConfig, reviews: [] });
}
