import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import headless from '@xterm/headless';
import { Screen } from '../../src/screen.ts';

/** A reader that takes one chunk at a time, a moment later. */
function slowReader(): { stream: NodeJS.WriteStream; taken: () => string } {
  let text = '';
  const stream = new Writable({
    highWaterMark: 1,
    write: (chunk, _encoding, done) => {
      text += chunk;
      setImmediate(done);
    },
  });
  return { stream: stream as NodeJS.WriteStream, taken: () => text };
}

test('a slow reader is waited for as often as it takes, and no listener is left on its stream', async () => {
  const out = slowReader();
  const err = slowReader();
  const screen = new Screen(out.stream, err.stream);
  const before = out.stream.listenerCount('error');
  for (let at = 0; at < 50; at++) await screen.show({ out: [`line ${at}`] });
  assert.equal(out.stream.listenerCount('error'), before);
  assert.equal(out.stream.listenerCount('drain'), 0);
});

test('the end waits until all that was written is taken, also what did not fill the stream', async () => {
  const out = slowReader();
  const err = slowReader();
  const screen = new Screen(out.stream, err.stream);
  screen.note('a last word');
  await screen.flushed();
  assert.equal(err.taken(), 'a last word\n');
});

/** What a person sees of everything that was written. */
async function seenOn(columns: number, rows: number, written: string): Promise<string[]> {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  await new Promise<void>(done => terminal.write(written, done));
  const { buffer } = terminal;
  const lines = Array.from({ length: buffer.active.length }, (_, at) =>
    (buffer.active.getLine(at)?.translateToString(true) ?? '').trimEnd(),
  );
  return lines.filter(line => line !== '');
}

test('a status of several lines is replaced by the next one, cut to the terminal, and gone when a line comes', async t => {
  let ms = 0;
  t.mock.method(performance, 'now', () => ms);
  let written = '';
  const terminal = Object.assign(
    new Writable({
      write: (chunk, _encoding, done) => {
        written += chunk;
        done();
      },
    }),
    { isTTY: true, columns: 40, rows: 4 },
  );
  const screen = new Screen(slowReader().stream, terminal as unknown as NodeJS.WriteStream);
  const show = async (status: string) => {
    ms += 1000;
    await screen.show({ status });
  };
  await show('waiting for 2 Jobs\n  pod/a running\n  pod/b running');
  await show(`waiting for 1 Job\n  pod/a ending ${'x'.repeat(60)}\n  pod/b\n  pod/c\n  pod/d`);
  const during = await seenOn(40, 4, written);
  assert.deepEqual(during, ['waiting for 1 Job', `  pod/a ending ${'x'.repeat(24)}`, '  pod/b']);
  await screen.show({ err: ['stopped'] });
  await screen.flushed();
  assert.deepEqual(await seenOn(40, 4, written), ['stopped']);
});
