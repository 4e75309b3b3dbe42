import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../../src/commands/command.ts';
import { commands, readCommandLine } from '../../../src/program.ts';

async function shown(...argv: string[]): Promise<string> {
  const asked = await readCommandLine(argv, '0', 100);
  if (asked.do !== 'show') throw new Error(`${argv.join(' ')} shows nothing`);
  return asked.text;
}

/** The names of the flags that a page of help has a head line for. */
const flagsIn = (page: string): string[] =>
  [...page.matchAll(/^ {2}(?:-\w,| {3}) --([a-z-]+)/gm)].map(([, name]) => name ?? '').sort();

for (const command of commands) {
  test(`${command.name} --help has each of its flags once, below a heading`, async () => {
    const page = await shown(command.name, '--help');
    assert.deepEqual(flagsIn(page), Object.keys(command.flags).sort());
  });

  test(`the examples of ${command.name} are read as they stand`, async () => {
    for (const [line] of command.examples) await assert.doesNotReject(() => optionsOf(line), line);
  });

  test(`the overview names ${command.name}`, async () => {
    assert.match(await shown('--help'), new RegExp(`^  ${command.name} +\\S`, 'm'));
  });
}

async function optionsOf(line: string): Promise<ReturnType<Command['options']>> {
  // a shell takes the quotes away
  const argv = line.match(/(?:'[^']*'|\S)+/g)?.map(word => word.replaceAll("'", '')) ?? [];
  const asked = await readCommandLine(argv, '0', 100);
  if (asked.do !== 'run') throw new Error(`${line} is no run`);
  return asked.command.options(asked.words, asked.texts);
}

test('resume neither waits nor takes a time limit, and says so instead of passing over it', async () => {
  for (const flag of ['wait', 'timeout'])
    await assert.rejects(
      () => optionsOf(`resume cronjob/sync --${flag}=1`),
      new RegExp(`unknown flag: --${flag}`),
    );
});
