// What `completion SHELL` prints, as text. That it works in real shells is test/e2e/completion.test.ts; PowerShell is not tried.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { shells } from '../../../src/commands/completion.ts';
import { companion, companionOfWindows, completionScript } from '../../../src/report/completion-script.ts';

const file = (name: string) => new URL(`../../../completion/${name}`, import.meta.url);

test('the files of the release are what the scripts write', () => {
  const [unix, windows] = [file('kubectl_complete-jobctl'), file('kubectl_complete-jobctl.cmd')];
  assert.equal(readFileSync(unix, 'utf8'), `${companion.join('\n')}\n`);
  assert.equal(readFileSync(windows, 'utf8'), `${companionOfWindows.join('\r\n')}\r\n`);
  assert.equal(statSync(unix).mode & 0o111, 0o111, 'it can be executed');
});

test('no line of the files has a quote that would end the one around it', () => {
  for (const line of [...companion, ...companionOfWindows]) assert.ok(!line.includes("'"), line);
});

for (const shell of shells)
  test(`${shell}: the script explains both ways, and writes nothing where PATH has the program`, () => {
    const script = completionScript(shell);
    assert.match(script, new RegExp(`^# Completion of "kubectl jobctl" in ${shell}\\.$`, 'm'));
    assert.match(script, /^# 1\. Copy it[\s\S]*^# 2\. Have this run/m);
    assert.match(script, new RegExp(`^# {6}.*kubectl jobctl completion ${shell}`, 'm'));
    const [first] = script.split('\n').filter(line => line !== '' && !line.startsWith('#'));
    assert.match(first ?? '', /^if .*(?:command -v|command -q|Get-Command) kubectl_complete-jobctl/);
  });

test('PowerShell: every bracket is closed, and both kinds of system have their program', () => {
  const script = completionScript('powershell')
    .replace(/^#.*$/gm, '')
    .replace(/'[^']*'/g, "''");
  for (const [open, close] of ['()', '{}', '[]'])
    assert.equal(script.split(open ?? '').length, script.split(close ?? '').length, `${open}${close}`);
  assert.ok(completionScript('powershell').includes(`@('${companionOfWindows[0]}')`));
  assert.ok(completionScript('powershell').includes(`'${companion.at(-1)}'`));
});
