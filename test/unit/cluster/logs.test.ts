// Logs over real sockets: as long as they are, whole or known to be cut, and never in the way of anything else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import type { LogQuery, LogRead } from '../../../src/cluster/contract.ts';
import { findDestination } from '../../../src/cluster/destination.ts';
import { openLog } from '../../../src/cluster/logs.ts';
import { Transport } from '../../../src/cluster/transport.ts';
import { LogFailure } from '../../../src/model/saving.ts';
import { failure } from '../../support/fake/answer.ts';
import { type Exchange, listen, type Protocol } from '../../support/fake/sockets.ts';
import { kinds } from '../nouns.ts';

type Serve = (exchange: Exchange, query: URLSearchParams) => unknown;

const ok = { 'content-type': 'text/plain' };

/** A server that answers requests for logs as `serve` says, any other at once, and a client of it whose pauses take no time. */
async function reach(t: TestContext, serve: Serve, { protocol = 'h2', deadlineMs = 30_000 }: Reaching = {}) {
  const server = await listen(protocol as Protocol, exchange => {
    const url = new URL(exchange.request.url ?? '/', 'http://server');
    if (url.pathname.endsWith('/log')) serve(exchange, url.searchParams);
    else exchange.response.writeHead(200).end('{}');
  });
  t.after(() => server.close());
  const interrupt = new AbortController();
  const clock = { ms: 0 };
  const options = { verbosity: 0, server: server.url, insecureSkipTlsVerify: true };
  const transport = new Transport(findDestination(options, {}), deadlineMs, {
    onWarning: () => undefined,
    onRequest: () => undefined,
    signal: interrupt.signal,
    clock: { elapsedMs: () => clock.ms, random: () => 0 },
    pause: async ms => {
      clock.ms += ms;
    },
    userAgent: 'test',
  });
  t.after(() => transport.close());
  const open = (more: Partial<LogQuery> = {}) =>
    openLog(transport, {
      pod: { kind: kinds.pod, namespace: 'batch', name: 'p' },
      container: 'main',
      previous: false,
      ended: false,
      ...more,
    });
  const other = () => transport.send({ method: 'GET', path: '/other', repeatable: true });
  return { open, other, interrupt, transport };
}

interface Reaching {
  readonly protocol?: Protocol;
  readonly deadlineMs?: number;
}

/** What came, and what broke it. */
async function readAll(read: LogRead): Promise<{ text: string; broken?: string }> {
  assert.equal(read.state, 'read', JSON.stringify(read));
  let text = '';
  try {
    for await (const chunk of read.value) text += Buffer.from(chunk).toString();
    return { text };
  } catch (problem) {
    assert.ok(problem instanceof LogFailure, String(problem));
    return { text, broken: problem.problem.code };
  }
}

const megabyte = Buffer.alloc(1024 * 1024, `${'x'.repeat(1023)}\n`);

for (const protocol of ['h2', 'http/1.1'] as const) {
  test(`a log of 200 MB waits for who reads it, beside other requests (${protocol})`, async t => {
    let sent = 0;
    const { open, other } = await reach(
      t,
      async ({ response }) => {
        response.writeHead(200, ok);
        for (; sent < 200; sent += 1) if (!response.write(megabyte)) await once(response, 'drain');
        response.end();
      },
      { protocol },
    );
    const read = await open();
    assert.equal(read.state, 'read');
    // nobody reads on, and everything else goes on
    for (let times = 0; times < 100; times += 1) assert.ok('answer' in (await other()));
    assert.ok(sent < 8, `the server could send ${sent} MB to nobody`);
    let [bytes, ahead] = [0, 0];
    for await (const chunk of read.value) {
      bytes += chunk.length;
      ahead = Math.max(ahead, sent * megabyte.length - bytes);
    }
    assert.equal(bytes, 200 * megabyte.length);
    assert.ok(ahead < 8 * megabyte.length, `${ahead} bytes were on their way`);
  });
}

test('a log may take longer than the deadline of a request, as long as something comes', async t => {
  let write = (): unknown => undefined;
  const { open } = await reach(
    t,
    ({ response }) => {
      response.writeHead(200, ok);
      let left = 6;
      write = () => (left-- > 0 ? response.write('line\n') : response.end());
      write();
      const timer = setInterval(write, 250);
      response.once('close', () => clearInterval(timer));
    },
    { deadlineMs: 1000 },
  );
  assert.deepEqual(await readAll(await open()), { text: 'line\n'.repeat(6) });
});

test('a log that goes silent is given up, and what had come is there', async t => {
  const { open } = await reach(t, ({ response }) => response.writeHead(200, ok).write('line\n'), {
    deadlineMs: 300,
  });
  assert.deepEqual(await readAll(await open()), { text: 'line\n', broken: 'timeout' });
});

test('a connection that breaks in the middle is told, with the first bytes or after them', async t => {
  const { open, other } = await reach(t, ({ response, reset }, query) => {
    response.writeHead(200, ok);
    response.write(query.get('container') === 'short' ? 'li' : `${'x'.repeat(5000)}\n`, () =>
      setImmediate(reset),
    );
  });
  await other();
  assert.equal((await readAll(await open({ container: 'short' }))).broken, 'unreachable');
  assert.equal((await readAll(await open())).broken, 'unreachable');
});

test('a log that was cut on its way and looks whole is known by its last line', async t => {
  const lines = ['first\n', 'last\n'];
  let cut = true;
  const { open } = await reach(t, ({ response }, query) => {
    response.writeHead(200, ok);
    if (query.get('tailLines') === '1') return response.end(lines.at(-1));
    return response.end(cut ? lines[0] : lines.join(''));
  });
  assert.deepEqual(await readAll(await open({ ended: true })), { text: 'first\n', broken: 'unreachable' });
  // of a container that still writes, the last line is another one by then
  assert.deepEqual(await readAll(await open()), { text: 'first\n' });
  cut = false;
  assert.deepEqual(await readAll(await open({ ended: true })), { text: 'first\nlast\n' });
});

test('an empty log, and one whose last line is longer than what is compared, are whole', async t => {
  const long = `${'first\n'}${'y'.repeat(200_000)}`;
  const { open } = await reach(t, ({ response }, query) => {
    response.writeHead(200, ok);
    if (query.get('container') === 'empty') return response.end();
    return response.end(query.get('tailLines') === '1' ? long.slice(6) : long);
  });
  assert.deepEqual(await readAll(await open({ ended: true, container: 'empty' })), { text: '' });
  assert.deepEqual(await readAll(await open({ ended: true })), { text: long });
});

test('a kubelet that cannot find the log says so with a 200: that is no log', async t => {
  const words = 'unable to retrieve container logs for containerd://0123abc';
  const { open } = await reach(t, ({ response }, query) =>
    response.writeHead(200, ok).end(query.get('container') === 'quotes' ? `${words}\n` : words),
  );
  const read = await open();
  assert.equal(read.state === 'unreadable' && read.problem.text, `Error from the kubelet: ${words}`);
  // a container that wrote this itself ended its line
  assert.deepEqual(await readAll(await open({ container: 'quotes' })), { text: `${words}\n` });
});

const answers = (status: number, message: string, details: Readonly<Record<string, unknown>> = {}): Serve => {
  const { body } = failure({ status, message, details });
  return ({ response }) => response.writeHead(status).end(JSON.stringify(body));
};

test('that there is no such log is one thing, that it cannot be had another', async t => {
  const state = async (serve: Serve) => {
    const { open } = await reach(t, serve);
    const read = await open();
    return read.state === 'unreadable' ? read.problem.code : read.state;
  };
  for (const words of [
    'previous terminated container "main" in pod "p" not found',
    'container "main" in pod "p" is waiting to start: ContainerCreating',
    'container "main" in pod "p" is waiting to start - no logs yet',
    'container "main" in pod "p" is not available',
    'container "main" in pod "p" is terminated',
  ])
    assert.equal(await state(answers(400, words)), 'absent', words);
  assert.equal(await state(({ response }) => response.writeHead(204).end()), 'absent');
  assert.equal(await state(answers(404, 'pods "p" not found', { name: 'p', kind: 'pods' })), 'gone');
  // the node of the Pod is not there any more: the server names it as a Pod
  assert.equal(await state(answers(404, 'pods "n" not found', { name: 'n', kind: 'pods' })), 'not-found');
  // the kubelet does not know the Pod
  assert.equal(await state(answers(404, 'not found', { name: 'p', kind: 'pods/log' })), 'not-found');
  assert.equal(await state(answers(400, 'container main is not valid for pod p')), 'invalid');
  assert.equal(await state(answers(403, 'pods/log is forbidden')), 'forbidden');
  assert.equal(
    await state(answers(500, 'Get "https://10.0.0.1:10250/…": dial tcp: refused')),
    'server-error',
  );
});

test('a log is asked for again when the server is busy, as anything else, and without compression', async t => {
  const seen: (string | undefined)[] = [];
  const { open, transport } = await reach(t, ({ request, response }) => {
    seen.push(request.headers['accept-encoding'] as string | undefined);
    if (seen.length < 3) response.writeHead(429, { 'retry-after': '1' }).end('{}');
    else response.writeHead(200, ok).end('line\n');
  });
  assert.deepEqual(await readAll(await open()), { text: 'line\n' });
  assert.deepEqual(seen, [undefined, undefined, undefined]);
  assert.equal(transport.throttled, 2);
});

test('an interrupt ends a log in the middle', async t => {
  const { open, interrupt } = await reach(t, ({ response }) => response.writeHead(200, ok).write('line\n'));
  const read = await open();
  interrupt.abort();
  assert.deepEqual(await readAll(read), { text: 'line\n', broken: 'interrupted' });
});
