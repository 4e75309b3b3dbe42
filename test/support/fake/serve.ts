// One request from its first byte to its last: read, logged, met by a fault or answered.
import { type Fault, type Faults, type Outcome, unauthorized } from './faults.ts';
import type { RequestLog } from './log.ts';
import { type Asked, addressOf, parseBody, userOf } from './request.ts';
import { answer, type Cluster } from './routes.ts';
import type { Exchange } from './sockets.ts';

export interface Desk {
  readonly cluster: Cluster;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** The only bearer token that is taken; undefined: anybody comes in. */
  token: string | undefined;
}

export async function serve(desk: Desk, exchange: Exchange): Promise<void> {
  const asked = await read(exchange.request);
  const end = desk.log.begin(asked);
  const outcome = await outcomeOf(desk, asked);
  end(typeof outcome === 'string' ? outcome : outcome.status);
  if (outcome === 'silent') return;
  if (outcome === 'reset') return exchange.reset();
  const { response } = exchange;
  if (response.destroyed) return;
  const text = typeof outcome.body === 'string' ? outcome.body : `${JSON.stringify(outcome.body)}\n`;
  response.sendDate = false;
  const headers = {
    date: desk.cluster.now().toUTCString(),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...outcome.headers,
  };
  response.writeHead(outcome.status, headers);
  response.end(text);
}

/** The tests' own hands meet no faults. */
async function outcomeOf({ cluster, faults, token }: Desk, asked: Asked): Promise<Outcome> {
  const isOurs = asked.user === 'admin';
  const pass = async () => answer(cluster, asked) as Exclude<Outcome, 'silent' | 'reset'>;
  const isStranger = token !== undefined && asked.headers.authorization !== `Bearer ${token}`;
  const fault: Fault | undefined =
    isStranger && !isOurs ? unauthorized() : isOurs ? undefined : faults.pick(asked);
  return fault === undefined ? answer(cluster, asked) : fault(asked, pass);
}

async function read(request: Exchange['request']): Promise<Asked> {
  const url = new URL(request.url ?? '/', 'http://fake');
  const { headers, rawHeaders, method = 'GET' } = request;
  const chunks: Buffer[] = [];
  if (method !== 'GET') for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const address = addressOf(url.pathname);
  return {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    rawHeaders,
    connection: request.socket.remotePort ?? 0,
    contentType: headers['content-type'] ?? '',
    body: parseBody(Buffer.concat(chunks).toString('utf8')),
    user: userOf(headers.authorization),
    resource: address?.resource,
    namespace: address?.namespace,
    name: address?.name,
  };
}
