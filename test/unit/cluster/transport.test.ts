// The transport on real sockets: what it does when a connection, a login or the server's patience ends.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findDestination } from '../../../src/cluster/destination.ts';
import { Transport } from '../../../src/cluster/transport.ts';
import type { ConnectionOptions } from '../../../src/model/connection.ts';
import { type Exchange, listen, type Protocol } from '../../support/fake/sockets.ts';

type Request = Parameters<Transport['send']>[0];

const read = (path: string): Request => ({ method: 'GET', path, repeatable: true });
const remove = (path: string): Request => ({ method: 'DELETE', path, body: '{}', repeatable: true });
const patch = (path: string): Request => ({ method: 'PATCH', path, body: '{}', repeatable: false });

function answer({ response }: Exchange, status = 200, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end('{}');
}

interface Reaching {
  readonly protocol?: Protocol;
  readonly deadlineMs?: number;
  readonly options?: Partial<ConnectionOptions>;
}

/** A server that does as `serve` says, and a transport to it whose pauses take no time: they are written down, and the clock moves. */
async function reach(t: TestContext, serve: (exchange: Exchange) => void, how: Reaching = {}) {
  const server = await listen(how.protocol ?? 'plain', serve);
  t.after(() => server.close());
  const pauses: number[] = [];
  const lines: string[] = [];
  const clock = { ms: 0 };
  const options = { verbosity: 0, server: server.url, insecureSkipTlsVerify: true, ...how.options };
  const transport = new Transport(findDestination(options, {}), how.deadlineMs, {
    onWarning: () => undefined,
    onRequest: line => lines.push(line),
    signal: new AbortController().signal,
    clock: { elapsedMs: () => clock.ms, random: () => 0 },
    pause: async ms => {
      pauses.push(ms);
      clock.ms += ms;
    },
    userAgent: 'test',
  });
  t.after(() => transport.close());
  const outcome = async (request: Request) => {
    const sent = await transport.send(request);
    return 'problem' in sent ? sent.problem.code : sent.answer.status;
  };
  return { transport, outcome, pauses, lines, clock };
}

test('a connection that dies just after an answer is given up at the first deadline of what was under way on it', async t => {
  const begun = Promise.withResolvers<void>();
  const sessions = new Set<unknown>();
  const serve = (exchange: Exchange) => {
    const { request } = exchange;
    sessions.add('stream' in request ? request.stream.session : request.socket);
    const isSilent = sessions.size === 1 && request.url === '/slow';
    if (isSilent) begun.resolve();
    else answer(exchange);
  };
  const { outcome, lines, clock } = await reach(t, serve, { protocol: 'h2', deadlineMs: 300 });
  assert.equal(await outcome(read('/first')), 200);
  const slow = outcome(remove('/slow'));
  await begun.promise;
  // an answer that comes after the slow one began: it says nothing about what the connection does from then on
  assert.equal(await outcome(read('/last')), 200);
  clock.ms += 299;
  assert.equal(await slow, 200);
  assert.equal(sessions.size, 2);
  assert.equal(lines.filter(line => line.includes('timed out')).length, 1);
});

test('one slow answer does not end a connection on which others are answered', async t => {
  const begun = Promise.withResolvers<void>();
  const sessions = new Set<unknown>();
  let isSilent = true;
  const serve = (exchange: Exchange) => {
    const { request } = exchange;
    sessions.add('stream' in request ? request.stream.session : request.socket);
    if (request.url !== '/slow' || !isSilent) answer(exchange);
    else {
      isSilent = false;
      begun.resolve();
    }
  };
  const { outcome, clock } = await reach(t, serve, { protocol: 'h2', deadlineMs: 300 });
  assert.equal(await outcome(read('/first')), 200);
  const slow = outcome(remove('/slow'));
  await begun.promise;
  clock.ms += 299;
  assert.equal(await outcome(read('/last')), 200);
  assert.equal(await slow, 200);
  assert.equal(sessions.size, 1);
});

test('a patch whose connection breaks is not sent again; a delete that is pinned is', async t => {
  const seen: string[] = [];
  const broken = new Set(['/patched', '/deleted']);
  const serve = (exchange: Exchange) => {
    const url = exchange.request.url ?? '';
    seen.push(url);
    if (broken.delete(url)) exchange.reset();
    else answer(exchange);
  };
  const { outcome } = await reach(t, serve);
  assert.equal(await outcome(read('/first')), 200);
  assert.equal(await outcome(patch('/patched')), 'unreachable');
  assert.equal(await outcome(remove('/deleted')), 200);
  assert.deepEqual(seen, ['/first', '/patched', '/deleted', '/deleted']);
});

test('a patch that was turned away at the door is sent again, when the server says', async t => {
  let left = 2;
  const { outcome, pauses, transport } = await reach(t, exchange =>
    left-- > 0 ? answer(exchange, 429, { 'retry-after': '7' }) : answer(exchange),
  );
  assert.equal(await outcome(patch('/x')), 200);
  assert.deepEqual(pauses, [7000, 7000]);
  assert.equal(transport.throttled, 2);
});

test('requests that meet the end of a login share the next one', async t => {
  const dir = mkdtempSync(join(tmpdir(), 'jobctl-unit-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const tokenFile = join(dir, 'token');
  const kubeconfig = join(dir, 'config');
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: {} }],
    users: [{ name: 'u', user: { tokenFile } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  writeFileSync(tokenFile, 'old');
  const seen: (string | undefined)[] = [];
  const serve = (exchange: Exchange) => {
    const token = exchange.request.headers.authorization;
    seen.push(token);
    answer(exchange, token === 'Bearer new' ? 200 : 401);
    // renewed as soon as the server has refused the old one
    writeFileSync(tokenFile, 'new');
  };
  const { outcome, lines } = await reach(t, serve, { options: { kubeconfig } });
  const outcomes = await Promise.all(['/a', '/b', '/c', '/d'].map(path => outcome(read(path))));
  assert.deepEqual(outcomes, [200, 200, 200, 200]);
  assert.equal(seen.filter(token => token === 'Bearer new').length, 4);
  assert.doesNotMatch(lines.join('\n'), /old|new|Bearer/);
});

test('what is under way when the transport is closed is not sent again', async t => {
  const asked: string[] = [];
  const begun = Promise.withResolvers<void>();
  const { transport, outcome } = await reach(t, exchange => {
    asked.push(exchange.request.url ?? '');
    if (exchange.request.url === '/first') answer(exchange);
    else begun.resolve();
  });
  assert.equal(await outcome(read('/first')), 200);
  const underWay = outcome(read('/second'));
  await begun.promise;
  await transport.close();
  assert.equal(await underWay, 'interrupted');
  assert.deepEqual(asked, ['/first', '/second']);
});
