// What people read of `stop` while it runs: a line for each step that was seen, what is left when it ends early, and the last line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event, Left } from '../../../src/model/event.ts';
import type { StopPlan } from '../../../src/model/plan.ts';
import type { JobProgress, PodProgress } from '../../../src/model/stopping.ts';
import { progressOf } from '../../../src/plan/pod-progress.ts';
import { planStop } from '../../../src/plan/stop.ts';
import { stopStep } from '../../../src/plan/stopping.ts';
import { rendererFor } from '../../../src/report/choose-renderer.ts';
import { Counting, exitCodeOf } from '../../../src/report/counting.ts';
import { questionOf } from '../../../src/report/question.ts';
import { ago, complete, failed, now, ownedBy } from '../nouns.ts';
import {
  aSource,
  aWorkingJob,
  aWorkingPod,
  endedPod,
  exited,
  neverStarted,
  runs,
  stopOptions,
  stopSnapshot,
  waits,
  work,
} from '../stop-nouns.ts';

const source = aSource('sync');
const job = aWorkingJob('sync-1', { owners: ownedBy(source) });
const pod = aWorkingPod('sync-1-a', job, { graceSeconds: 600 });
const planned = (options: Parameters<typeof stopOptions>[0] = {}): StopPlan =>
  planStop(stopSnapshot({ sources: [source], jobs: [job], pods: [pod] }), stopOptions(options));
const plan = planned();

function lines(event: Event, of: StopPlan = plan, form: 'text' | 'wide' = 'text'): string {
  const renderer = rendererFor({ form, asks: false });
  renderer.on({ type: 'plan', plan: of });
  const { out = [], err = [], status } = renderer.on(event);
  return [...out, ...err, ...(status === undefined ? [] : [status])].join('\n');
}

const told = {
  deadlineSeconds: 1,
  remembered: {
    state: 'remembered' as const,
    memory: { uid: pod.ref.uid, at: ago('150s'), by: 'anna', changes: [] },
  },
};
const seen = (one: Parameters<typeof progressOf>[0], silent: string[] = []): PodProgress =>
  progressOf(one, new Set(silent), now);
const working = (...pods: Parameters<typeof progressOf>[0][]): JobProgress =>
  stopStep(work(job, pods), plan, now).progress;
const left = (code: Left['code'], facts: Left['facts'] = {}): Left => ({ target: pod.ref, code, facts });
const forbidden = { code: 'forbidden', text: 'Error from server (Forbidden): no' } as const;

const [suspend, hold, end] = plan.actions;
assert.ok(suspend && hold && end);

const ends = (...containers: ReturnType<typeof exited>[]): Event => ({
  type: 'pod-ended',
  pod: seen(endedPod('sync-1-a', job, { containers })),
});

const rows: readonly [string, Event, RegExp | string][] = [
  [
    'a CronJob is suspended',
    { type: 'changed', action: suspend, state: 'done' },
    'cronjob.batch/sync suspended',
  ],
  [
    'a CronJob is gone',
    { type: 'changed', action: suspend, state: 'already-gone' },
    'cronjob.batch/sync was already gone',
  ],
  ['a Job is held: nothing is said of each step', { type: 'changed', action: hold, state: 'done' }, ''],
  ['a Pod has ended by TERM', ends(exited(143)), 'pod/sync-1-a ended, exit 143, logs kept'],
  ['a Pod has ended by itself', ends(exited(0)), 'pod/sync-1-a ended, exit 0 (the work was done), logs kept'],
  [
    'P07: main and sidecar have ended',
    ends(exited(0), exited(143, 'proxy')),
    'pod/sync-1-a ended, exit 0, 143, logs kept',
  ],
  [
    'a Pod has ended before a container of it started: no exit code is made up',
    {
      type: 'pod-ended',
      pod: seen(endedPod('sync-1-a', job, { containers: [waits], reason: 'DeadlineExceeded' })),
    },
    'pod/sync-1-a ended, DeadlineExceeded, logs kept',
  ],
  [
    'a Job has failed',
    { type: 'job-closed', target: job.ref, state: failed('1s'), pods: [seen(endedPod('a', job))] },
    'job.batch/sync-1 failed (BackoffLimitExceeded), 1 Pod kept',
  ],
  [
    'a Job has come to its own end',
    { type: 'job-closed', target: job.ref, state: complete('1s'), pods: [] },
    'job.batch/sync-1 completed by itself, 0 Pods kept',
  ],
  [
    'a Pod is lost',
    { type: 'lost', target: pod.ref, foretold: false },
    'error: pod/sync-1-a is gone: somebody or something deleted it',
  ],
  [
    'a Pod went as foretold',
    { type: 'lost', target: pod.ref, foretold: true },
    'pod/sync-1-a is gone: it could not be kept',
  ],
  [
    'a Pod appeared',
    { type: 'appeared', target: pod.ref },
    'pod/sync-1-a appeared since the plan was shown, and is stopped too',
  ],
  [
    'S08: the suspension was put back',
    { type: 'put-back', target: source.ref },
    /^error: cronjob\.batch\/sync is not suspended any more/,
  ],
  [
    'KEDA is silent',
    { type: 'pause-not-seen', target: source.ref },
    /^Warning: KEDA does not say that it has paused/,
  ],
  [
    'a write was refused',
    { type: 'not-changed', action: end, problem: forbidden, blame: [] },
    'error: pod/sync-1-a not changed: Error from server (Forbidden): no',
  ],
  [
    'a write was not answered: whether it had its effect is not known',
    { type: 'not-changed', action: end, problem: { code: 'timeout', text: 'no answer' }, blame: [] },
    'error: pod/sync-1-a may not be changed, no clear answer came: no answer',
  ],
];
for (const [what, event, expected] of rows)
  test(`told when ${what}`, () => {
    if (typeof expected === 'string') assert.equal(lines(event), expected);
    else assert.match(lines(event), expected);
  });

test('-o wide says each step', () => {
  assert.equal(
    lines({ type: 'changed', action: hold, state: 'done' }, plan, 'wide'),
    'job.batch/sync-1  held: its limits are lifted',
  );
});

test('a server dry run says so at each object', () => {
  const dry = planned({ dryRun: 'server' });
  assert.match(
    lines({ type: 'changed', action: end, state: 'dry-run' }, dry),
    /^pod\/sync-1-a told to end \(server dry run\)$/,
  );
  assert.match(
    lines({ type: 'changed', action: suspend, state: 'dry-run' }, dry),
    /^cronjob\.batch\/sync suspended \(server dry run\)$/,
  );
});

const ways = [
  'Go on: kubectl jobctl stop cronjob.batch/sync -n batch',
  'Undo: kubectl jobctl resume cronjob.batch/sync -n batch',
];
const early: readonly [string, Event, readonly string[]][] = [
  [
    'S07: the time is out, phase and container are told apart',
    {
      type: 'timeout',
      afterMs: 60_000,
      causes: [],
      left: [
        left('container-runs', { phase: 'Failed', containers: 'main' }),
        left('in-grace', { seconds: 450, of: 600 }),
      ],
    },
    [
      'error: timed out after 1m: 2 objects not at their end',
      '  pod/sync-1-a: its phase says Failed, and main still runs',
      '  pod/sync-1-a: 450s of 600s grace left. Nothing else holds it.',
      ...ways,
    ],
  ],
  [
    'S15: the time is out, a node does not answer',
    { type: 'timeout', afterMs: 90_000, causes: [], left: [left('node-cannot-tell-it', { node: 'n' })] },
    [
      'error: timed out after 90s: 1 object not at its end',
      '  pod/sync-1-a: its node n does not answer, nobody can tell it to end. It ends when the node is back, and stays. If the node is removed from the cluster, the Pod and its logs go with it.',
      ...ways,
    ],
  ],
  [
    'S17: part of it was given up',
    { type: 'given-up', left: [left('not-told')] },
    [
      'error: given up: 1 object not at its end',
      '  pod/sync-1-a: still runs, it was not told to end',
      ...ways,
    ],
  ],
  [
    'it was interrupted',
    { type: 'interrupted', notStarted: [], left: [left('in-grace', { seconds: 5, of: 30 })] },
    [
      'interrupted: 1 object not at its end',
      '  pod/sync-1-a: 5s of 30s grace left. Nothing else holds it.',
      ...ways,
    ],
  ],
  [
    'it stopped half-way',
    { type: 'stopped-half-way', notStarted: [job.ref] },
    ['error: stopped half-way: 1 object not touched, what runs goes on', ...ways],
  ],
  [
    'nobody answers any more',
    { type: 'halted', notStarted: [job.ref] },
    ['stopped: the server cannot be reached, or does not let us in any more', ...ways],
  ],
];
for (const [what, event, expected] of early)
  test(`when ${what}, it is said what is left, how to go on, and how to undo`, () =>
    assert.deepEqual(lines(event).split('\n'), expected));

test('of very many that are left ten are named', () => {
  const many = Array.from({ length: 25 }, () => left('not-told'));
  assert.match(lines({ type: 'given-up', left: many }), /^ {2}… 15 more$/m);
});

test('while it waits, each Pod stands with its containers and the grace that it has left', () => {
  const said = lines({
    type: 'work',
    jobs: [
      working(
        aWorkingPod('a', job, {
          ...told,
          graceSeconds: 600,
          containers: [exited(0), { ...runs, name: 'proxy' }],
        }),
        aWorkingPod('b', job, { ...told, graceSeconds: 30 }),
        neverStarted('c', job),
        aWorkingPod('d', job, { phase: 'Failed', containers: [runs] }),
      ),
    ],
  });
  assert.match(said, /^waiting for 1 Job, 4 Pods$/m);
  assert.match(said, /pod\/a +ending, 450s of 600s left +main ended \(0\), proxy running/);
  assert.match(said, /pod\/b +ending, 120s past its grace of 30s +main running/);
  assert.match(said, /pod\/c +never started/);
  assert.match(said, /pod\/d +Failed, a container still runs +main running/);
});

test('the question names what ends, where, and that it is running work', () => {
  assert.equal(
    questionOf(plan),
    'Stop 1 CronJob, 1 Job, 1 running Pod in namespace batch of prod? (running work among them ends)',
  );
});

// --- the last line, and the exit code -----------------------------------------------------------------------------------------

const good: readonly Event[] = [
  { type: 'changed', action: suspend, state: 'done' },
  ends(exited(143)),
  { type: 'job-closed', target: job.ref, state: failed('1s'), pods: [seen(endedPod('sync-1-a', job))] },
];
const lasts: readonly [string, readonly Event[], number, RegExp][] = [
  ['all is stopped', good, 0, /^stopped: 1 CronJob suspended, 1 of 1 Job ended, 1 Pod ended and kept \(/],
  [
    'a Pod is lost',
    [...good, { type: 'lost', target: pod.ref, foretold: false }],
    2,
    /^not all is stopped: .*, 1 lost \(/,
  ],
  ['a Pod went as foretold', [...good, { type: 'lost', target: pod.ref, foretold: true }], 0, /^stopped: /],
  [
    'the suspension was put back',
    [...good, { type: 'put-back', target: source.ref }],
    2,
    /^not all is stopped: /,
  ],
  [
    'a write was refused',
    [{ type: 'not-changed', action: end, problem: forbidden, blame: [] }],
    2,
    /^not all is stopped: .*0 of 1 Job ended, 1 failed/,
  ],
  ['it stopped half-way', [{ type: 'stopped-half-way', notStarted: [job.ref] }], 2, /^not all is stopped: /],
  ['the time was out', [{ type: 'timeout', afterMs: 1, left: [], causes: [] }], 4, /^not all is stopped: /],
  ['it was interrupted', [{ type: 'interrupted', notStarted: [], left: [] }], 130, /^not all is stopped: /],
];
for (const [what, events, code, line] of lasts)
  test(`where ${what} it ends with ${code}, and says so`, () => {
    const counting = new Counting();
    const renderer = rendererFor({ form: 'text', asks: false });
    const all: Event[] = [{ type: 'plan', plan }, ...events, { type: 'end', ms: 1200, throttled: 0 }];
    for (const event of all) {
      counting.add(event);
      renderer.on(event);
    }
    assert.equal(exitCodeOf(counting.tally), code);
    const { err = [] } = renderer.end(counting.tally, code);
    assert.match(err[0] ?? '', line);
    // where all went well: what to do next
    assert.equal(err.includes('Go on later: kubectl jobctl resume cronjob.batch/sync -n batch'), code === 0);
    if (code === 0) assert.ok(err.includes('Look: kubectl logs -n batch sync-1-a'));
  });
