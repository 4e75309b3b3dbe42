import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeArgv } from '../../../src/commands/argv.ts';
import { deleteCommand } from '../../../src/commands/delete.ts';

const cases: readonly [typed: string, means: string][] = [
  ['delete job x', 'delete job x'],
  ['delete job -lapp=web', 'delete job --selector=app=web'],
  ['delete job -l app=web', 'delete job --selector=app=web'],
  ['delete job -l=app=web', 'delete job --selector=app=web'],
  ['delete job x -yA', 'delete job x --yes=true --all-namespaces=true'],
  ['delete job x -ynbatch', 'delete job x --yes=true --namespace=batch'],
  ['delete job x --wait', 'delete job x --wait=true'],
  ['delete job x --wait=false', 'delete job x --wait=false'],
  // kubectl: a word behind a yes-or-no flag is a name
  ['delete job --yes false', 'delete job --yes=true false'],
  ['delete job x --dry-run', 'delete job x --dry-run=client'],
  ['delete job x --dry-run=server', 'delete job x --dry-run=server'],
  ['delete job x --namespace batch', 'delete job x --namespace=batch'],
  // kubectl's -v takes a level: the 6 must not become a name
  ['delete job x -v 6', 'delete job x --v=6'],
  ['delete job x -v', 'delete job x --v=1'],
  ['delete job x --v=4', 'delete job x --v=4'],
  ['delete -f - -y', 'delete --filename=- --yes=true'],
  ['delete job -- -odd-name', 'delete job -- -odd-name'],
  ['delete job x --dryrun', 'delete job x --dryrun'],
];

for (const [typed, means] of cases) {
  test(`"${typed}" means "${means}"`, () => {
    assert.deepEqual(normalizeArgv(typed.split(' '), deleteCommand.flags), means.split(' '));
  });
}

test('a flag at the end that needs a value says so in kubectl’s words', () => {
  assert.throws(() => normalizeArgv(['delete', 'a', '-n'], deleteCommand.flags), {
    message: 'flag needs an argument: -n',
  });
});

test('an unknown letter is an error, never ignored', () => {
  assert.throws(() => normalizeArgv(['delete', '-yx'], deleteCommand.flags), {
    message: "unknown shorthand flag: 'x' in -yx",
  });
});
