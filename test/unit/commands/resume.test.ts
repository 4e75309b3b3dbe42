import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResumeOptions } from '../../../src/model/options.ts';
import { readCommandLine } from '../../../src/program.ts';
import { isUsageError } from './usage-error.ts';

async function read(text: string): Promise<ResumeOptions> {
  const asked = await readCommandLine(text.split(' '), '0', 100);
  if (asked.do !== 'run') throw new Error(`${text} is no run`);
  return asked.command.options(asked.words, asked.texts) as ResumeOptions;
}

const named = (...targets: [type: string, name: string][]): ResumeOptions['words'] => ({
  by: 'name',
  targets: targets.map(([type, name]) => ({ type, name })),
});

const words: readonly [string, ResumeOptions['words']][] = [
  ['resume', { by: 'nothing' }],
  ['resume -A', { by: 'nothing' }],
  ['resume -n batch', { by: 'nothing' }],
  ['resume cronjob/sync', named(['cronjob', 'sync'])],
  ['resume cronjob sync', named(['cronjob', 'sync'])],
  ['resume job/a cronjob/b scaledjob/c', named(['job', 'a'], ['cronjob', 'b'], ['scaledjob', 'c'])],
  ['resume job 1e5 007', named(['job', '1e5'], ['job', '007'])],
  ['resume sync', { by: 'bare-name', word: 'sync' }],
  ['resume -l team=billing', { by: 'selection', types: [] }],
  ['resume -l team=billing -A', { by: 'selection', types: [] }],
  ['resume cronjobs,scaledjobs -l team=billing', { by: 'selection', types: ['cronjobs', 'scaledjobs'] }],
  ['resume cronjobs --all', { by: 'selection', types: ['cronjobs'] }],
];
for (const [text, expected] of words)
  test(`"${text}" means what it says`, async () => assert.deepEqual((await read(text)).words, expected));

const complaints: readonly [string, RegExp][] = [
  ['resume --all', /--all needs a TYPE: resume cronjobs --all/],
  ['resume cronjob/a -l app=x', /name cannot be provided when a selector is specified/],
  ['resume cronjob a --all', /name cannot be provided when a selector is specified/],
  ['resume cronjob/a -A', /a resource cannot be retrieved by name across all namespaces/],
  ['resume sync -A', /a resource cannot be retrieved by name across all namespaces/],
  ['resume cronjob/a b', /there is no need to specify a resource type as a separate argument/],
  ['resume --skip-missed', /name what is to be resumed: resume cronjob\/NAME/],
  ['resume --run-now', /name what is to be resumed/],
  ['resume --release-evidence -y', /name what is to be resumed/],
  ['resume cronjob/a --dry-run=maybe', /dry-run/],
  ['resume cronjob/a --suspend-only', /suspend-only/],
  ['resume cronjob/a --reason x', /reason/],
  ['resume cronjob/a --starting-deadline 60s', /starting-deadline/],
];
for (const [text, expected] of complaints)
  test(`"${text}" is a usage error before any request`, () =>
    assert.rejects(() => read(text), isUsageError(expected)));

test('without flags missed runs are caught up, no Job is started, evidence stays, and it asks', async () => {
  const { skipMissed, runNow, releaseEvidence, yes, dryRun, output } = await read('resume cronjob/a');
  assert.deepEqual(
    { skipMissed, runNow, releaseEvidence, yes, dryRun, output },
    { skipMissed: false, runNow: false, releaseEvidence: false, yes: false, dryRun: 'none', output: 'text' },
  );
});

const flags: readonly [string, Partial<ResumeOptions>][] = [
  ['--skip-missed', { skipMissed: true }],
  ['--run-now', { runNow: true }],
  ['--release-evidence', { releaseEvidence: true }],
  ['--skip-missed --run-now', { skipMissed: true, runNow: true }],
  ['--dry-run', { dryRun: 'client' }],
  ['--dry-run=server', { dryRun: 'server' }],
  ['-y', { yes: true }],
  ['--max 5', { max: 5 }],
  ['--confirm 1a2b3c4d', { confirm: '1a2b3c4d' }],
  ['-o json', { output: 'json' }],
];
for (const [text, expected] of flags)
  test(`${text} is understood`, async () => {
    const options = await read(`resume cronjob/a ${text}`);
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(options[name as keyof ResumeOptions], value);
  });

test('its options cannot be changed after they were read', async () => {
  assert.ok(Object.isFrozen(await read('resume cronjob/a')));
});
