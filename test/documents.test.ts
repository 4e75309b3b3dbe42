// What the documents say about the code is what the code says.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { exitCodes } from '../src/errors.ts';
import { commands, readCommandLine } from '../src/program.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

test('the README lists exactly the exit codes that there are', () => {
  const table = read('README.md').split('## Exit codes')[1]?.split('## ')[0] ?? '';
  const listed = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  assert.deepEqual(
    listed,
    Object.values(exitCodes).sort((a, b) => a - b),
  );
});

const pages = [
  'README.md',
  ...readdirSync(new URL('../docs', import.meta.url))
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/${file}`),
];

/** As a shell splits it, as far as it is needed here. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test('every command line of the documents parses', async () => {
  // how a verb is called in general stands there too
  const lines = pages.flatMap(page =>
    [...read(page).matchAll(/^ *\$? ?kubectl jobctl (.+?)(?: +#.*)?$/gm)]
      .map(([, line]) => ({ page, line: line ?? '' }))
      .filter(({ line }) => !line.endsWith('[flags]')),
  );
  assert.ok(lines.length > 60);
  for (const { page, line } of lines) {
    const asked = await readCommandLine(words(line), '0', 100);
    assert.equal(asked.do, 'run', `${page}: ${line}`);
    if (asked.do === 'run') assert.ok(asked.command.options(asked.words, asked.texts), `${page}: ${line}`);
  }
});

test('every flag that the documents name is a flag of some command', () => {
  const known = new Set(commands.flatMap(command => Object.keys(command.flags)));
  const named = pages.flatMap(page =>
    [...read(page).matchAll(/`--([a-z-]+)/g)].map(([, name]) => `${page}: ${name}`),
  );
  assert.ok(named.length > 100);
  assert.deepEqual(
    named.filter(name => !known.has(name.split(': ')[1] ?? '')),
    [],
  );
});

test('every file that the map in CONTRIBUTING names exists', () => {
  const named = [...read('CONTRIBUTING.md').matchAll(/`((?:src|test|build|docs)\/[\w./-]+)`/g)].map(
    ([, path]) => path ?? '',
  );
  assert.deepEqual(
    named.filter(path => !existsSync(new URL(`../${path}`, import.meta.url))),
    [],
  );
});

test('the krew manifest has the five platforms, and a short description that krew takes', () => {
  const manifest = parse(read('krew-manifest.yaml'));
  const platforms = manifest.spec.platforms.map(
    ({ selector: { matchLabels } }: { selector: { matchLabels: { os: string; arch: string } } }) =>
      `${matchLabels.os}/${matchLabels.arch}`,
  );
  assert.deepEqual(platforms, [
    'linux/amd64',
    'linux/arm64',
    'darwin/amd64',
    'darwin/arm64',
    'windows/amd64',
  ]);
  assert.ok(manifest.spec.shortDescription.length <= 50);
  assert.ok(manifest.spec.description.split('\n').every((line: string) => line.length <= 80));
});
