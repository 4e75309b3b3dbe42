// Jobs and owners as the server sends them → what we take them for. Conditions decide, counters do not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHistoryOwner, toJob } from '../../../src/cluster/adapt-job.ts';
import type { JobState } from '../../../src/model/job.ts';
import type { Kind } from '../../../src/model/kind.ts';

const kindOf = (group: string, kind: string): Kind => ({
  group,
  version: 'v1',
  kind,
  resource: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: [],
});
const metadata = { name: 'x', namespace: 'n', uid: 'u' };
const is = (type: string, more: object = {}) => ({ type, status: 'True', ...more });
const jobOf = (parts: object) => toJob(kindOf('batch', 'Job'), { metadata, ...parts });

const [noon, later] = ['2026-03-01T12:00:00Z', '2026-03-01T13:00:00Z'];

const states: readonly (readonly [what: string, status: unknown, state: JobState, spec?: object])[] = [
  [
    'Complete',
    { completionTime: noon, conditions: [is('Complete', { lastTransitionTime: later, reason: 'R' })] },
    { is: 'complete', endedAt: new Date(noon), reason: 'R' },
  ],
  [
    'Complete without completionTime',
    { conditions: [is('Complete', { lastTransitionTime: later })] },
    { is: 'complete', endedAt: new Date(later), reason: '' },
  ],
  [
    'Failed',
    {
      conditions: [
        is('FailureTarget'),
        is('Failed', { lastTransitionTime: noon, reason: 'DeadlineExceeded' }),
      ],
    },
    { is: 'failed', endedAt: new Date(noon), reason: 'DeadlineExceeded' },
  ],
  [
    'Failed with a completionTime that says nothing',
    { completionTime: later, conditions: [is('Failed', { lastTransitionTime: noon })] },
    { is: 'failed', endedAt: new Date(noon), reason: '' },
  ],
  // it cannot be the oldest or the newest of anything, so it stays
  ['Failed without a time', { conditions: [is('Failed')] }, { is: 'ending' }],
  [
    'Complete that is not True',
    { active: 0, succeeded: 1, conditions: [{ type: 'Complete', status: 'False' }] },
    { is: 'idle' },
  ],
  ['FailureTarget', { active: 1, conditions: [is('FailureTarget')] }, { is: 'ending' }],
  ['SuccessCriteriaMet', { conditions: [is('SuccessCriteriaMet')] }, { is: 'ending' }],
  ['active Pods', { active: 2 }, { is: 'running', active: 2 }],
  [
    'suspended, and still a Pod',
    { active: 1, conditions: [is('Suspended')] },
    { is: 'running', active: 1 },
    { suspend: true },
  ],
  ['suspended', { conditions: [is('Suspended')] }, { is: 'suspended' }, { suspend: true }],
  ['succeeded Pods only', { succeeded: 3 }, { is: 'idle' }],
  ['a completionTime only', { completionTime: noon }, { is: 'never-started' }],
  ['failed Pods only', { failed: 1 }, { is: 'idle' }],
  ['terminating Pods only', { terminating: 1 }, { is: 'idle' }],
  ['uncounted Pods only', { uncountedTerminatedPods: { failed: ['u'] } }, { is: 'idle' }],
  ['only a start time', { startTime: noon }, { is: 'never-started' }],
  ['an empty status', {}, { is: 'never-started' }],
  ['no status', undefined, { is: 'never-started' }],
  ['nonsense', { active: '2', conditions: 'x', uncountedTerminatedPods: [] }, { is: 'never-started' }],
];

for (const [what, status, state, spec] of states) {
  test(`a Job with ${what} is ${state.is}`, () =>
    assert.deepEqual(jobOf({ status, ...(spec === undefined ? {} : { spec }) }).state, state));
}

test('made by hand, grouped by a label, begun at a moment', () => {
  const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual' };
  const item = { metadata: { ...metadata, annotations, labels: { app: 'a' } }, status: { startTime: noon } };
  const job = toJob(kindOf('batch', 'Job'), item, 'app');
  assert.deepEqual([job.manual, job.group, job.startedAt], [true, 'a', new Date(noon)]);
  assert.deepEqual(['group' in jobOf({}), jobOf({}).manual], [false, false]);
});

test('an object without a name or a uid is no object', () => {
  for (const item of [null, 'x', [], {}, { metadata: { name: 'x' } }, { metadata: { uid: 'u' } }])
    assert.throws(() => toJob(kindOf('batch', 'Job'), item), /without a name or a uid/);
});

for (const [group, kind, spec, keeps] of [
  ['batch', 'CronJob', {}, [3, 1]],
  ['batch', 'CronJob', { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }, [0, 0]],
  ['batch', 'CronJob', { successfulJobsHistoryLimit: null, failedJobsHistoryLimit: 5 }, [3, 5]],
  ['keda.sh', 'ScaledJob', {}, [100, 100]],
  ['keda.sh', 'ScaledJob', { successfulJobsHistoryLimit: 7 }, [7, 100]],
] as const) {
  test(`a ${kind} with ${JSON.stringify(spec)} keeps ${keeps.join(' and ')}`, () => {
    const owner = toHistoryOwner(kindOf(group, kind), { metadata, spec });
    assert.deepEqual([owner.keepSucceeded, owner.keepFailed], keeps);
  });
}

test('suspended is a field of CronJobs and an annotation of ScaledJobs', () => {
  const paused = (value: string) => ({
    metadata: { ...metadata, annotations: { 'autoscaling.keda.sh/paused': value } },
  });
  const scaled = kindOf('keda.sh', 'ScaledJob');
  assert.equal(
    toHistoryOwner(kindOf('batch', 'CronJob'), { metadata, spec: { suspend: true } }).suspended,
    true,
  );
  assert.equal(toHistoryOwner(scaled, { metadata, spec: { suspend: true } }).suspended, false);
  assert.deepEqual(
    [paused('true'), paused('false')].map(item => toHistoryOwner(scaled, item).suspended),
    [true, false],
  );
});
