import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches } from '../../../src/model/label-selector.ts';

const labels = { app: 'web', tier: 'cache', empty: '' };
const asked = (key: string, operator: string, ...values: string[]) => ({
  matchLabels: {},
  matchExpressions: [{ key, operator, values }],
});
const rows: readonly [string, Parameters<typeof matches>[0], boolean][] = [
  ['nothing asked', { matchLabels: {}, matchExpressions: [] }, true],
  ['equal', { matchLabels: { app: 'web' }, matchExpressions: [] }, true],
  ['one of two equal', { matchLabels: { app: 'web', tier: 'x' }, matchExpressions: [] }, false],
  [
    'equal, and an expression that is not met',
    { ...asked('tier', 'DoesNotExist'), matchLabels: { app: 'web' } },
    false,
  ],
  ['In', asked('app', 'In', 'db', 'web'), true],
  ['In, another value', asked('app', 'In', 'db'), false],
  ['In, no such label', asked('zone', 'In', 'db'), false],
  ['NotIn', asked('app', 'NotIn', 'db'), true],
  ['NotIn, that value', asked('app', 'NotIn', 'web'), false],
  ['NotIn, no such label', asked('zone', 'NotIn', 'db'), true],
  ['Exists, an empty value', asked('empty', 'Exists'), true],
  ['Exists, no such label', asked('zone', 'Exists'), false],
  ['DoesNotExist', asked('zone', 'DoesNotExist'), true],
  ['DoesNotExist, there', asked('app', 'DoesNotExist'), false],
  ['an operator of a later version: in doubt it matches', asked('app', 'Gt', '3'), true],
];
for (const [what, selector, expected] of rows)
  test(`a selector: ${what}: ${expected}`, () => assert.equal(matches(selector, labels), expected));
