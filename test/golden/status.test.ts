// The album of `status`: for each world what people see. UPDATE=1 rewrites; a case without its picture fails.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { planStatus } from '../../src/plan/status.ts';
import { readCommandLine } from '../../src/program.ts';
import { statusLines } from '../../src/report/status-lines.ts';
import { selectStatus } from '../../src/select/status.ts';
import { memoryReader } from './memory-reader.ts';
import { type Case, expand } from './world.ts';

const here = join(import.meta.dirname, 'status');
const [world, picture] = ['.world.yaml', '.txt'];
const namesOf = (end: string): string[] =>
  readdirSync(here)
    .filter(file => file.endsWith(end))
    .map(file => file.slice(0, -end.length));

async function seenIn({ argv, now, objects }: Case): Promise<string> {
  const asked = await readCommandLine(argv.split(' '), '0', 100);
  if (asked.do !== 'run') throw new Error(`${argv} is no run`);
  const options = asked.command.options(asked.words, asked.texts);
  if (options.verb !== 'status') throw new Error(`${argv} is no status`);
  const read = memoryReader(expand({ argv, now, objects }), new Date(now));
  return `${statusLines(planStatus(await selectStatus(options, read), options), options.output).join('\n')}\n`;
}

for (const name of namesOf(world)) {
  test(`golden: status/${name}`, async () => {
    const seen = await seenIn(parse(readFileSync(join(here, name + world), 'utf8')) as Case);
    const file = join(here, name + picture);
    if (process.env['UPDATE'] === '1') writeFileSync(file, seen);
    assert.ok(existsSync(file), `${name}${picture} is missing: look at what is shown, then UPDATE=1`);
    assert.equal(seen, readFileSync(file, 'utf8'));
  });
}

test('no picture without its world', () => {
  assert.deepEqual(
    namesOf(picture).filter(name => !namesOf(world).includes(name)),
    [],
  );
});
