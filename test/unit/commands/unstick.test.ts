import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UnstickOptions } from '../../../src/model/options.ts';
import { readCommandLine } from '../../../src/program.ts';

async function read(text: string): Promise<UnstickOptions> {
  const asked = await readCommandLine(text.split(' '), '0', 100);
  assert.equal(asked.do, 'run');
  if (asked.do !== 'run') throw new Error('not a run');
  return asked.command.options(asked.words, asked.texts) as UnstickOptions;
}

const words: readonly [string, UnstickOptions['words']][] = [
  ['unstick', { by: 'scan', types: [] }],
  ['unstick -A', { by: 'scan', types: [] }],
  ['unstick --finalizer example.com/x', { by: 'scan', types: [] }],
  ['unstick pods', { by: 'one-word', word: 'pods' }],
  ['unstick report', { by: 'one-word', word: 'report' }],
  ['unstick pods,jobs', { by: 'one-word', word: 'pods,jobs' }],
  ['unstick pods -A', { by: 'one-word', word: 'pods' }],
  ['unstick pods -l app=web', { by: 'scan', types: ['pods'] }],
  ['unstick pods,jobs -l app=web -A', { by: 'scan', types: ['pods', 'jobs'] }],
  ['unstick pods --field-selector status.phase=Failed', { by: 'scan', types: ['pods'] }],
  ['unstick job report', { by: 'name', targets: [{ type: 'job', name: 'report' }] }],
  [
    'unstick job 1e5 007',
    {
      by: 'name',
      targets: [
        { type: 'job', name: '1e5' },
        { type: 'job', name: '007' },
      ],
    },
  ],
  [
    'unstick job,pod a',
    {
      by: 'name',
      targets: [
        { type: 'job', name: 'a' },
        { type: 'pod', name: 'a' },
      ],
    },
  ],
  [
    'unstick job/a namespace/b',
    {
      by: 'name',
      targets: [
        { type: 'job', name: 'a' },
        { type: 'namespace', name: 'b' },
      ],
    },
  ],
];
for (const [text, expected] of words) {
  test(`"${text}" means what it says`, async () => assert.deepEqual((await read(text)).words, expected));
}

const complaints: readonly [string, RegExp][] = [
  ['unstick --all-finalizers --finalizer x', /^--all-finalizers and --finalizer exclude each other/],
  ['unstick --finalizer=', /^--finalizer needs a value, not an empty one/],
  ['unstick job/a -A', /^a resource cannot be retrieved by name across all namespaces/],
  ['unstick job a -A', /^a resource cannot be retrieved by name across all namespaces/],
  ['unstick job/a -A -n x', /^--all-namespaces and --namespace exclude each other/],
  ['unstick -l app=web', /^a selector needs a TYPE: unstick TYPE -l SELECTOR/],
  ['unstick --field-selector metadata.name=x', /^a selector needs a TYPE: unstick TYPE -l SELECTOR/],
  ['unstick job/a -l app=web', /^name cannot be provided when a selector is specified/],
  ['unstick job a -l app=web', /^name cannot be provided when a selector is specified/],
  ['unstick job/a b', /^there is no need to specify a resource type as a separate argument/],
  ['unstick job a/b', /^there is no need to specify a resource type as a separate argument/],
  ['unstick --force-finalize', /^--force-finalize is for namespaces that are named/],
  ['unstick -A --force-finalize', /^--force-finalize is for namespaces that are named/],
  ['unstick namespaces --force-finalize', /^--force-finalize is for namespaces that are named/],
  ['unstick --stuck-for=soon', /^--stuck-for: /],
  ['unstick --stuck-for=-1m', /^--stuck-for: /],
  ['unstick --max=abc', /^--max: "abc" is not a whole number/],
  ['unstick --all-finalizer', /^unknown flag: --all-finalizer/],
  ['unstick pods --grace-period=0', /^unknown flag: --grace-period/],
  ['unstick pods --cascade=orphan', /^unknown flag: --cascade/],
  ['unstick -o xml', /^--output: "xml" is not one of/],
  ['unfreeze', /^unknown command "unfreeze"/],
];
for (const [text, message] of complaints) {
  test(`"${text}" is a usage error, before any request`, async () => {
    await assert.rejects(read(text), problem => {
      assert.equal((problem as { kind?: string }).kind, 'usage');
      assert.match((problem as Error).message, message);
      return true;
    });
  });
}

test('without flags unstick only looks: nothing is named, nothing is forced, two minutes make an object stuck', async () => {
  const { finalizers, allFinalizers, forceFinalize, stuckForMs, yes, dryRun, wait } = await read('unstick');
  assert.deepEqual(
    { finalizers, allFinalizers, forceFinalize, stuckForMs, yes, dryRun, wait },
    {
      finalizers: [],
      allFinalizers: false,
      forceFinalize: false,
      stuckForMs: 120_000,
      yes: false,
      dryRun: 'none',
      wait: true,
    },
  );
});

test('--finalizer may be repeated, and each name is taken as it is: a comma or an equals sign is part of it', async () => {
  const { finalizers } = await read(
    'unstick job/a --finalizer finalizer.keda.sh --finalizer=example.com/a,b --finalizer x=y',
  );
  assert.deepEqual(finalizers, ['finalizer.keda.sh', 'example.com/a,b', 'x=y']);
});

const ages: readonly [string, number][] = [
  ['unstick --stuck-for 30s', 30_000],
  ['unstick --stuck-for=1h', 3_600_000],
  ['unstick --stuck-for=0s', 0],
];
for (const [text, ms] of ages) {
  test(`"${text}" counts an object as stuck after ${ms} ms`, async () =>
    assert.equal((await read(text)).stuckForMs, ms));
}

test('--all-finalizers, --force-finalize of a named namespace, a digest and a limit of time are read', async () => {
  assert.equal((await read('unstick -A --all-finalizers')).allFinalizers, true);
  assert.equal((await read('unstick namespace/legacy --force-finalize')).forceFinalize, true);
  assert.equal((await read('unstick namespace legacy --force-finalize')).forceFinalize, true);
  assert.equal((await read('unstick --confirm 12ab34cd')).confirm, '12ab34cd');
  assert.equal((await read('unstick pods -y --timeout 5s')).timeoutMs, 5000);
});

test('options cannot be changed after parsing', async () =>
  assert.ok(Object.isFrozen(await read('unstick pods'))));

for (const text of ['unstick --help', 'unstick job x -h', 'help unstick']) {
  test(`"${text}" is a question about usage`, async () => {
    assert.equal((await readCommandLine(text.split(' '), '0', 200)).do, 'show');
  });
}

test('the help never proposes to install a controller again, and names every flag of its own', async () => {
  const shown = await readCommandLine(['unstick', '--help'], '0', 200);
  const text = shown.do === 'show' ? JSON.stringify(shown) : '';
  assert.doesNotMatch(text, /reinstall|install .*again/i);
  for (const flag of ['--finalizer', '--all-finalizers', '--stuck-for', '--force-finalize'])
    assert.ok(text.includes(flag), flag);
});
