import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StopOptions } from '../../../src/model/options.ts';
import { readCommandLine } from '../../../src/program.ts';
import { isUsageError } from './usage-error.ts';

async function read(text: string | readonly string[]): Promise<StopOptions> {
  const argv = typeof text === 'string' ? text.split(' ') : [...text];
  const asked = await readCommandLine(argv, '0', 100);
  if (asked.do !== 'run') throw new Error(`${argv.join(' ')} is no run`);
  return asked.command.options(asked.words, asked.texts) as StopOptions;
}

const named = (...targets: [type: string, name: string][]): StopOptions['words'] => ({
  by: 'name',
  targets: targets.map(([type, name]) => ({ type, name })),
});

const words: readonly [string, StopOptions['words']][] = [
  ['stop cronjob/sync', named(['cronjob', 'sync'])],
  ['stop cronjob sync', named(['cronjob', 'sync'])],
  ['stop job a b', named(['job', 'a'], ['job', 'b'])],
  ['stop job/a cronjob/b scaledjob/c', named(['job', 'a'], ['cronjob', 'b'], ['scaledjob', 'c'])],
  ['stop job 1e5 007', named(['job', '1e5'], ['job', '007'])],
  ['stop import', { by: 'bare-name', word: 'import' }],
  ['stop cronjobs', { by: 'bare-name', word: 'cronjobs' }],
  ['stop -l team=billing', { by: 'selection', types: [] }],
  ['stop -l team=billing -A', { by: 'selection', types: [] }],
  ['stop cronjobs -l team=billing', { by: 'selection', types: ['cronjobs'] }],
  ['stop cronjobs,jobs -l team=billing', { by: 'selection', types: ['cronjobs', 'jobs'] }],
  ['stop jobs --field-selector metadata.name=x', { by: 'selection', types: ['jobs'] }],
  ['stop cronjobs --all', { by: 'selection', types: ['cronjobs'] }],
  ['stop cronjobs --all -A', { by: 'selection', types: ['cronjobs'] }],
];
for (const [text, expected] of words)
  test(`"${text}" means what it says`, async () => assert.deepEqual((await read(text)).words, expected));

const complaints: readonly [string, RegExp][] = [
  ['stop', /You must provide one or more resources by name, or select them with -l/],
  ['stop --all', /--all needs a TYPE: stop cronjobs --all/],
  ['stop cronjob/a -l app=x', /name cannot be provided when a selector is specified/],
  ['stop cronjob a --all', /name cannot be provided when a selector is specified/],
  ['stop cronjob/a -A', /a resource cannot be retrieved by name across all namespaces/],
  ['stop import -A', /a resource cannot be retrieved by name across all namespaces/],
  ['stop cronjob/a b', /there is no need to specify a resource type as a separate argument/],
  ['stop cronjob/', /./],
  ['stop cronjob/a --wait=false', /stop has to follow what it ends.*--wait=false is not possible/],
  ['stop cronjob/a --no-save --save here', /--save and --no-save exclude each other/],
  ['stop cronjob/a --save', /save/],
  ['stop cronjob/a --reason', /reason/],
  ['stop cronjob/a --timeout soon', /timeout/],
  ['stop cronjob/a --dry-run=maybe', /dry-run/],
  ['stop cronjob/a --suspend', /suspend/],
  ['stop cronjob/a --force', /force/],
  ['stop cronjob/a --cascade=orphan', /cascade/],
];
for (const [text, expected] of complaints)
  test(`"${text}" is a usage error before any request`, () =>
    assert.rejects(() => read(text), isUsageError(expected)));

test('without flags evidence is saved into a folder of its own, and it asks', async () => {
  const { saveDir, noSave, suspendOnly, ignoreSaveErrors, yes, dryRun, reason } = await read('stop job/a');
  assert.deepEqual(
    { saveDir, noSave, suspendOnly, ignoreSaveErrors, yes, dryRun, reason },
    {
      saveDir: undefined,
      noSave: false,
      suspendOnly: false,
      ignoreSaveErrors: false,
      yes: false,
      dryRun: 'none',
      reason: undefined,
    },
  );
});

const flags: readonly [string, Partial<StopOptions>][] = [
  ['--suspend-only', { suspendOnly: true }],
  ['--no-save', { noSave: true }],
  ['--save evidence/today', { saveDir: 'evidence/today' }],
  ['--ignore-save-errors', { ignoreSaveErrors: true }],
  ['--reason INC-1234', { reason: 'INC-1234' }],
  ['--timeout 90s', { timeoutMs: 90_000 }],
  ['--timeout 0', { timeoutMs: 0 }],
  ['--dry-run', { dryRun: 'client' }],
  ['--dry-run=server', { dryRun: 'server' }],
  ['-y', { yes: true }],
  ['--max 5', { max: 5 }],
  ['--confirm 1a2b3c4d', { confirm: '1a2b3c4d' }],
  ['--include-protected', { includeProtected: true }],
  ['-o json', { output: 'json' }],
];
for (const [text, expected] of flags)
  test(`${text} is understood`, async () => {
    const options = await read(`stop cronjob/a ${text}`);
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(options[name as keyof StopOptions], value);
  });

test('a reason is any text', async () => {
  assert.equal(
    (await read(['stop', 'job/a', '--reason', 'sync is "broken"\n– again'])).reason,
    'sync is "broken"\n– again',
  );
});

test('its options cannot be changed after they were read', async () => {
  const options = await read('stop job/a');
  assert.ok(Object.isFrozen(options));
});
