import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeleteOptions } from '../../../src/model/options.ts';
import { readCommandLine } from '../../../src/program.ts';

async function read(text: string): Promise<DeleteOptions> {
  const asked = await readCommandLine(text.split(' '), '0', 100);
  assert.equal(asked.do, 'run');
  if (asked.do !== 'run') throw new Error('not a run');
  return asked.command.options(asked.words, asked.texts) as DeleteOptions;
}

const words: readonly [string, DeleteOptions['words']][] = [
  ['delete report', { by: 'bare-name', word: 'report' }],
  ['delete job report', { by: 'name', targets: [{ type: 'job', name: 'report' }] }],
  [
    'delete job a b',
    {
      by: 'name',
      targets: [
        { type: 'job', name: 'a' },
        { type: 'job', name: 'b' },
      ],
    },
  ],
  [
    'delete job/a cj/b',
    {
      by: 'name',
      targets: [
        { type: 'job', name: 'a' },
        { type: 'cj', name: 'b' },
      ],
    },
  ],
  ['delete job,cj -l app=web', { by: 'selection', types: ['job', 'cj'], all: false }],
  ['delete jobs --all', { by: 'selection', types: ['jobs'], all: true }],
  ['delete -f a.yaml -f b.yaml -R', { by: 'files', files: ['a.yaml', 'b.yaml'], recursive: true }],
  // untyped positionals would make the number 100000 of this name
  [
    'delete job 1e5 007',
    {
      by: 'name',
      targets: [
        { type: 'job', name: '1e5' },
        { type: 'job', name: '007' },
      ],
    },
  ],
];
for (const [text, expected] of words) {
  test(`"${text}" names what it says`, async () => assert.deepEqual((await read(text)).words, expected));
}

const complaints: readonly [string, RegExp][] = [
  ['delete', /^name what to delete: TYPE NAME/],
  ['delete job/a b', /^there is no need to specify a resource type as a separate argument/],
  ['delete job a --all', /^name cannot be provided when a selector or --all is specified/],
  ['delete job a -A', /^a resource cannot be retrieved by name across all namespaces/],
  ['delete job a -A -n x', /^--all-namespaces and --namespace exclude each other/],
  ['delete job a --grace-period=0', /add --force if that is meant/],
  ['delete job a --force --grace-period=5', /^--force goes with --grace-period=0 only/],
  ['delete job a --now --grace-period=5', /^--now and --grace-period exclude each other/],
  ['delete job a --max=abc', /^--max: "abc" is not a whole number/],
  ['delete job a --dryrun', /^unknown flag: --dryrun/],
  ['delete job a --no-such x', /^unknown flag: --no-such/],
  ['delete job a -o xml', /^--output: "xml" is not one of/],
  ['delete job a --namespace=', /needs a value/],
  ['delete -f a.yaml job', /no TYPE or NAME may be given as well/],
  ['remove x', /^unknown command "remove"/],
  ['-n x delete a', /^flags go behind the verb/],
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

test('the last of a repeated flag counts, as in kubectl; no name is lost', async () => {
  const options = await read('delete job a b c --timeout 5s --timeout 1m');
  assert.equal(options.timeoutMs, 60_000);
  assert.equal(options.words.by === 'name' && options.words.targets.length, 3);
});

test('the policy is Background unless --cascade says otherwise', async () => {
  assert.equal((await read('delete job a')).propagation, 'Background');
  assert.equal((await read('delete job a --cascade=orphan')).propagation, 'Orphan');
});

test('--now is a grace period of one second, --force one of none', async () => {
  assert.equal((await read('delete pod a --now')).graceSeconds, 1);
  assert.equal((await read('delete pod a --force')).graceSeconds, 0);
  assert.equal((await read('delete pod a --grace-period=-1')).graceSeconds, undefined);
});

test('options cannot be changed after parsing', async () =>
  assert.ok(Object.isFrozen(await read('delete job a'))));

for (const text of ['delete --help', 'delete job x -h', 'help delete', 'help', '--help']) {
  test(`"${text}" is a question about usage`, async () => {
    assert.equal((await readCommandLine(text.split(' '), '0', 100)).do, 'show');
  });
}

for (const text of [
  'delete job help',
  'delete job x -n help',
  'delete job x -l -h',
  'delete job -- --help',
]) {
  test(`"${text}" is a delete: a name or a value is never taken for a question`, async () => {
    assert.equal((await readCommandLine(text.split(' '), '0', 100)).do, 'run');
  });
}
