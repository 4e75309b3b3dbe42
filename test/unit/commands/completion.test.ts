// `completion SHELL`, the words. What is printed for each shell is in test/unit/report/completion-script.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shells } from '../../../src/commands/completion.ts';
import { readCommandLine } from '../../../src/program.ts';
import { completionScript } from '../../../src/report/completion-script.ts';

async function shown(...argv: string[]): Promise<string> {
  const asked = await readCommandLine(argv, '0', 100);
  if (asked.do !== 'show') throw new Error(`${argv.join(' ')} shows nothing`);
  return asked.text;
}

for (const shell of shells)
  test(`completion ${shell} prints the script of that shell`, async () => {
    assert.equal(await shown('completion', shell), completionScript(shell));
  });

// as kubectl 1.37.2 says it of its own
for (const [line, message] of [
  ['completion', 'Shell not specified.'],
  ['completion tcsh', 'Unsupported shell type "tcsh".'],
  ['completion bash zsh', 'Too many arguments. Expected only the shell type.'],
  ['completion --all bash', 'unknown flag: --all'],
] as const)
  test(`“${line}” is a usage error, in kubectl's words`, async () => {
    await assert.rejects(() => readCommandLine(line.split(' '), '0', 100), { kind: 'usage', message });
  });

for (const line of ['completion -h', 'completion bash --help', 'help completion'])
  test(`“${line}” shows how each shell is told`, async () => {
    const page = await shown(...line.split(' '));
    for (const shell of shells) assert.match(page, new RegExp(`kubectl jobctl completion ${shell}$`, 'm'));
    assert.match(page, /^Usage:\n {2}kubectl jobctl completion SHELL$/m);
  });

test('the overview names it, and not the word that only kubectl says', async () => {
  const overview = await shown('--help');
  assert.match(overview, /^ {2}completion +\S/m);
  assert.doesNotMatch(overview, /__complete/);
  assert.deepEqual(await readCommandLine(['__complete', 'delete', ''], '0', 100), {
    do: 'complete',
    typed: ['delete', ''],
  });
});
