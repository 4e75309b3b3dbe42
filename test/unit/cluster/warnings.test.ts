// The server's warnings: taken out of their header, each told once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWarnings, Warnings } from '../../../src/cluster/warnings.ts';

for (const [header, texts] of [
  ['299 - "one"', ['one']],
  ['299 - "one", 299 - "two"', ['one', 'two']],
  ['299 agent "with, a comma, and 299 - inside"', ['with, a comma, and 299 - inside']],
  ['299 - "a \\"quoted\\" word and a \\\\"', ['a "quoted" word and a \\']],
  ['299 - "dated" "Wed, 21 Oct 2026 07:28:00 GMT"', ['dated']],
  ['299 - "\u001b[31mred"', [' [31mred']],
  ['199 - "not ours"', []],
  ['299 - "cut off', []],
  ['', []],
] as const) {
  test(`${JSON.stringify(header)} says ${JSON.stringify(texts)}`, () =>
    assert.deepEqual(parseWarnings(header), texts));
}

test('each text is told once, in whatever header it comes', () => {
  const told: string[] = [];
  const warnings = new Warnings(text => told.push(text));
  warnings.add(undefined);
  warnings.add('299 - "a", 299 - "b"');
  warnings.add(['299 - "b"', '299 - "c"']);
  warnings.add('299 - "a"');
  assert.deepEqual(told, ['a', 'b', 'c']);
});
