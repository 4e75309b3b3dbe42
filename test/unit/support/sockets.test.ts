// What the fake leaves behind: a test file that has passed has to end too.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const sockets = join(resolve(import.meta.dirname, '..', '..'), 'support', 'fake', 'sockets.ts');

const program = `
  import { connect } from 'node:net';
  import { listen } from ${JSON.stringify(sockets)};
  const listener = await listen('plain', ({ request: { socket } }) => {
    socket.write('x', () => {
      socket.end();
      queueMicrotask(async () => {
        listener.breakAll();
        await listener.close();
        console.log('closed');
      });
    });
  });
  const client = connect(new URL(listener.url).port, '127.0.0.1').on('error', () => undefined).resume();
  client.write('GET / HTTP/1.1\\r\\nHost: fake\\r\\n\\r\\n');
`;

test('a connection that is broken while it is being ended does not keep the process from ending', async t => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  child.stdout.setEncoding('utf8');
  let said = '';
  child.stdout.on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close', { signal: AbortSignal.timeout(30_000) });
  assert.deepEqual({ code, said }, { code: 0, said: 'closed\n' });
});
