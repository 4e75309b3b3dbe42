import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobSource } from '../../../src/model/job-source.ts';
import type { StopOptions } from '../../../src/model/options.ts';
import type { Finding, StopPlan } from '../../../src/model/plan.ts';
import type { Asked } from '../../../src/model/stop-snapshot.ts';
import { outOfReach } from '../../../src/model/working-job.ts';
import { planStop } from '../../../src/plan/stop.ts';
import { ago, complete, failed, kinds, now, ownedBy } from '../nouns.ts';
import {
  aScaledSource,
  aSource,
  aWorkingJob,
  aWorkingPod,
  endedPod,
  exited,
  neverStarted,
  runs,
  stopOptions,
  stopSnapshot,
} from '../stop-nouns.ts';

type Seen = Parameters<typeof stopSnapshot>[0];

const plan = (seen: Seen, options: Partial<StopOptions> = {}, chosen?: ReadonlySet<string>): StopPlan =>
  planStop(stopSnapshot(seen), stopOptions(options), chosen);
const findingOf = (made: StopPlan, name: string): Finding =>
  made.findings.find(({ target }) => target.name === name) ?? assert.fail(`no finding of ${name}`);
const whyOf = (made: StopPlan, name: string): string => {
  const { verdict, why } = findingOf(made, name);
  return `${verdict}, ${why.code}`;
};
const doing = ({ actions }: StopPlan): string[] =>
  actions.map(({ does, target }) => `${does} ${target.name}`);
const noted = ({ notes }: StopPlan): string[] => notes.map(({ code }) => code);
const names = (refs: readonly { readonly name: string }[]): string[] => refs.map(({ name }) => name);

const source = aSource('c');
const [cronUid, owners] = [source.ref.uid, ownedBy(source)];
const job = (name: string, more: Parameters<typeof aWorkingJob>[1] = {}) =>
  aWorkingJob(name, { owners, ...more });
const one = job('j');
const pod = aWorkingPod('p', one);
const memory = (uid: string, by = 'bert') => ({
  state: 'remembered' as const,
  memory: { uid, at: ago('1h'), by, changes: [] },
});
const manager = (tool: 'argocd' | 'kueue' | 'managed-by', name: string) => [{ tool, name }];

// --- what is stopped ------------------------------------------------------------------------------------------------------------

test('a CronJob is suspended first, then each Job is held, then each Pod is told to end', () => {
  const other = job('k');
  const made = plan({ sources: [source], jobs: [other, one], pods: [aWorkingPod('q', other), pod] });
  assert.deepEqual(doing(made), ['suspend c', 'hold j', 'end-pod p', 'hold k', 'end-pod q']);
  assert.deepEqual(made.dangers, ['running-work']);
  assert.deepEqual([names(made.terms.sources), made.terms.makers], [['c'], [cronUid]]);
  assert.deepEqual(
    [names(made.terms.jobs), names(made.terms.pods)],
    [
      ['j', 'k'],
      ['p', 'q'],
    ],
  );
  assert.equal(made.terms.by, 'anna');
});

test('the CronJob of a named Job goes into the plan visibly, and its other Jobs are not stopped', () => {
  const made = plan({ sources: [source], jobs: [one], pods: [pod], asked: { c: 'owner', j: 'named' } });
  assert.equal(whyOf(made, 'c'), 'stop, makes-these-jobs');
  assert.equal(whyOf(made, 'j'), 'stop, named');
  assert.deepEqual(made.terms.makers, []);
});

test('--suspend-only suspends, tells nobody to end, saves nothing, and makes no danger of running work', () => {
  const made = plan({ sources: [source], jobs: [one], pods: [pod] }, { suspendOnly: true, noSave: false });
  assert.deepEqual(doing(made), ['suspend c']);
  assert.equal(whyOf(made, 'j'), 'stays, only-suspended');
  assert.deepEqual([made.dangers, made.terms.makers, made.terms.save], [[], [], undefined]);
});

test('finished Jobs of a CronJob are its history, and nothing is said of them; one that was named is', () => {
  const done = job('old', { state: complete('2h') });
  const stopped = aWorkingJob('mine', { state: failed('1h'), remembered: memory('uid-Job-batch-mine') });
  const plain = aWorkingJob('plain', { state: failed('1h') });
  const made = plan({ sources: [source], jobs: [done, stopped, plain] });
  assert.deepEqual(names(made.findings.map(({ target }) => target)), ['c', 'mine', 'plain']);
  assert.equal(whyOf(made, 'mine'), 'stays, stopped-before');
  assert.equal(whyOf(made, 'plain'), 'stays, finished');
  assert.deepEqual(doing(made), ['suspend c']);
});

const cronJobs: readonly [string, Parameters<typeof aSource>[1], [path: string, was: unknown][]][] = [
  [
    'runs',
    {},
    [
      ['/spec/suspend', false],
      ['/spec/failedJobsHistoryLimit', 1],
      ['/spec/successfulJobsHistoryLimit', 3],
    ],
  ],
  [
    'is suspended already: it trims its history all the same',
    { suspended: true },
    [
      ['/spec/failedJobsHistoryLimit', 1],
      ['/spec/successfulJobsHistoryLimit', 3],
    ],
  ],
  [
    'has no limits set: what is not there is remembered so',
    { limits: {}, keepFailed: 1 },
    [
      ['/spec/suspend', false],
      ['/spec/failedJobsHistoryLimit', null],
      ['/spec/successfulJobsHistoryLimit', null],
    ],
  ],
  [
    'was put back by somebody',
    { keepFailed: outOfReach, keepSucceeded: outOfReach, remembered: memory(cronUid) },
    [['/spec/suspend', false]],
  ],
];
for (const [what, more, expected] of cronJobs)
  test(`a CronJob that ${what}`, () => {
    const [action] = plan({ sources: [aSource('c', more)] }).actions;
    assert.deepEqual(
      action?.changes.map(({ path, was }) => [path, was]),
      expected,
    );
  });

test('a CronJob that is stopped already has nothing to do, and says by whom', () => {
  const more = { suspended: true, keepFailed: outOfReach, keepSucceeded: outOfReach };
  const made = plan({ sources: [aSource('c', { ...more, remembered: memory(cronUid) })] });
  assert.deepEqual([whyOf(made, 'c'), doing(made)], ['already-stopped, stopped-before', []]);
  assert.deepEqual(findingOf(made, 'c').why.facts, { by: 'bert' });
  // what it has made all the same is stopped
  const more2 = plan({ sources: [aSource('c', more)], jobs: [one], pods: [pod] });
  assert.deepEqual([doing(more2), more2.terms.makers], [['hold j', 'end-pod p'], [cronUid]]);
});

test('a ScaledJob is paused by its annotation, and nothing else of it is written', () => {
  const scaled = aScaledSource('q');
  const [action] = plan({ sources: [scaled] }).actions;
  assert.equal(action?.does, 'pause');
  assert.deepEqual(action?.changes, [
    { path: '/metadata/annotations/autoscaling.keda.sh~1paused', was: null, set: 'true' },
  ]);
  const again = aScaledSource('q', { suspended: true, pausedAnnotation: 'true' });
  assert.deepEqual(plan({ sources: [again] }).actions, []);
});

const protectedSource = aSource('c', { marks: ['jobctl-keep'] });
const onItsWay = aSource('c', { deletingSince: ago('1m') });
const left: readonly [what: string, JobSource, Asked, expected: string][] = [
  ['a selected Job of a protected CronJob', protectedSource, 'selected', 'stays, source-stays'],
  ['a selected Job of a CronJob that is being deleted', onItsWay, 'selected', 'stays, source-stays'],
  ['a named Job of a CronJob that is being deleted', onItsWay, 'named', 'refused, source-stays'],
];
for (const [what, its, asked, expected] of left)
  test(`${what} has a verdict too, and so has its Pod: ${expected}`, () => {
    const made = plan({ sources: [its], jobs: [one], pods: [pod], asked: { c: 'owner', j: asked } });
    assert.deepEqual([whyOf(made, 'j'), whyOf(made, 'p')], [expected, 'stays, source-stays']);
    assert.deepEqual([doing(made), made.terms.leaves], [[], [one.ref.uid]]);
  });

test('of the Jobs that a source only brings along nothing is said when it stays', () => {
  const made = plan({ sources: [protectedSource], jobs: [one], pods: [pod], asked: { c: 'selected' } });
  assert.deepEqual(names(made.findings.map(({ target }) => target)), ['c']);
});

// --- what stands against it -----------------------------------------------------------------------------------------------------

const two = (name: string, more: Parameters<typeof aWorkingJob>[1]) =>
  aWorkingJob(name, {
    limits: { parallelism: 2 },
    counts: { active: 2, succeeded: 0, failed: 0 },
    completions: 2,
    ...more,
  });
const rule = (action: string, operator: string, values: number[]) => ({
  failureRules: [{ action, exitCodes: { operator, values } }],
});
const perIndex = (completions: number) => ({ perIndex: true, completions });

const blocked: readonly [string, ReturnType<typeof aWorkingJob>, number, string][] = [
  [
    'S09: that another controller drives',
    aWorkingJob('x', { managers: manager('managed-by', 'kueue.x-k8s.io/multikueue') }),
    0,
    'refused, driven-elsewhere',
  ],
  [
    'S10: of a queue, with several Pods',
    two('x', { managers: manager('kueue', 'team') }),
    2,
    'refused, queue-would-requeue',
  ],
  [
    'S10: of a queue, with one Pod',
    aWorkingJob('x', { managers: manager('kueue', 'team') }),
    1,
    'stop, named',
  ],
  [
    'S06: with many indexes to come and several Pods',
    two('x', perIndex(50)),
    2,
    'refused, indexes-would-run',
  ],
  ['S06: with few indexes to come', two('x', perIndex(12)), 2, 'stop, named'],
  ['S06: with many indexes to come and one Pod', aWorkingJob('x', perIndex(50)), 1, 'stop, named'],
  ['whose policy fails it on 143', two('x', rule('FailJob', 'In', [1, 143])), 2, 'refused, fails-the-job'],
  ['whose policy fails it on 137', two('x', rule('FailJob', 'In', [137])), 2, 'refused, fails-the-job'],
  [
    'whose policy fails it on all but 42',
    two('x', rule('FailJob', 'NotIn', [42])),
    2,
    'refused, fails-the-job',
  ],
  [
    'whose policy fails it on all but the kill',
    two('x', rule('FailJob', 'NotIn', [137, 143])),
    2,
    'stop, named',
  ],
  ['whose policy fails it on 42', two('x', rule('FailJob', 'In', [42])), 2, 'stop, named'],
  [
    'whose policy fails it on 143, with one Pod',
    aWorkingJob('x', rule('FailJob', 'In', [143])),
    1,
    'stop, named',
  ],
  ['S05: whose policy ignores the kill', two('x', rule('Ignore', 'In', [143])), 2, 'stop, named'],
  [
    'that is suspended',
    aWorkingJob('x', { state: { is: 'suspended' }, suspended: true }),
    0,
    'stays, job-suspended',
  ],
  [
    'that is being deleted',
    aWorkingJob('x', { deletingSince: ago('5m') }),
    1,
    'already-terminating, terminating',
  ],
];
for (const [what, it, count, expected] of blocked)
  test(`a Job ${what}: ${expected}`, () => {
    const pods = Array.from({ length: count }, (_, at) => aWorkingPod(`p-${at}`, it));
    const made = plan({ jobs: [it], pods });
    assert.equal(whyOf(made, 'x'), expected);
    if (!expected.startsWith('stop')) assert.deepEqual(made.actions, []);
    // of many that a selector matched one that cannot be stopped is left alone, and does not keep off the others
    const selected = plan({ jobs: [it], pods, asked: { x: 'selected' } });
    assert.equal(
      whyOf(selected, 'x'),
      expected.replace('refused', 'stays').replace('stop, named', 'stop, selected'),
    );
    // and who only wants no new Jobs is not kept from it
    assert.doesNotMatch(whyOf(plan({ jobs: [it], pods }, { suspendOnly: true }), 'x'), /refused/);
  });

test('a Job whose CronJob cannot be read is refused: it might start another one', () => {
  const problem = { code: 'forbidden', text: 'no' } as const;
  const unreadableOwners = new Map([[one.ref.uid, { kind: kinds.cronJob, problem }]]);
  assert.equal(whyOf(plan({ jobs: [one], pods: [pod], unreadableOwners }), 'j'), 'refused, owner-unreadable');
});

const sources: readonly [string, Parameters<typeof aSource>[1], Partial<StopOptions>, string][] = [
  ['is being deleted', { deletingSince: ago('1m') }, {}, 'already-terminating, terminating'],
  [
    'is in kube-system, under -A',
    { ref: { ...source.ref, namespace: 'kube-system' } },
    { allNamespaces: true },
    'stays, kube-namespace',
  ],
  [
    'is in kube-system, under -A, with --include-protected',
    { ref: { ...source.ref, namespace: 'kube-system' } },
    { allNamespaces: true, includeProtected: true },
    'stop, named',
  ],
  [
    'is in kube-system, which was named',
    { ref: { ...source.ref, namespace: 'kube-system' } },
    {},
    'stop, named',
  ],
];
for (const [what, more, options, expected] of sources)
  test(`a CronJob that ${what}: ${expected}, and its Jobs with it`, () => {
    const made = plan({ sources: [aSource('c', more)], jobs: [one], pods: [pod] }, options);
    assert.equal(whyOf(made, 'c'), expected);
    const isLeft = !expected.startsWith('stop');
    assert.equal(made.actions.length === 0, isLeft);
  });

test('of a list only what was ticked is stopped', () => {
  const other = aWorkingJob('k');
  const made = plan(
    { sources: [source], jobs: [one, other], pods: [pod] },
    {},
    new Set([cronUid, one.ref.uid]),
  );
  assert.equal(whyOf(made, 'k'), 'stays, not-chosen');
  assert.deepEqual(doing(made), ['suspend c', 'hold j', 'end-pod p']);
});

// --- Pods ---------------------------------------------------------------------------------------------------------------------------

const pods: readonly [string, ReturnType<typeof aWorkingPod>, string, boolean][] = [
  ['that runs', pod, 'stop, owner-goes', true],
  [
    'S03: that ends already',
    aWorkingPod('p', one, { deadlineSeconds: 1 }),
    'already-stopped, pod-ending',
    true,
  ],
  [
    'S03: that has a deadline of 3600',
    aWorkingPod('p', one, { deadlineSeconds: 3600 }),
    'stop, owner-goes',
    true,
  ],
  ['that never started', neverStarted('p', one), 'stop, pod-never-started', false],
  [
    'S11: that is being deleted',
    aWorkingPod('p', one, { deletingSince: ago('5s') }),
    'already-terminating, pod-terminating',
    false,
  ],
  ['that has ended', endedPod('p', one), 'stays, pod-ended', true],
];
for (const [what, it, expected, isKept] of pods)
  test(`a Pod ${what}: ${expected}, ${isKept ? 'kept' : 'not to be kept'}`, () => {
    const made = plan({ jobs: [one], pods: [it] });
    assert.equal(whyOf(made, 'p'), expected);
    assert.deepEqual(made.terms.notKept, isKept ? [] : [it.ref.uid]);
    assert.deepEqual(names(made.terms.pods), ['p'], 'it has to be there afterwards, or its loss is told');
  });

test('S07: it waits for the longest grace period that there is, and something more', () => {
  const made = plan({ jobs: [one], pods: [pod, aWorkingPod('q', one, { graceSeconds: 600 })] });
  assert.ok(made.terms.timeoutMs > 600_000);
  assert.equal(plan({ jobs: [one], pods: [pod] }, { timeoutMs: 0 }).terms.timeoutMs, 0);
});

// --- what is said besides -----------------------------------------------------------------------------------------------------------

const noteRows: readonly [string, Seen, Partial<StopOptions>, string[]][] = [
  ['nothing out of the ordinary', { sources: [source], jobs: [one], pods: [pod] }, { noSave: false }, []],
  ['--no-save', { jobs: [one], pods: [pod] }, {}, ['nothing-saved']],
  ['no right to write Events', { sources: [source], mayRecord: false }, {}, ['no-event']],
  [
    'S08: Argo CD manages the CronJob',
    { sources: [aSource('c', { managers: manager('argocd', 'shop') })] },
    {},
    ['may-be-put-back'],
  ],
  [
    'S14: a Job in status.active that is not there',
    { sources: [aSource('c', { listedActive: ['j', 'gone'] })], jobs: [one], pods: [pod] },
    { noSave: false },
    ['stale-active'],
  ],
  [
    'S12: a Job of somebody else',
    { jobs: [one], pods: [pod], otherOwners: new Map([[one.ref.uid, 'taskrun.tekton.dev/t']]) },
    { noSave: false },
    ['owner-starts-more'],
  ],
  [
    'S10: a queue',
    { jobs: [aWorkingJob('x', { managers: manager('kueue', 'team') })] },
    { noSave: false },
    ['queued'],
  ],
  ['a ScaledJob', { sources: [aScaledSource('q')] }, {}, ['keda-history']],
];
for (const [what, seen, options, expected] of noteRows)
  test(`said before, with ${what}: ${expected.join(', ') || 'nothing'}`, () =>
    assert.deepEqual(noted(plan(seen, options)), expected));

test('S14: what is stale is named, and how many Jobs were really found', () => {
  const { notes } = plan({
    sources: [aSource('c', { listedActive: ['j', 'gone'] })],
    jobs: [one],
    pods: [pod],
  });
  assert.deepEqual(notes[0]?.facts, { object: 'cronjob.batch/c', names: 'gone', running: 1 });
});

test('P07: a Pod whose work is done while a sidecar runs is pointed out; one whose work failed is not', () => {
  const containers = [exited(0), { ...runs, name: 'proxy' }];
  const made = plan({ jobs: [one], pods: [aWorkingPod('p', one, { containers })] }, { noSave: false });
  assert.deepEqual(made.notes, [{ code: 'work-is-done', facts: { object: 'pod/p', running: 'proxy' } }]);
  const crashed = [exited(1), { ...runs, name: 'proxy' }];
  assert.deepEqual(
    noted(plan({ jobs: [one], pods: [aWorkingPod('p', one, { containers: crashed })] }, { noSave: false })),
    [],
  );
});

test('with --no-save it is said how many Pods had restarts: the log from before one goes with the end of the Pod', () => {
  const pods = [0, 2].map(restarts =>
    aWorkingPod(`p${restarts}`, one, { containers: [{ ...runs, restarts }] }),
  );
  const made = plan({ jobs: [one], pods }, { noSave: true });
  assert.deepEqual(made.notes, [{ code: 'nothing-saved', facts: { restarted: 1 } }]);
});

test('S15: a Pod on a node that does not answer is pointed out', () => {
  const made = plan(
    { jobs: [one], pods: [aWorkingPod('p', one, { node: 'n' })], silentNodes: new Set(['n']) },
    { noSave: false },
  );
  assert.deepEqual(noted(made), ['node-silent']);
});

const routes: readonly [string, Parameters<typeof aWorkingJob>[1], 'by-count' | 'by-deadline'][] = [
  ['that runs', {}, 'by-count'],
  ['S05: whose policy may ignore the kill, nothing failed', rule('Ignore', 'In', [143]), 'by-deadline'],
  [
    'S05: whose policy may ignore the kill, one failed',
    { ...rule('Ignore', 'In', [143]), counts: { active: 1, failed: 1, succeeded: 0 } },
    'by-count',
  ],
];
for (const [what, more, route] of routes)
  test(`a Job ${what} will end ${route}`, () => {
    const it = aWorkingJob('x', more);
    const { seen } = findingOf(plan({ jobs: [it], pods: [aWorkingPod('p', it)] }), 'x');
    assert.equal(seen.as === 'work' ? seen.route : '', route);
  });

// --- the plan as a value ------------------------------------------------------------------------------------------------------------

test('the folder for evidence is named after the moment, with a time zone, unless the user names one', () => {
  const { save } = plan({ jobs: [one], pods: [pod] }, { noSave: false }).terms;
  assert.deepEqual(save, { dir: 'jobctl-stop-2026-03-01T120000Z', ignoreErrors: false });
  const named = plan({ jobs: [one] }, { noSave: false, saveDir: 'here', ignoreSaveErrors: true }).terms.save;
  assert.deepEqual(named, { dir: 'here', ignoreErrors: true });
});

test('the digest is of what is written: the same for the same state, another one for one Pod more', () => {
  const digest = (seen: Seen) => plan(seen).digest;
  const seen = { sources: [source], jobs: [one], pods: [pod] };
  assert.equal(digest(seen), digest({ ...seen, takenAt: new Date(now.getTime() + 60_000) }));
  assert.notEqual(digest(seen), digest({ ...seen, pods: [pod, aWorkingPod('q', one)] }));
});

test('more than a hundred objects are a danger of their own', () => {
  const many = Array.from({ length: 101 }, (_, at) => aWorkingJob(`x-${at}`));
  assert.deepEqual(plan({ jobs: many }).dangers, ['running-work', 'many-objects']);
});

test('--reason stands in every memory', () => {
  const { actions } = plan({ sources: [source], jobs: [one], pods: [pod] }, { reason: 'INC-1' });
  assert.deepEqual(
    actions.map(({ memory: { reason } }) => reason),
    ['INC-1', 'INC-1', 'INC-1'],
  );
});
