// Lints the command tree: every verb has examples that parse, every flag a sentence, no clash of letters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConnection } from '../src/commands/connection.ts';
import { commands, readCommandLine } from '../src/program.ts';

for (const command of commands) {
  test(`${command.name} has at least two examples, and each of them parses`, async () => {
    assert.ok(command.examples.length >= 2);
    for (const [line] of command.examples) {
      const asked = await readCommandLine(line.split(' '), '0', 100);
      assert.equal(asked.do, 'run', line);
      if (asked.do !== 'run') continue;
      assert.ok(asked.command.options(asked.words, asked.texts));
      assert.ok(readConnection(asked.texts));
    }
  });

  test(`every flag of ${command.name} has a sentence in plain words`, () => {
    for (const [name, flag] of Object.entries(command.flags)) {
      assert.match(flag.about, /^[a-z].{10,}[^.]$/, `--${name}`);
      if (flag.takes !== 'nothing') assert.ok(flag.placeholder, `--${name} says what its value is`);
    }
  });

  test(`no two flags of ${command.name} share a letter, and kubectl's letters keep kubectl's meaning`, () => {
    const letters = Object.entries(command.flags).flatMap(([name, flag]) =>
      flag.letter ? [[flag.letter, name] as const] : [],
    );
    assert.equal(new Set(letters.map(([letter]) => letter)).size, letters.length);
    const kubectl: Record<string, string> = {
      n: 'namespace',
      A: 'all-namespaces',
      l: 'selector',
      f: 'filename',
      R: 'recursive',
      o: 'output',
      s: 'server',
      v: 'v',
      i: 'interactive',
    };
    for (const [letter, name] of letters)
      if (kubectl[letter] !== undefined) assert.equal(name, kubectl[letter]);
  });
}

test('help of every verb shows its examples first and needs no cluster', async () => {
  for (const command of commands) {
    const asked = await readCommandLine([command.name, '--help'], '0', 100);
    assert.equal(asked.do, 'show');
    if (asked.do === 'show') assert.match(asked.text, /Examples:[\s\S]*Usage:\n {2}kubectl jobctl/);
  }
});
