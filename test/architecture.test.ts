// Imports point one way; the edges of the process and of the client library stay where they are; files stay short.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));

/** Which rooms a room may import from. `types` means types of cluster/contract.ts only. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  model: [],
  plan: ['model'],
  report: ['model', 'errors.ts'],
  confirm: ['model', 'errors.ts'],
  cluster: ['model', 'errors.ts', 'pool.ts'],
  select: ['model', 'errors.ts', 'pool.ts', 'cluster/contract.ts'],
  execute: ['model', 'pool.ts', 'cluster/contract.ts'],
  commands: ['model', 'errors.ts'],
  complete: ['model', 'commands', 'cluster/contract.ts', 'select/resolve-kind.ts'],
};

interface Import {
  readonly from: string;
  readonly path: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const found = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'/gm)];
  const lazy = [...text.matchAll(/import\('([^']+)'\)/g)];
  return [
    ...found.map(([, type, path]) => ({ from: file, path: path ?? '', typeOnly: type !== undefined })),
    ...lazy.map(([, path]) => ({ from: file, path: path ?? '', typeOnly: false })),
  ];
}

const roomOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : '');
const inside = (one: Import): string => relative(src, join(src, dirname(one.from), one.path));

const wrong = (imports: readonly Import[]): string[] =>
  imports.flatMap(one => {
    const allowed = mayImport[roomOf(one.from)];
    if (allowed === undefined || !one.path.startsWith('.')) return [];
    const target = inside(one);
    const isAllowed =
      roomOf(target) === roomOf(one.from) ||
      allowed.some(way => target === way || target.startsWith(`${way}/`));
    const isType = !target.startsWith('cluster/') || roomOf(one.from) === 'cluster' || one.typeOnly;
    return isAllowed && isType ? [] : [`${one.from} imports ${target}`];
  });

test('imports point one way', () => assert.deepEqual(wrong(files.flatMap(importsOf)), []));

test('a planted wrong import is caught', () => {
  const planted = [
    { from: 'plan/delete.ts', path: '../cluster/writer.ts', typeOnly: false },
    { from: 'execute/settle.ts', path: '../cluster/contract.ts', typeOnly: false },
    { from: 'model/job.ts', path: '../errors.ts', typeOnly: true },
    { from: 'complete/names.ts', path: '../cluster/reader.ts', typeOnly: false },
  ];
  assert.equal(wrong(planted).length, 4);
});

test('only cluster/ imports the client library and undici', () => {
  const users = files.flatMap(importsOf).filter(one => /^(@kubernetes\/client-node|undici)/.test(one.path));
  assert.ok(users.length > 0);
  assert.deepEqual([...new Set(users.map(one => roomOf(one.from)))], ['cluster']);
});

test('only plan/schedule.ts imports the cron library, and no planner another one', () => {
  const users = files.flatMap(importsOf).filter(one => !one.path.startsWith('.'));
  const ofPlanners = users.filter(one => one.path === 'croner' || roomOf(one.from) === 'plan');
  assert.deepEqual(
    ofPlanners.filter(({ path }) => !path.startsWith('node:')).map(({ from, path }) => `${from}: ${path}`),
    ['plan/schedule.ts: croner'],
  );
});

test('only main.ts touches process', () => {
  const users = files.filter(
    file => /\bprocess\b(?!['"-])/.test(codeOf(file)) || /from 'node:process'/.test(codeOf(file)),
  );
  assert.deepEqual(users, ['main.ts']);
});

test('only disk.ts writes to the disk', () => {
  const writing =
    /import \{[^}]*\b(?:mkdir|open|rename|rm|unlink|write\w*|append\w*|create\w*)\b[^}]*\} from 'node:fs/;
  assert.deepEqual(
    files.filter(file => writing.test(codeOf(file))),
    ['disk.ts'],
  );
});

test('planners know no clock, no network and no await', () => {
  const guilty = files
    .filter(file => file.startsWith('plan/'))
    .filter(file => /\bawait\b|\basync\b|Date\.now|new Date\(\)|performance\./.test(codeOf(file)));
  assert.deepEqual(guilty, []);
});

test('report/ writes no command by hand: next-command.ts does, and adds the flags of the cluster that was meant', () => {
  const written = /kubectl (?:jobctl )?(?:delete|prune|unstick|stop|resume|patch|logs|wait)\b/;
  assert.deepEqual(
    files.filter(file => file.startsWith('report/') && written.test(codeOf(file))),
    [],
  );
});

/** One entry after the other, with nothing between them: they grow with what is known. */
const tables = new Set(['model/known-finalizers.ts', 'report/finalizer-words.ts', 'report/words.ts']);

test('no file but a table is longer than 250 lines, and none is named after nothing', () => {
  const long = files
    .filter(file => !tables.has(file))
    .filter(file => readFileSync(join(src, file), 'utf8').split('\n').length > 250);
  assert.deepEqual(long, []);
  assert.deepEqual(
    files.filter(file => /(utils?|helpers?|common|misc|manager|index|types)\.ts$/.test(file)),
    [],
  );
});

/** The file without comments. */
function codeOf(file: string): string {
  return readFileSync(join(src, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '');
}
