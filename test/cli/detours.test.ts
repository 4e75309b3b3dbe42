// What may stand between us and the server: proxies that tunnel, gateways that serve a cluster below a path, and cut answers.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  request as ask,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { FakeApi } from '../support/fake-api.ts';
import { runCli } from '../support/run-cli.ts';
import { aFake } from './fake.ts';
import { deletedOnce, finishedJobs } from './history.ts';

const prune = 'prune --standalone --older-than 1d --yes';

async function listening(t: TestContext, server: Server): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The fake's kubeconfig with other fields in its cluster. */
function kubeconfigWith(api: FakeApi, change: Readonly<Record<string, unknown>>): string {
  const path = api.kubeconfig();
  const config = JSON.parse(readFileSync(path, 'utf8'));
  Object.assign(config.clusters[0].cluster, change);
  writeFileSync(path, JSON.stringify(config));
  return path;
}

test('C03: proxy-url of the kubeconfig is used for every request', async t => {
  const api = await aFake(t);
  const jobs = api.add(...finishedJobs(30));
  let tunnels = 0;
  const proxy = createServer().on('connect', (request, socket) => {
    tunnels += 1;
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  const kubeconfig = kubeconfigWith(api, { 'proxy-url': await listening(t, proxy) });
  const { code, stderr } = await runCli(prune, { kubeconfig });
  assert.equal(code, 0, stderr);
  const connections = new Set(api.log.all().map(({ connection }) => connection));
  assert.equal(connections.size, tunnels);
  assert.ok(tunnels > 0 && tunnels <= 16, `${tunnels} tunnels`);
  deletedOnce(api, jobs);
});

type Pass = (from: IncomingMessage, to: ServerResponse) => void;

/** Hands requests on without their first path segment; `pass` hands back the answer. */
function gateway(api: FakeApi, pass: Pass): Server {
  return createServer((request, response) => {
    const path = request.url?.replace(/^\/clusters\/c-1/, '') ?? '/';
    if (path === request.url) return void response.writeHead(404).end('no cluster here');
    const { method = 'GET', headers } = request;
    const onward = ask(api.url + path, { method, headers }, answer => pass(answer, response));
    request.pipe(onward);
  });
}

test('a server behind a path keeps that path in every request', async t => {
  const api = await aFake(t, { protocol: 'plain' });
  const jobs = api.add(...finishedJobs(5));
  const pass: Pass = (from, to) => void from.pipe(to.writeHead(from.statusCode ?? 500, from.headers));
  const server = `${await listening(t, gateway(api, pass))}/clusters/c-1/`;
  const { code, stderr } = await runCli(prune, { kubeconfig: kubeconfigWith(api, { server }) });
  assert.equal(code, 0, stderr);
  deletedOnce(api, jobs);
});

test('a list whose answer breaks off in the middle is asked for again, and is whole', async t => {
  const api = await aFake(t, { protocol: 'plain' });
  const jobs = api.add(...finishedJobs(50));
  let cut = 0;
  const pass: Pass = (from, to) => {
    const isList = Number(from.headers['content-length']) > 20_000;
    to.writeHead(from.statusCode ?? 500, from.headers);
    if (!isList || cut > 0) return void from.pipe(to);
    cut += 1;
    from.once('data', (chunk: Buffer) => to.write(chunk.subarray(0, 5000), () => to.destroy()));
  };
  const server = `${await listening(t, gateway(api, pass))}/clusters/c-1`;
  const { code, stderr } = await runCli(prune, { kubeconfig: kubeconfigWith(api, { server }) });
  assert.equal(code, 0, stderr);
  assert.equal(cut, 1);
  assert.match(stderr, /^50 Jobs deleted/m);
  deletedOnce(api, jobs);
});
