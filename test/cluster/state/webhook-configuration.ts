// The configuration of one admission webhook, in force in one namespace and removed after the test.
import type { TestContext } from 'node:test';
import { type Admin, collection, type Fields, type KubeObject } from '../admin.ts';
import { namespaceSelector, type Probe, type Scope, untilInForce } from './admission.ts';
import type { Review, WebhookServer } from './webhook-server.ts';

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
  /** `Fail` if not said. `Ignore` only for one that is served: nothing would show that another is in force. */
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

export type Kind = 'Validating' | 'Mutating';

const apiVersion = 'admissionregistration.k8s.io/v1';

const configurationPath = (kind: Kind, name: string): string =>
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

/** Answers once it is in force. What serves it is stopped when it is removed. */
export async function configure(
  t: TestContext,
  admin: Admin,
  kind: Kind,
  wanted: WantedWebhook,
  served: Pick<WebhookServer, 'reviews'> & { clientConfig: Fields; stop?: () => void },
): Promise<Webhook> {
  const webhook = webhookOf(wanted, served.clientConfig);
  const path = configurationPath(kind, wanted.name);
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
