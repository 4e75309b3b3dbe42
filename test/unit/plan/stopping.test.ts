import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Change } from '../../../src/model/memory.ts';
import { trackingFinalizer } from '../../../src/model/pod.ts';
import type { StopAction } from '../../../src/model/stop-plan.ts';
import type { JobProgress, StopStep, Work } from '../../../src/model/stopping.ts';
import { outOfReach, type WorkingJob } from '../../../src/model/working-job.ts';
import { isActive, type WorkingPod } from '../../../src/model/working-pod.ts';
import { firstStep, isStopOver, stopStep } from '../../../src/plan/stopping.ts';
import { ago, complete, failed, now } from '../nouns.ts';
import { aWorkingJob, aWorkingPod, endedPod, exited, neverStarted, runs, work } from '../stop-nouns.ts';

const plan = { terms: { by: 'anna', reason: 'INC-1' } };
const step = (of: Work): StopStep => stopStep(of, plan, now);
const written = ({ target, does, changes }: StopAction): string =>
  `${does} ${target.name}: ${changes.map(({ path, set }) => `${path.split('/').at(-1)} ${set === outOfReach ? 'far' : set}`).join(', ')}`;
const told = (of: Work): [JobProgress['is'], ...string[]] => {
  const { progress, writes } = step(of);
  return [progress.is, ...writes.map(written)];
};

// --- one row for each state of a Job and its Pods -----------------------------------------------------------------------------

const far = { backoffLimit: outOfReach };
const job = (more: Parameters<typeof aWorkingJob>[1] = {}) => aWorkingJob('j', more);
const held = (more: Parameters<typeof aWorkingJob>[1] = {}) =>
  job({ ...more, limits: { ...far, ...more.limits } });
const counts = (active: number, failures = 0, succeeded = 0) => ({ active, failed: failures, succeeded });
const of = (one: WorkingJob, ...pods: ((job: WorkingJob) => WorkingPod)[]): Work =>
  work(
    one,
    pods.map(pod => pod(one)),
  );
const running =
  (name: string, more: Partial<WorkingPod> = {}) =>
  (one: WorkingJob) =>
    aWorkingPod(name, one, more);
const ending = (name: string) => running(name, { deadlineSeconds: 1 });
const ended =
  (name: string, more: Partial<WorkingPod> = {}) =>
  (one: WorkingJob) =>
    endedPod(name, one, more);
const endedAgo = (name: string, seconds: number) => ended(name, { finishedAt: ago(`${seconds}s`) });
const unstarted =
  (name: string, more: Partial<WorkingPod> = {}) =>
  (one: WorkingJob) =>
    neverStarted(name, one, more);
const deleting = (name: string) => running(name, { deletingSince: ago('5s'), deletionGraceSeconds: 30 });
const deletedAgo = (name: string, seconds: number) =>
  running(name, {
    deletingSince: ago(`${seconds}s`),
    deletionGraceSeconds: 30,
    finishedAt: ago(`${seconds}s`),
  });
const perIndex = { perIndex: true, completions: 5 };
const ofMany = (parallelism: number, active: number, failures = 0) =>
  held({ limits: { parallelism }, counts: counts(active, failures), completions: 9 });

type Row = readonly [string, Work, ReturnType<typeof told>];
const rows: readonly Row[] = [
  // while a Pod is active
  ['runs one Pod, untouched', of(job(), running('a')), ['holding', 'hold j: backoffLimit far']],
  [
    'runs fewer Pods than its parallelism: both in one write',
    of(job({ limits: { parallelism: 3 } }), running('a')),
    ['holding', 'hold j: backoffLimit far, parallelism 1'],
  ],
  [
    'has a TTL and a deadline of its own',
    of(job({ limits: { ttlSecondsAfterFinished: 0, activeDeadlineSeconds: 60 } }), running('a')),
    ['holding', 'hold j: ttlSecondsAfterFinished null, backoffLimit far, activeDeadlineSeconds null'],
  ],
  [
    'is held, and its Pod was not told',
    of(held(), running('a')),
    ['ending', 'end-pod a: activeDeadlineSeconds 1'],
  ],
  ['is held, and its Pod was told', of(held(), ending('a')), ['ending']],
  [
    'is held, its Pod has a deadline of 3600 (S03)',
    of(held(), running('a', { deadlineSeconds: 3600 })),
    ['ending', 'end-pod a: activeDeadlineSeconds 1'],
  ],
  [
    'has two Pods told and one that appeared',
    of(ofMany(3, 3), ending('a'), ending('b'), running('c')),
    ['ending', 'end-pod c: activeDeadlineSeconds 1'],
  ],
  [
    'lost one of three, counted: parallelism follows',
    of(ofMany(3, 2, 1), ended('a'), ending('b'), ending('c')),
    ['ending', 'follow j: parallelism 2'],
  ],
  [
    'lost one of three, which the controller still counts as active: it would delete one of the others',
    of(ofMany(3, 3), ended('a'), ending('b'), ending('c')),
    ['ending'],
  ],
  [
    'the same, seen so long ago that the controller has seen it too',
    {
      ...of(ofMany(3, 3), ended('a'), ending('b'), ending('c')),
      longEnded: new Set([endedPod('a', job()).ref.uid]),
    },
    ['ending', 'follow j: parallelism 2'],
  ],
  ...([8, 10, 14, 18, 40, 604] as const).map(
    (seconds): Row => [
      `lost one of three ${seconds} s ago: one in its place may be made right now, and what is ending would be deleted for it`,
      of(ofMany(3, 2, 1), endedAgo('a', seconds), ending('b'), ending('c')),
      ['ending'],
    ],
  ),
  ...([1, 7, 15, 30, 605] as const).map(
    (seconds): Row => [
      `lost one of three ${seconds} s ago: none is made in its place now`,
      of(ofMany(3, 2, 1), endedAgo('a', seconds), ending('b'), ending('c')),
      ['ending', 'follow j: parallelism 2'],
    ],
  ),
  ...([10, 5] as const).map(
    (seconds): Row => [
      `has one of three that somebody deleted ${seconds} s ago: the one in its place counts from there`,
      of(ofMany(3, 2), deletedAgo('a', seconds), ending('b'), ending('c')),
      seconds === 10 ? ['ending'] : ['ending', 'follow j: parallelism 2'],
    ],
  ),
  [
    'lost one 10 s ago and one just now: the whole Job waits after the last failure',
    of(ofMany(3, 1, 2), endedAgo('a', 10), endedAgo('b', 3), ending('c')),
    ['ending', 'follow j: parallelism 1'],
  ],
  [
    'the same with a limit per index: each index waits for itself',
    of(
      held({ ...perIndex, completions: 3, restartPolicy: 'OnFailure', limits: { parallelism: 3 } }),
      endedAgo('a', 10),
      endedAgo('b', 3),
      ending('c'),
    ),
    ['ending'],
  ],
  [
    'lost one 10 s ago, and its like was not told yet: that is done all the same',
    of(ofMany(3, 2, 1), endedAgo('a', 10), running('b'), running('c')),
    ['ending', 'end-pod b: activeDeadlineSeconds 1', 'end-pod c: activeDeadlineSeconds 1'],
  ],
  [
    'has a Pod that crashes again and again',
    of(job({ restartPolicy: 'OnFailure' }), running('a', { containers: [{ ...runs, is: 'waiting' }] })),
    ['holding', 'hold j: backoffLimit far'],
  ],
  [
    'has a limit per index, one Pod, more indexes to come: the exact number of failures, so that its end ends the Job',
    of(job({ ...perIndex, limits: far, counts: counts(1, 2) }), running('a')),
    ['holding', 'hold j: backoffLimit 2'],
  ],
  [
    'the same with a failed Pod that is not counted yet',
    of(
      job({ ...perIndex, limits: far, counts: counts(1, 2) }),
      running('a'),
      ended('x', { finalizers: [trackingFinalizer] }),
    ),
    ['holding', 'hold j: backoffLimit 3'],
  ],
  [
    'the same while another Pod is being deleted: far again, whatever that one will count as',
    of(job({ ...perIndex, limits: { backoffLimit: 2 }, counts: counts(1, 2) }), running('a'), deleting('b')),
    ['holding', 'hold j: backoffLimit far'],
  ],
  [
    'has a limit of failed indexes: lifted as far as the server lets it',
    of(
      held({ ...perIndex, limits: { parallelism: 2, maxFailedIndexes: 1 }, counts: counts(2) }),
      running('a'),
      running('b'),
    ),
    ['holding', 'hold j: maxFailedIndexes 5'],
  ],
  // never started
  [
    'has only a Pod that never started, not told',
    of(held(), unstarted('a')),
    ['ending', 'end-pod a: activeDeadlineSeconds 1'],
  ],
  [
    'has only a Pod that never started, told: there is nothing to lose',
    of(held(), unstarted('a', { deadlineSeconds: 1 })),
    ['ending', 'empty j: parallelism 0'],
  ],
  [
    'has one that never started, and one that runs: nothing is deleted',
    of(ofMany(2, 2), unstarted('a', { deadlineSeconds: 1 }), ending('b')),
    ['ending'],
  ],
  // nothing active
  ['has ended Pods that are not counted yet', of(held(), ended('a')), ['uncounted']],
  [
    'has nothing active, counted',
    of(held({ counts: counts(0, 1) }), ended('a')),
    ['closing', 'empty j: parallelism 0'],
  ],
  [
    'the same, empty: by the count',
    of(held({ counts: counts(0, 1), limits: { parallelism: 0 } }), ended('a')),
    ['closing', 'close j: backoffLimit 0'],
  ],
  [
    'S05: the same, no failure counted: by its own deadline',
    of(held({ counts: counts(0), limits: { parallelism: 0 } }), ended('a')),
    ['closing', 'close j: activeDeadlineSeconds 1'],
  ],
  [
    'has nothing active and a TTL: shielded before it is closed',
    of(held({ counts: counts(0, 1), limits: { parallelism: 0, ttlSecondsAfterFinished: 5 } }), ended('a')),
    ['closing', 'empty j: ttlSecondsAfterFinished null'],
  ],
  [
    'was closed by the count, and the controller has not come to it',
    of(job({ counts: counts(0, 1), limits: { parallelism: 0, backoffLimit: 0 } }), ended('a')),
    ['closing'],
  ],
  [
    'was closed by its deadline, and the controller has not come to it',
    of(held({ counts: counts(0), limits: { parallelism: 0, activeDeadlineSeconds: 1 } }), ended('a')),
    ['closing'],
  ],
  [
    'never had a Pod: closed by its deadline',
    of(job({ state: { is: 'never-started' }, counts: counts(0), limits: { parallelism: 0 } })),
    ['closing', 'close j: activeDeadlineSeconds 1'],
  ],
  [
    'S11: has only a Pod that is being deleted',
    of(held({ counts: counts(0, 1) }), deleting('a')),
    ['closing', 'empty j: parallelism 0'],
  ],
  // not ours to decide any more
  ['S11: will fail, one Pod still active', of(held({ state: { is: 'ending' } }), ending('a')), ['ending']],
  ['S11: will fail, nothing active', of(held({ state: { is: 'ending' } }), deleting('a')), ['closing']],
  ['has failed', of(held({ state: failed('1s') }), ended('a')), ['closed']],
  ['succeeded meanwhile', of(job({ state: complete('1s') }), ended('a', { phase: 'Succeeded' })), ['closed']],
  [
    'has come to its end by itself with a TTL of 0: shielded, at once',
    of(job({ state: complete('1s'), limits: { ttlSecondsAfterFinished: 0 } })),
    ['closed', 'hold j: ttlSecondsAfterFinished null'],
  ],
  ['was suspended by somebody', of(job({ suspended: true, counts: counts(0) })), ['suspended']],
  [
    'was suspended by somebody, and its Pod is not gone yet',
    of(held({ suspended: true }), running('a')),
    ['ending', 'end-pod a: activeDeadlineSeconds 1'],
  ],
  ['is being deleted', of(job({ deletingSince: ago('1s') }), running('a')), ['deleted']],
];
for (const [what, state, expected] of rows)
  test(`a Job that ${what}`, () => assert.deepEqual(told(state), expected));

// --- when there is nothing left to wait for -----------------------------------------------------------------------------------

const overs: readonly [string, Work, boolean][] = [
  ['closed, its Pods ended', of(held({ state: failed('1s') }), ended('a')), true],
  [
    'S07: closed, a container of it still runs',
    of(held({ state: failed('1s') }), ended('a', { containers: [runs], runningContainers: 1 })),
    false,
  ],
  ['closed, a Pod of it still being deleted', of(held({ state: failed('1s') }), deleting('a')), false],
  ['on its way', of(held(), ending('a')), false],
  ['suspended by somebody', of(job({ suspended: true, counts: counts(0) })), true],
  ['being deleted', of(job({ deletingSince: ago('1s') }), running('a')), true],
  [
    'S11: about to fail, a Pod of it being deleted',
    of(held({ state: { is: 'ending' } }), deleting('a')),
    false,
  ],
  [
    'S15: about to fail, what is left is being deleted on a node that does not answer',
    {
      ...of(held({ state: { is: 'ending' } }), running('a', { deletingSince: ago('5s'), node: 'n' })),
      silentNodes: new Set(['n']),
    },
    true,
  ],
];
for (const [what, state, expected] of overs)
  test(`a Job that is ${what} is ${expected ? 'over' : 'not over'}`, () =>
    assert.equal(isStopOver(step(state).progress), expected));

// --- what is shown before ------------------------------------------------------------------------------------------------------

test('the plan shows the first write on the Job and the end of every Pod that was not told', () => {
  const state = of(
    job({ limits: { parallelism: 2 }, counts: counts(2) }),
    running('a'),
    ending('b'),
    ended('c'),
  );
  assert.deepEqual(firstStep(state, plan, now).map(written), [
    'hold j: backoffLimit far',
    'end-pod a: activeDeadlineSeconds 1',
  ]);
});

test('of a Job that only has to be followed the plan still has an action: otherwise nobody would', () => {
  assert.deepEqual(firstStep(of(held(), ending('a')), plan, now).map(written), ['follow j: ']);
});

test('each write carries what it was before, by whom and why, and the first memory stays', () => {
  const first = {
    uid: job().ref.uid,
    at: ago('1h'),
    by: 'bert',
    changes: [{ path: '/spec/backoffLimit', was: 3, set: 9 }],
  };
  const [hold] = step(of(job({ remembered: { state: 'remembered', memory: first } }), running('a'))).writes;
  assert.deepEqual(hold?.memory, {
    ...first,
    changes: [{ path: '/spec/backoffLimit', was: 3, set: outOfReach }],
  });
  const [fresh] = step(of(job(), running('a'))).writes;
  assert.deepEqual(fresh?.memory, {
    uid: job().ref.uid,
    at: now,
    by: 'anna',
    reason: 'INC-1',
    changes: [{ path: '/spec/backoffLimit', was: 6, set: outOfReach }],
  });
});

// --- whatever the state --------------------------------------------------------------------------------------------------------

const aPodState = fc.record({
  phase: fc.constantFrom('Pending', 'Running', 'Running', 'Failed', 'Succeeded'),
  started: fc.boolean(),
  deadline: fc.constantFrom(undefined, 1, 3600),
  deleting: fc.boolean(),
  tracked: fc.boolean(),
  longEnded: fc.boolean(),
});
const aJobState = fc.record({
  parallelism: fc.nat(4),
  backoffLimit: fc.constantFrom(0, 1, 2, 6, outOfReach),
  maxFailedIndexes: fc.constantFrom(undefined, 0, 3),
  deadline: fc.constantFrom(undefined, 1, 3600),
  ttl: fc.constantFrom(undefined, 0, 60),
  active: fc.nat(5),
  failed: fc.nat(3),
  succeeded: fc.nat(2),
  perIndex: fc.boolean(),
  completions: fc.constantFrom(undefined, 1, 5),
  suspended: fc.boolean(),
  state: fc.constantFrom('running', 'running', 'ending', 'failed', 'deleting'),
});
const aState: fc.Arbitrary<Work> = fc
  .tuple(aJobState, fc.array(aPodState, { maxLength: 5 }))
  .map(([one, pods]) => {
    const { parallelism, backoffLimit, maxFailedIndexes, completions } = one;
    const set = <T>(key: string, value: T | undefined) => (value === undefined ? {} : { [key]: value });
    const it = job({
      limits: {
        parallelism,
        backoffLimit,
        ...set('maxFailedIndexes', maxFailedIndexes),
        ...set('activeDeadlineSeconds', one.deadline),
        ...set('ttlSecondsAfterFinished', one.ttl),
      },
      counts: counts(one.active, one.failed, one.succeeded),
      perIndex: one.perIndex,
      suspended: one.suspended,
      ...set('completions', completions),
      ...(one.state === 'failed' ? { state: failed('1s') } : {}),
      ...(one.state === 'ending' ? { state: { is: 'ending' } as const } : {}),
      ...(one.state === 'deleting' ? { deletingSince: ago('1s') } : {}),
    });
    const made = pods.map(({ phase, started, deadline, deleting: goes, tracked }, at) => {
      const isOver = phase === 'Failed' || phase === 'Succeeded';
      const make = started || isOver ? aWorkingPod : neverStarted;
      return make(`p-${at}`, it, {
        phase,
        containers: isOver ? [exited(phase === 'Failed' ? 143 : 0)] : [runs],
        finalizers: tracked ? [trackingFinalizer] : [],
        ...set('deadlineSeconds', deadline),
        ...(goes ? { deletingSince: ago('5s') } : {}),
      });
    });
    const longEnded = new Set(
      made.filter((pod, at) => !isActive(pod) && pods[at]?.longEnded).map(({ ref }) => ref.uid),
    );
    return work(it, made, { longEnded });
  });

const changesOn = (writes: readonly StopAction[], kind: string): Change[] =>
  writes.filter(({ target }) => target.kind.kind === kind).flatMap(({ changes }) => changes);
const setOf = (writes: readonly StopAction[], field: string) =>
  changesOn(writes, 'Job')
    .filter(({ path }) => path === `/spec/${field}`)
    .map(({ set }) => set);

const always = (what: string, holds: (state: Work, made: StopStep, active: readonly WorkingPod[]) => void) =>
  test(`whatever the state: ${what}`, () => {
    fc.assert(
      fc.property(aState, state => holds(state, step(state), state.pods.filter(isActive))),
      { numRuns: 2000 },
    );
  });

always(
  'parallelism never goes below the Pods that are seen active, but where none of them ever started',
  ({ job: it }, { writes }, active) => {
    if (active.length === 0 || it.deletingSince !== undefined) return;
    for (const set of setOf(writes, 'parallelism'))
      if (active.some(({ startedAt }) => startedAt !== undefined)) assert.ok(Number(set) >= active.length);
  },
);

always('parallelism is never raised', ({ job: it }, { writes }) => {
  for (const set of setOf(writes, 'parallelism')) assert.ok(Number(set) < it.limits.parallelism);
});

always(
  'a Job is not closed while a Pod is active, nor while the controller counts one',
  ({ job: it }, { writes }, active) => {
    if (active.length + it.counts.active === 0) return;
    assert.deepEqual(
      writes.filter(({ does }) => does === 'close'),
      [],
    );
    assert.deepEqual(
      setOf(writes, 'activeDeadlineSeconds').filter(set => set !== null),
      [],
    );
  },
);

always(
  'while a Pod is active no limit is set below the failures that there are',
  ({ job: it, pods }, { writes }, active) => {
    if (active.length === 0) return;
    const uncounted = pods.filter(
      ({ phase, finalizers }) => phase === 'Failed' && finalizers.length > 0,
    ).length;
    for (const set of setOf(writes, 'backoffLimit')) assert.ok(Number(set) >= it.counts.failed + uncounted);
  },
);

always(
  'no Job is suspended, and no Pod is written to but for a deadline of 1, lower than it was',
  ({ pods }, { writes }) => {
    assert.deepEqual(setOf(writes, 'suspend'), []);
    for (const { path, was, set } of changesOn(writes, 'Pod')) {
      assert.deepEqual([path, set], ['/spec/activeDeadlineSeconds', 1]);
      assert.ok(was === null || Number(was) > 1);
    }
    const active = new Set(pods.filter(isActive).map(({ ref }) => ref.uid));
    for (const { target, does } of writes) if (does === 'end-pod') assert.ok(active.has(target.uid));
  },
);

always('Pods are told to end only once nothing trips when they do', ({ job: it }, { writes }) => {
  if (!writes.some(({ does }) => does === 'end-pod')) return;
  const { backoffLimit, activeDeadlineSeconds, ttlSecondsAfterFinished } = it.limits;
  assert.ok(backoffLimit === outOfReach || it.perIndex);
  assert.deepEqual([activeDeadlineSeconds, ttlSecondsAfterFinished], [undefined, undefined]);
});

/** As the server would have it after these writes. */
function after({ job: it, pods, ...rest }: Work, writes: readonly StopAction[]): Work {
  const limits: Record<string, unknown> = { ...it.limits };
  for (const { path, set } of changesOn(writes, 'Job')) {
    const field = path.split('/').at(-1) ?? '';
    if (set === null) delete limits[field];
    else limits[field] = set;
  }
  const told = new Set(writes.map(({ target }) => target.uid));
  const set = pods.map(pod => (told.has(pod.ref.uid) ? { ...pod, deadlineSeconds: 1 } : pod));
  return { ...rest, job: { ...it, limits: limits as unknown as WorkingJob['limits'] }, pods: set };
}

always(
  'after a few writes there is nothing left to write, and no field is written to the same value twice',
  state => {
    let seen = state;
    for (let round = 0; round < 6; round += 1) {
      const { writes } = step(seen);
      for (const { path, set } of changesOn(writes, 'Job')) {
        const is =
          (seen.job.limits as unknown as Record<string, unknown>)[path.split('/').at(-1) ?? ''] ?? null;
        assert.notEqual(is, set, `${path} is ${is} already`);
      }
      seen = after(seen, writes);
    }
    assert.deepEqual(step(seen).writes.map(written), []);
  },
);
