// The connection flags that the commands of `status` repeat: those that say which cluster, and as whom.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connection } from '../../../src/commands/connection.ts';
import { reachOf } from '../../../src/commands/reach.ts';
import { readCommandLine } from '../../../src/program.ts';

const textsOf = async (line: string) => {
  const asked = await readCommandLine(line.split(' '), '0', 100);
  assert.ok(asked.do === 'run');
  return asked.texts;
};

for (const [line, expected] of [
  ['status', []],
  ['status -n batch --request-timeout 5s --warnings-as-errors --disable-compression -v 6', []],
  ['status --context prod --kubeconfig=/tmp/my', ['--kubeconfig=/tmp/my', '--context=prod']],
  ['status --context prod --context dev', ['--context=dev']],
  ['status --cluster c --user u -s https://x', ['--cluster=c', '--user=u', '--server=https://x']],
  ['status --insecure-skip-tls-verify', ['--insecure-skip-tls-verify']],
  ['status --insecure-skip-tls-verify=false', ['--insecure-skip-tls-verify=false']],
  ['status --as a --as-group b --as-group c', ['--as=a', '--as-group=b', '--as-group=c']],
  ['status --token s3cret', ['--token=TOKEN']],
] as const)
  test(`“${line}” is repeated as “${expected.join(' ')}”`, async () => {
    assert.deepEqual(reachOf(await textsOf(line)), expected);
  });

test('a connection flag that comes to be is repeated, unless somebody says why not', () => {
  const texts = Object.fromEntries(Object.keys(connection).map(name => [name, ['x']]));
  const repeated = reachOf(texts).map(word => word.slice(2).split('=')[0]);
  assert.deepEqual(
    Object.keys(connection).filter(name => !repeated.includes(name)),
    ['namespace', 'request-timeout', 'disable-compression', 'warnings-as-errors', 'v'],
  );
  assert.ok(!JSON.stringify(reachOf({ token: ['s3cret'] })).includes('s3cret'));
});
