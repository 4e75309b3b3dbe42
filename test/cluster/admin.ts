// The tests' own hands on a cluster: plain JSON requests as its administrator, independent of the code that is tested.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { parse } from 'yaml';
import { assertOwnKubeconfig } from './kubeconfig.ts';

export type Fields = Record<string, unknown>;

interface Metadata {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly Fields[];
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
}

/** As the API answers it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly data?: Fields;
}

/** As it is sent. */
export interface Draft extends Fields {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields;
}

export class ApiFailure extends Error {
  readonly status: number;
  constructor(request: string, status: number, message: string) {
    super(`${request}: ${status} ${message}`);
    this.status = status;
  }
}

export interface Admin {
  /** Any request; throws ApiFailure unless the answer is 2xx. */
  request<T = KubeObject>(method: string, path: string, body?: unknown, contentType?: string): Promise<T>;
  get(path: string): Promise<KubeObject>;
  /** Undefined when it does not exist. */
  find(path: string): Promise<KubeObject | undefined>;
  list(path: string): Promise<readonly KubeObject[]>;
  create(path: string, body: Draft): Promise<KubeObject>;
  /** JSON merge patch. */
  patch(path: string, body: Fields): Promise<KubeObject>;
  /** Sends DeleteOptions; answers whether there was something to delete. */
  delete(path: string, options?: Fields): Promise<boolean>;
  /** Ends its connections, whatever they are doing. */
  destroy(): Promise<void>;
}

/** `collection('batch/v1', 'jobs', 'team')`; without a namespace, that of a cluster-scoped kind or of all namespaces. */
export function collection(apiVersion: string, plural: string, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

interface AdminKubeconfig {
  readonly clusters: readonly [{ cluster: { server: string; 'certificate-authority-data': string } }];
  readonly users: readonly [{ user: { 'client-certificate-data': string; 'client-key-data': string } }];
}

function poolOf(kubeconfig: string): Pool {
  assertOwnKubeconfig(kubeconfig);
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as AdminKubeconfig;
  const pem = (data: string) => Buffer.from(data, 'base64');
  return new Pool(clusters[0].cluster.server, {
    connections: 24,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    connect: {
      ca: pem(clusters[0].cluster['certificate-authority-data']),
      cert: pem(users[0].user['client-certificate-data']),
      key: pem(users[0].user['client-key-data']),
    },
    // Many small requests: two dozen plain connections beat one HTTP/2 connection here, and share no code with the product.
    allowH2: false,
  });
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}

const missing = (error: unknown): undefined => {
  if (error instanceof ApiFailure && error.status === 404) return undefined;
  throw error;
};

export function adminOf(kubeconfig: string): Admin {
  const pool = poolOf(kubeconfig);
  async function request<T>(
    method: string,
    path: string,
    body?: unknown,
    contentType = 'application/json',
  ): Promise<T> {
    const answer = await pool.request({
      method: method as 'GET',
      path,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': contentType }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new ApiFailure(`${method} ${path}`, answer.statusCode, messageOf(text));
    return JSON.parse(text) as T;
  }
  return {
    request,
    get: path => request('GET', path),
    find: path => request<KubeObject>('GET', path).catch(missing),
    list: async path => (await request<{ items: readonly KubeObject[] }>('GET', path)).items,
    create: (path, body) => request('POST', path, body),
    patch: (path, body) => request('PATCH', path, body, 'application/merge-patch+json'),
    delete: async (path, options = {}) =>
      (await request('DELETE', path, { kind: 'DeleteOptions', apiVersion: 'v1', ...options }).catch(
        missing,
      )) !== undefined,
    destroy: () => pool.destroy(),
  };
}

/** `work` for every item, at most `width` at once, results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  width = 24,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
