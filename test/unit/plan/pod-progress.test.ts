import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodProgress } from '../../../src/model/stopping.ts';
import type { WorkingPod } from '../../../src/model/working-pod.ts';
import { progressOf } from '../../../src/plan/pod-progress.ts';
import { ago, now } from '../nouns.ts';
import { aWorkingJob, aWorkingPod, exited, neverStarted, runs, waits } from '../stop-nouns.ts';

const job = aWorkingJob('j');
const pod = (more: Partial<WorkingPod> = {}) => aWorkingPod('p', job, more);
const seen = (one: WorkingPod, silent: string[] = []) => progressOf(one, new Set(silent), now);
const told = (age: string): Pick<WorkingPod, 'deadlineSeconds' | 'remembered'> => ({
  deadlineSeconds: 1,
  remembered: {
    state: 'remembered',
    memory: { uid: pod().ref.uid, at: ago(age), by: 'anna', changes: [] },
  },
});

const states: readonly [string, WorkingPod, PodProgress['is']][] = [
  ['runs, without a deadline', pod(), 'running'],
  ['runs, with a deadline that is not ours', pod({ deadlineSeconds: 3600 }), 'running'],
  ['runs, and was told to end', pod({ deadlineSeconds: 1 }), 'ending'],
  ['crashes again and again', pod({ containers: [{ ...waits, reason: 'CrashLoopBackOff' }] }), 'running'],
  ['never got a startTime', neverStarted('p', job), 'never-started'],
  [
    'never got a startTime, and has a deadline of 1',
    neverStarted('p', job, { deadlineSeconds: 1 }),
    'never-started',
  ],
  ['is being deleted', pod({ deletingSince: ago('5s'), deletionGraceSeconds: 30 }), 'terminating'],
  ['is being deleted, told to end before', pod({ ...told('1m'), deletingSince: ago('5s') }), 'terminating'],
  [
    'says Failed while a container runs (S07)',
    pod({ phase: 'Failed', containers: [exited(143), runs] }),
    'phase-only',
  ],
  [
    'says Succeeded while a sidecar runs',
    pod({ phase: 'Succeeded', containers: [exited(0), runs] }),
    'phase-only',
  ],
  ['has failed, all containers ended', pod({ phase: 'Failed', containers: [exited(143)] }), 'ended'],
  ['has succeeded', pod({ phase: 'Succeeded', containers: [exited(0)] }), 'ended'],
  ['has failed before a container started', pod({ phase: 'Failed', containers: [waits] }), 'ended'],
  [
    'has ended and is being deleted',
    pod({ phase: 'Failed', containers: [exited(1)], deletingSince: ago('1s') }),
    'ended',
  ],
];
for (const [what, one, is] of states)
  test(`a Pod that ${what} is "${is}"`, () => assert.equal(seen(one).is, is));

const grace: readonly [string, WorkingPod, number | undefined][] = [
  ['told by us 10 s ago', pod({ ...told('10s'), graceSeconds: 30 }), 20],
  ['told by us 40 s ago', pod({ ...told('40s'), graceSeconds: 30 }), -10],
  ['told by somebody else', pod({ deadlineSeconds: 1 }), undefined],
  ['not told', pod(), undefined],
  ['being deleted for 5 s', pod({ deletingSince: ago('5s'), deletionGraceSeconds: 30 }), 25],
];
for (const [what, one, left] of grace)
  test(`of its grace period a Pod ${what} has ${left ?? 'no known number of'} seconds left`, () =>
    assert.equal(seen(one).leftSeconds, left));

test('S15: its node is silent only where somebody has asked and been told so', () => {
  assert.equal(seen(pod({ node: 'n' }), ['n']).nodeSilent, true);
  assert.equal(seen(pod({ node: 'n' })).nodeSilent, false);
  assert.equal(seen(pod(), ['n']).nodeSilent, false);
});
