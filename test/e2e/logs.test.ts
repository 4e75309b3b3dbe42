// Logs through a real API server, from a kubelet that is played: what the server passes on, what it hides, and what it says itself.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { LogQuery, LogRead } from '../../src/cluster/contract.ts';
import { LogFailure } from '../../src/model/saving.ts';
import { aNamespace, sharedControlPlane } from '../cluster/shared.ts';
import { pointNodeAt, serveLogs } from '../cluster/state/log-server.ts';
import { createNode, nodePath } from '../cluster/state/nodes.ts';
import { createPod } from '../cluster/state/pods.ts';
import { connectAs } from '../contract/place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

type Answering = Parameters<typeof serveLogs>[2];

/** A Pod `p` on a node whose kubelet answers so, and what is read of its logs. */
async function aLog(t: TestContext, answer: Answering) {
  const namespace = await aNamespace(t, plane);
  const node = `node-${namespace}`;
  await createNode(admin, { name: node });
  t.after(() => admin.delete(nodePath(node)));
  t.after(await serveLogs(admin, node, answer));
  await createPod(admin, { name: 'p', namespace, node, phase: 'Running' });
  const { reader, kind } = connectAs(t, plane.adminKubeconfig, namespace, { requestTimeoutMs: 3000 });
  const pod = { kind: await kind('', 'Pod'), namespace, name: 'p' };
  const read = (more: Partial<LogQuery> = {}) =>
    reader.openLog({ pod, container: 'main', previous: false, ended: false, ...more });
  return { namespace, node, pod, reader, read };
}

async function textOf(read: LogRead): Promise<string> {
  assert.equal(read.state, 'read', JSON.stringify(read));
  let text = '';
  for await (const chunk of read.value) text += Buffer.from(chunk).toString();
  return text;
}

const saying =
  (status: number, words: string): Answering =>
  (_, response) =>
    response.writeHead(status).end(words);

test('a log comes as the kubelet gives it, that of the run before too', async t => {
  const { read } = await aLog(t, ({ pod, container, query }, response) =>
    response.end(`${pod}/${container} ${query.get('previous') ?? 'newest'}\n\u0000ü`),
  );
  assert.equal(await textOf(await read()), 'p/main newest\n\u0000ü');
  assert.equal(await textOf(await read({ previous: true })), 'p/main true\n\u0000ü');
});

test('that there is no such log comes in the words of the kubelet', async t => {
  const words = 'previous terminated container "main" in pod "p" not found';
  const { read } = await aLog(t, saying(400, words));
  assert.deepEqual(await read({ previous: true }), {
    state: 'absent',
    text: `Error from server (BadRequest): ${words}`,
  });
});

test('a kubelet that dies in the middle of a log leaves one that looks whole; its last line tells', async t => {
  const { read } = await aLog(t, ({ query }, response, request) => {
    if (query.get('tailLines') === '1') response.end('last\n');
    else response.write('first\n', () => request.socket.destroy());
  });
  // the API server ends its answer as if nothing had happened
  assert.equal(await textOf(await read()), 'first\n');
  const checked = await read({ ended: true });
  await assert.rejects(textOf(checked), (failure: unknown) => {
    assert.ok(failure instanceof LogFailure);
    assert.equal(failure.problem.text, 'the log broke off on its way: its last line did not come');
    return true;
  });
});

test('a kubelet that cannot find the file says so with a 200: it is not taken for the log', async t => {
  const words = 'unable to retrieve container logs for containerd://0123abc';
  const { read } = await aLog(t, (_, response) => {
    response.flushHeaders();
    response.end(words);
  });
  assert.deepEqual(await read(), {
    state: 'unreadable',
    problem: { code: 'server-error', text: `Error from the kubelet: ${words}` },
  });
});

test('a kubelet that is not there, or that does not know the Pod, is a failure', async t => {
  const { read, node } = await aLog(t, saying(404, 'pod "p" does not exist'));
  const unknown = await read();
  assert.ok(unknown.state === 'unreadable');
  assert.deepEqual([unknown.problem.code, unknown.problem.status], ['not-found', 404]);
  await pointNodeAt(admin, node, 1);
  const dead = await read();
  assert.ok(dead.state === 'unreadable');
  assert.deepEqual([dead.problem.code, dead.problem.status], ['server-error', 500]);
  assert.match(dead.problem.text, /dial tcp 127\.0\.0\.1:1: connect: connection refused/);
});

test('a Node that is gone is named; a Pod that is gone, and one without a node, are no failures', async t => {
  const { read, node, pod, namespace } = await aLog(t, saying(200, ''));
  await createPod(admin, { name: 'waits', namespace });
  assert.equal((await read({ pod: { ...pod, name: 'waits' } })).state, 'absent');
  assert.equal((await read({ pod: { ...pod, name: 'nobody' } })).state, 'gone');
  await admin.delete(nodePath(node));
  const read404 = await read();
  assert.ok(read404.state === 'unreadable', JSON.stringify(read404));
  assert.equal(read404.problem.text, `Error from server (NotFound): nodes "${node}" not found`);
});

test('a kubelet that goes silent is given up', async t => {
  const { read } = await aLog(t, (_, response) => response.write('a line\n'));
  await assert.rejects(textOf(await read()), (failure: unknown) => {
    assert.ok(failure instanceof LogFailure);
    assert.equal(failure.problem.code, 'timeout');
    return true;
  });
});
