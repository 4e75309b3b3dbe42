// What is printed for kubectl: the choices that fit, and what the shell has to do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listed, type Part } from '../../../src/complete/asked.ts';
import { linesOf } from '../../../src/complete/lines.ts';

const names: Part = {
  sought: { by: 'names', which: 'any', types: ['job'], everywhere: false, given: [] },
  head: 'job/',
  typed: '',
};
const choices = (...texts: string[]) => texts.map(text => ({ text }));

test('what does not begin as the word does is left out; the head stands in front of what does', () => {
  const part = { ...names, typed: 'ni' };
  assert.deepEqual(linesOf(part, choices('nightly', 'etl', 'night')), ['job/nightly', 'job/night', ':4']);
});

test('a description stands behind a tab, on one line', () => {
  const choice = { text: '--yes', about: 'go ahead\nwithout a question' };
  assert.deepEqual(linesOf(listed([choice], '--y'), [choice]), ['--yes\tgo ahead without a question', ':4']);
});

test('files and folders are left to the shell', () => {
  assert.deepEqual(linesOf({ sought: { by: 'files' }, head: '', typed: 'a' }, []), [':0']);
  assert.deepEqual(linesOf({ sought: { by: 'folders' }, head: '', typed: '' }, []), [':16']);
});

test('behind TYPE/ no blank is put', () => {
  const types: Part = {
    sought: { by: 'types', which: 'owners', slashed: true, jobs: false },
    head: '',
    typed: '',
  };
  assert.deepEqual(linesOf(types, choices('cronjob/', 'scaledjob/')), ['cronjob/', 'scaledjob/', ':6']);
  assert.deepEqual(linesOf(types, []), [':4']);
});

for (const name of ['$(reboot)', '`id`', 'a;b', 'a b', 'a\nb', "a'b", '-n', '~root', 'a*', 'a\u001b[2J', ''])
  test(`a name that a shell might take for more than a name is not offered: ${JSON.stringify(name)}`, () => {
    assert.deepEqual(linesOf(names, choices('a', name)), ['job/a', ':4']);
  });

for (const name of [
  'kubernetes-admin@kubernetes',
  'arn:aws:eks:eu-central-1:111122223333:cluster/prod',
  'gke_project_europe-west1-b_prod',
  'system:controller:job-controller',
])
  test(`${name} is a name like any other`, () => {
    assert.deepEqual(linesOf({ ...names, head: '' }, choices(name)), [name, ':4']);
  });
