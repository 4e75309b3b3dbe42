import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
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
