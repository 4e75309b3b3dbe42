import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseAge,
  parseCount,
  parseDuration,
  parsePropagation,
  parseShard,
  parseTypeAndName,
} from '../../../src/commands/parse.ts';

const ages: readonly [string, number][] = [
  ['90m', 5_400_000],
  ['12h', 43_200_000],
  ['7d', 604_800_000],
  ['1h30m', 5_400_000],
  ['2w', 1_209_600_000],
  ['500ms', 500],
];
for (const [text, ms] of ages) {
  test(`an age of ${text} is ${ms} ms`, () => assert.equal(parseAge(text, '--older-than'), ms));
}

for (const text of ['7', '-7d', '7 d', '7days', '', '1.5h', 'd']) {
  test(`"${text}" is not an age, and the complaint shows a right one`, () => {
    assert.throws(() => parseAge(text, '--older-than'), {
      message: `--older-than: "${text}" is not an age; write 90m, 12h or 7d`,
    });
  });
}

test('a duration may be a bare number of seconds, as in kubectl', () =>
  assert.equal(parseDuration('20', '--timeout'), 20_000));

// D02: policy names are case-sensitive on the wire, not for the user
for (const text of ['background', 'Background', 'BACKGROUND']) {
  test(`D02: --cascade=${text} is sent as Background`, () =>
    assert.equal(parsePropagation(text, '--cascade'), 'Background'));
}
test('D02: a misspelt policy is refused and the three right ones are listed', () => {
  assert.throws(() => parsePropagation('Backgroud', '--cascade'), {
    message: '--cascade: "Backgroud" is not one of background, foreground, orphan',
  });
});

for (const text of ['abc', '1e5', '-1', '1.0', '']) {
  test(`"${text}" is not a count`, () => assert.throws(() => parseCount(text, '--max'), { kind: 'usage' }));
}

test('a shard is I/N with I below N', () => {
  assert.deepEqual(parseShard('0/4', '--shard'), { index: 0, of: 4 });
  assert.throws(() => parseShard('4/4', '--shard'), { kind: 'usage' });
});

for (const text of ['nightly', 'a/b/c', '/x', 'cronjob/']) {
  test(`"${text}" is not TYPE/NAME`, () =>
    assert.throws(() => parseTypeAndName(text, '--owner'), { kind: 'usage' }));
}
