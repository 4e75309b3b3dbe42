// What `status` says where the album has no picture of it: rare sentences, cells of what was not read, and commands that a shell can take.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { StatusFinding } from '../../../src/model/status.ts';
import { commandLine, shortCommand } from '../../../src/report/next-command.ts';
import { sentenceOf } from '../../../src/report/status-findings.ts';
import { statusLines, watchLines } from '../../../src/report/status-lines.ts';
import { anObject, failed, kinds, stuck } from '../nouns.ts';
import { aLeakedPod, runningPod, statusOf, without } from '../status-nouns.ts';
import { aSource, aWorkingJob } from '../stop-nouns.ts';

const day = 86_400_000;
const { ref } = anObject(kinds.job, 'x');
const sentences: readonly (readonly [StatusFinding['code'], StatusFinding['facts'], string])[] = [
  [
    'stop-undone',
    { by: 'anna', sinceMs: day },
    'job.batch/x runs again, and what the stop by anna 24h ago has changed was not given back',
  ],
  [
    'never-started',
    { count: 1, job: 'job/x', sinceMs: day },
    'job/x never started a Pod, it was made 24h ago',
  ],
  [
    'never-started',
    { count: 2, job: 'job/x', sinceMs: day },
    '2 Jobs never started a Pod; the oldest is job/x, made 24h ago',
  ],
  ['beyond-retention', { count: 1, owners: '', more: 0 }, '1 finished Job beyond retention'],
  [
    'beyond-retention',
    { count: 9, owners: '5 of cronjob/a, 2 of cronjob/b, 1 of cronjob/c', more: 1 },
    '9 finished Jobs beyond retention: 5 of cronjob/a, 2 of cronjob/b, 1 of cronjob/c and of 1 more owner',
  ],
  ['failed-last', { reason: '', sinceMs: day }, 'job.batch/x failed 24h ago'],
  [
    'leaked-running',
    { count: 2, jobs: 2, job: 'a' },
    '2 unfinished Pods of 2 Jobs that are gone: nothing will end them',
  ],
  ['stopped-jobs', { count: 3, job: 'job/x' }, '3 Jobs are kept as a stop has left them'],
  [
    'leaked-kept',
    { count: 1, jobs: 1, job: 'a', 'jobctl-keep': 1 },
    '1 Pod of job/a, which is gone, left alone as it asks: 1 marked jobctl/keep',
  ],
  [
    'leaked-kept',
    { count: 3, jobs: 2, job: 'a', 'helm-hook': 1, 'jobctl-stopped': 2 },
    '3 Pods of 2 Jobs that are gone, left alone as they ask: 2 kept by a stop, 1 Helm hook',
  ],
  ['no-parallelism', {}, 'job.batch/x unfinished, and starts no Pod: its parallelism is 0'],
  [
    'half-stopped',
    { by: 'anna', sinceMs: day, active: 0 },
    'job.batch/x unfinished: the stop by anna 24h ago has not ended it; go on with it, or undo it',
  ],
  [
    'half-stopped',
    { by: 'anna', sinceMs: day, active: 2 },
    'job.batch/x still runs: the stop by anna 24h ago has not ended it; go on with it, or undo it',
  ],
  [
    'owner-gone',
    { count: 1, object: 'job.batch/x', kind: 'Job', owner: 'cronjob.batch/c' },
    'job.batch/x names cronjob.batch/c as its owner, which is not in this namespace: the garbage collector is about to delete it',
  ],
  [
    'owner-gone',
    { count: 3, object: 'job.batch/x', kind: 'Job', owner: 'cronjob.batch/c', sinceMs: day },
    '3 Jobs name cronjob.batch/c as their owner, which has not been in this namespace for 24h: the garbage collector should have deleted them, and is slow, stuck or off',
  ],
  [
    'owner-gone',
    { count: 1, object: 'job.batch/x', owner: 'cronjob.batch/old', beside: 'cronjob.batch/c' },
    'job.batch/x names cronjob.batch/old as an owner, which is not in this namespace: while cronjob.batch/c is there the garbage collector only drops that reference',
  ],
  [
    'owner-in-other-namespace',
    { owner: 'cronjob.batch/c', other: 'b' },
    'job.batch/x names cronjob.batch/c of namespace b as its owner, which is invalid: the garbage collector may delete it at any time',
  ],
  [
    'owner-in-other-namespace',
    { owner: 'cronjob.batch/c', other: 'b', beside: 'cronjob.batch/d' },
    'job.batch/x names cronjob.batch/c of namespace b as an owner, which is invalid: while cronjob.batch/d is there the garbage collector only drops that reference',
  ],
  ['stuck', { sinceMs: day }, 'job.batch/x stuck for 24h'],
];
for (const [code, facts, expected] of sentences)
  test(`${code}: “${expected}”`, () => {
    const finding = { code, facts, targets: [ref], namespace: 'batch', needs: true, next: [] };
    assert.equal(sentenceOf(finding), expected);
  });

test('a command is one that a shell reads back as the same words', () => {
  const words = ['patch', 'job/x', '-p', `[{"op":"test","value":"it's $HOME"}]`, '-n', 'batch'];
  const line = commandLine({ program: 'kubectl', words });
  const read = execFileSync('/bin/sh', [
    '-c',
    `for word in ${line.replace('kubectl ', '')}; do printf '%s\\n' "$word"; done`,
  ]);
  assert.deepEqual(read.toString().trimEnd().split('\n'), words);
});

test('under the heading of kubectl jobctl only other programs are named', () => {
  assert.equal(shortCommand({ program: 'kubectl jobctl', words: ['resume', '-n', 'a'] }), 'resume -n a');
  assert.equal(shortCommand({ program: 'kubectl', words: ['logs', 'job/x'] }), 'kubectl logs job/x');
});

test('-A: what was not read is a question mark, and nobody is called clean', () => {
  const jobs = [aWorkingJob('x', { state: failed('1h') })];
  const lines = statusLines(statusOf({ allNamespaces: true, jobs, ...without('cronJob', 'pod') }), 'text');
  assert.match(lines[3] ?? '', /^batch +\? +1: 1 failed +\? +\? +status -n batch$/);
  const quiet = statusLines(
    statusOf({ allNamespaces: true, sources: [aSource('c')], ...without('job') }),
    'text',
  );
  assert.ok(
    quiet.includes(
      '0 of 1 namespace need something; in the other 1 nothing was found in what could be read.',
    ),
  );
});

for (const kind of ['job', 'cronJob', 'scaledJob', 'pod'] as const)
  test(`what of ${kind}s may be stuck is not known where they could not be read`, () => {
    const cellOf = (jobs: Parameters<typeof statusOf>[0]['jobs'] = []) =>
      statusLines(statusOf({ jobs, ...without(kind) }), 'text').find(line => line.startsWith('Stuck: '));
    assert.equal(cellOf(), 'Stuck: none in what could be read');
    if (kind !== 'job') assert.equal(cellOf([aWorkingJob('x', stuck)]), 'Stuck: 1, oldest 60m, ?');
  });

test('kept leaked Pods are counted, and no namespace is busy for them', () => {
  const gone = aWorkingJob('gone');
  const marks = ['jobctl-keep'] as const;
  const kept = aLeakedPod('a', gone, { marks });
  const lines = statusLines(statusOf({ allNamespaces: true, pods: [kept] }), 'wide');
  assert.match(lines[3] ?? '', /^batch +- +- +1, 1 kept +-$/);
  const more = [kept, aLeakedPod('b', gone), aLeakedPod('c', gone, runningPod)];
  assert.ok(statusLines(statusOf({ pods: more }), 'text').includes('Leaked Pods: 3, 1 runs, 1 kept'));
});

test('-A of an empty cluster, read whole and not', () => {
  assert.ok(
    statusLines(statusOf({ allNamespaces: true }), 'text').includes(
      'No CronJobs, Jobs or Pods of Jobs anywhere.',
    ),
  );
  const unread = statusLines(statusOf({ allNamespaces: true, ...without('job') }), 'text');
  assert.ok(unread.includes('Nothing was found in what could be read.'));
});

test('--watch: the moment of the picture first; never more lines than the terminal has', () => {
  const status = statusOf({ sources: Array.from({ length: 50 }, (_, at) => aSource(`c-${at}`)) });
  const lines = watchLines(status, 'text', { rows: 24, trouble: 'Unable to connect\u001b[2J' });
  assert.equal(lines.length, 23);
  assert.equal(lines[0], '12:00:00 UTC, every 2s, Ctrl-C ends; not read since: Unable to connect [2J');
  assert.match(lines.at(-1) ?? '', /^… \d+ more lines/);
  assert.ok(!watchLines(status, 'text', { rows: 90 }).some(line => line.startsWith('…')));
});
