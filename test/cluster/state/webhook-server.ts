// An admission webhook as an operator would serve it, over TLS and on this machine.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Authority } from '../certificates.ts';

/** What the apiserver asked. */
export interface Review {
  readonly user: string;
  readonly groups: readonly string[];
  readonly operation: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly dryRun: boolean;
}

/** `silent`: the request is taken and never answered. */
export type Answer =
  | 'allowed'
  | 'silent'
  | { readonly denied: string; readonly code?: number }
  | { readonly patch: readonly object[] };

export interface WebhookServer {
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
  /** In the order of their arrival. */
  readonly reviews: Review[];
  stop(): void;
}

interface AdmissionRequest {
  readonly uid: string;
  readonly operation: string;
  readonly resource: { readonly resource: string };
  readonly subResource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly userInfo: { readonly username: string; readonly groups?: readonly string[] };
  readonly dryRun?: boolean;
}

const reviewOf = ({ userInfo, operation, resource, subResource, ...more }: AdmissionRequest): Review => ({
  user: userInfo.username,
  groups: userInfo.groups ?? [],
  operation,
  resource: resource.resource,
  ...(subResource === undefined ? {} : { subresource: subResource }),
  ...(more.namespace === undefined ? {} : { namespace: more.namespace }),
  name: more.name ?? '',
  dryRun: more.dryRun === true,
});

function responseTo(answer: Exclude<Answer, 'silent'>): object {
  if (answer === 'allowed') return { allowed: true };
  if ('patch' in answer) {
    const patch = Buffer.from(JSON.stringify(answer.patch)).toString('base64');
    return { allowed: true, patchType: 'JSONPatch', patch };
  }
  const { denied: message, code } = answer;
  return { allowed: false, status: { message, ...(code === undefined ? {} : { code }) } };
}

/** `decide` answers every review; its certificate comes from an authority of its own. */
export async function startWebhookServer(decide: (review: Review) => Answer): Promise<WebhookServer> {
  const authority = new Authority('jobctl-test-webhook-ca');
  const { certificate, key } = authority.issue({ name: 'webhook' });
  const reviews: Review[] = [];
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    const { request: asked } = (await json(request)) as { request: AdmissionRequest };
    const review = reviewOf(asked);
    reviews.push(review);
    const answer = decide(review);
    if (answer === 'silent') return;
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: asked.uid, ...responseTo(answer) },
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: {
      url: `https://127.0.0.1:${port}/admit`,
      caBundle: Buffer.from(authority.certificate).toString('base64'),
    },
    reviews,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
