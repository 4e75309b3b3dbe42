// Between the command and the real API server: counts its writes, lets so many through, and says when the last of them has been answered.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { parse, stringify } from 'yaml';
import { assertOwnKubeconfig } from '../cluster/kubeconfig.ts';

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { server: string; 'certificate-authority-data'?: string } },
  ];
  readonly users: readonly [
    { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } },
  ];
}

export interface CountingProxy {
  /** The same user, through this proxy. */
  readonly kubeconfig: string;
  /** Writes that were let through. */
  readonly writes: () => readonly string[];
  /** Once the last write that is let through has been answered by the server; the command has not seen the answer yet. */
  readonly spent: Promise<void>;
}

export interface ProxyOptions {
  /** The write after this many never arrives, and none after it. */
  readonly mostWrites?: number;
  /** Before a write is let through: what happens in between. */
  readonly beforeWrite?: (write: string, nth: number) => Promise<unknown>;
}

const isReview = (path: string): boolean => /^\/apis\/auth(entication|orization)\.k8s\.io\//.test(path);
const isWrite = ({ method, url = '' }: IncomingMessage): boolean =>
  method !== 'GET' && method !== 'HEAD' && !isReview(url);

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => Buffer.concat(await message.toArray());

/** Speaks for the user of this kubeconfig, with its certificate. */
export async function countingProxy(
  t: TestContext,
  kubeconfig: string,
  { mostWrites = Infinity, beforeWrite }: ProxyOptions = {},
): Promise<CountingProxy> {
  assertOwnKubeconfig(kubeconfig);
  const config = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const [{ cluster }] = config.clusters;
  const [{ user }] = config.users;
  const pem = (data = '') => Buffer.from(data, 'base64');
  const agent = new Agent({
    keepAlive: true,
    ca: pem(cluster['certificate-authority-data']),
    cert: pem(user['client-certificate-data']),
    key: pem(user['client-key-data']),
  });
  const target = cluster.server;
  const passed: string[] = [];
  const spent = Promise.withResolvers<void>();

  const pass = (from: IncomingMessage, body: Buffer): Promise<[IncomingMessage, Buffer]> =>
    new Promise((done, fail) => {
      const { method = 'GET', url = '/', headers } = from;
      const { host: _, connection: __, ...rest } = headers;
      const on = request(new URL(url, target), { agent, method, headers: rest }, answer => {
        bodyOf(answer).then(text => done([answer, text]), fail);
      });
      on.on('error', fail);
      on.end(body);
    });

  const serve = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const body = await bodyOf(from);
    const counts = isWrite(from);
    if (counts && passed.length >= mostWrites) return;
    const write = `${from.method} ${from.url}`;
    const nth = counts ? passed.push(write) : 0;
    if (counts) await beforeWrite?.(write, nth);
    const [answer, text] = await pass(from, body);
    if (counts && nth === mostWrites) {
      spent.resolve();
      return;
    }
    const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers;
    to.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': text.length });
    to.end(text);
  };
  const server = createServer((from, to) => {
    // who was killed in the middle of a request is not there to be answered
    serve(from, to).catch(() => to.destroy());
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
  });
  const { port } = server.address() as AddressInfo;
  cluster.server = `http://127.0.0.1:${port}`;
  delete cluster['certificate-authority-data'];
  const path = `${kubeconfig}-through-${port}`;
  writeFileSync(path, stringify(config), { mode: 0o600 });
  return { kubeconfig: path, writes: () => [...passed], spent: spent.promise };
}
