// Names from a cluster, hostile ones too, as file names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toFileName } from '../../src/file-name.ts';

test('names that Kubernetes allows stay as they are', () => {
  for (const name of ['nightly-28391040-x7k2p', 'job.batch', 'main.previous.before.log', '0'])
    assert.equal(toFileName(name), name);
});

test('no name leaves the folder, names a device or needs a file system that knows capital letters', () => {
  assert.equal(toFileName('..'), '%2e%2e');
  assert.equal(toFileName('../../etc/passwd'), '%2e.%2f..%2fetc%2fpasswd');
  assert.equal(toFileName('a\0b\\c:d'), 'a%00b%5cc%3ad');
  assert.equal(toFileName('Main'), '%4dain');
  assert.equal(toFileName('aux.before.log'), '%61ux.before.log');
  assert.equal(toFileName('nul'), '%6eul');
  assert.equal(toFileName('console'), 'console');
  assert.equal(toFileName('a.'), 'a%2e');
  assert.equal(toFileName(''), '%');
});

test('whatever a name is, its file name is safe, and no other name has it', () => {
  const seen = new Map<string, string>();
  const anyName = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('.', 'a', 'A', '%', '~', '/') }),
  );
  fc.assert(
    fc.property(anyName, name => {
      const file = toFileName(name);
      assert.match(file, /^[a-z0-9._%~-]+$/);
      assert.doesNotMatch(file, /^\.|\.$/);
      assert.ok(file.length <= 200);
      assert.equal(seen.get(file) ?? name, name);
      seen.set(file, name);
    }),
    { numRuns: 2000 },
  );
});

test('a name that is too long is cut, and keeps its ending', () => {
  const one = toFileName(`${'a'.repeat(253)}.before.json`);
  const other = toFileName(`${'a'.repeat(252)}b.before.json`);
  assert.notEqual(one, other);
  assert.match(one, /^a+~[0-9a-f]{16}\.before\.json$/);
  assert.equal(one.length, 200);
});
