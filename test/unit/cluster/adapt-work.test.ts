// What is kept of a Job's selector: only one of its own says which Pods it may adopt, the server's says no more than the uid does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toWorkingJob } from '../../../src/cluster/adapt-work.ts';
import { kinds } from '../nouns.ts';

const selector = {
  matchLabels: { app: 'x' },
  matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }],
};
const aJob = (spec: object) => ({ metadata: { name: 'j', namespace: 'batch', uid: 'u' }, spec, status: {} });

test('the selector of a Job with manualSelector is kept', () => {
  assert.deepEqual(toWorkingJob(kinds.job, aJob({ manualSelector: true, selector })).selector, selector);
});

test('the server’s own is not', () => {
  assert.equal(toWorkingJob(kinds.job, aJob({ selector })).selector, undefined);
});
