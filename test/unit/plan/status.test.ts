// What `status` says of each sort of object, case by case; the ids are those of the catalogue of cases.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kindName } from '../../../src/model/kind.ts';
import type { Memory } from '../../../src/model/memory.ts';
import type { OwnerReference } from '../../../src/model/object.ts';
import { needsSomebody } from '../../../src/model/status.ts';
import type { StatusSnapshot } from '../../../src/model/status-snapshot.ts';
import type { WorkingJob } from '../../../src/model/working-job.ts';
import { planStatus } from '../../../src/plan/status.ts';
import { ago, aJob, anObject, complete, failed, kinds, ownedBy, running, stuck } from '../nouns.ts';
import {
  aJobPod,
  aLeakedPod,
  findingsOf,
  placeOf,
  runningPod,
  statusOf,
  statusSnapshot,
  told,
  typed,
  without,
} from '../status-nouns.ts';
import { aScaledSource, aSource, aWorkingJob } from '../stop-nouns.ts';

const memory: Memory = {
  uid: 'uid-CronJob-batch-sync',
  at: ago('3h'),
  by: 'anna',
  reason: 'INC-1234',
  changes: [{ path: '/spec/suspend', was: false, set: true }],
};
const remembered = { state: 'remembered', memory } as const;
const inA = (name: string) => anObject(kinds.job, name, { namespace: 'a' });

describe('CronJobs and ScaledJobs', () => {
  test('an active CronJob has its next run, what runs of it, and what is beyond its limits', () => {
    const nightly = aSource('nightly', { schedule: '0 2 * * *', lastScheduledAt: ago('10h') });
    const jobs = [
      aWorkingJob('n-1', { owners: ownedBy(nightly) }),
      ...[1, 2, 3, 4, 5].map(day =>
        aWorkingJob(`n-${day + 1}`, { owners: ownedBy(nightly), state: complete(`${day}d`) }),
      ),
    ];
    const status = statusOf({ sources: [nightly], jobs });
    const [line] = placeOf(status).sources;
    assert.deepEqual(
      { is: line?.is, next: line?.next, running: line?.running, tooMany: line?.tooMany },
      {
        is: 'active',
        next: { is: 'at', at: new Date('2026-03-02T02:00:00Z'), utcAssumed: true },
        running: 1,
        tooMany: 2,
      },
    );
    assert.deepEqual(typed(findingsOf(status, 'beyond-retention')[0]), [
      'kubectl jobctl prune jobs -n batch',
    ]);
  });

  test('the next run is reckoned in the time zone that the CronJob names', () => {
    const sources = [
      aSource('n', { schedule: '0 2 * * *', timeZone: 'Asia/Tokyo', lastScheduledAt: ago('19h') }),
    ];
    const [line] = placeOf(statusOf({ sources })).sources;
    assert.deepEqual(line?.next, { is: 'at', at: new Date('2026-03-01T17:00:00Z'), utcAssumed: false });
  });

  test('one that we stopped: by whom, when, why; resume deals with it', () => {
    const status = statusOf({ sources: [aSource('sync', { suspended: true, remembered })] });
    const [finding] = findingsOf(status);
    assert.equal(finding?.code, 'stopped');
    assert.deepEqual(finding?.facts, { by: 'anna', sinceMs: 3 * 3_600_000, reason: 'INC-1234' });
    assert.deepEqual(typed(finding), ['kubectl jobctl resume cronjob/sync -n batch']);
    assert.equal(placeOf(status).sources[0]?.next, undefined);
  });

  test('one that somebody suspended is told, and needs nobody', () => {
    const status = statusOf({ sources: [aSource('sync', { suspended: true })] });
    assert.deepEqual(told(status), ['suspended sync']);
    assert.equal(needsSomebody(placeOf(status)), false);
  });

  test('one that runs again although a stop is remembered has not got back what the stop changed', () => {
    const status = statusOf({ sources: [aSource('sync', { remembered })] });
    assert.deepEqual(told(status), ['stop-undone sync']);
  });

  test('a note that was copied from another object says nothing', () => {
    const status = statusOf({ sources: [aSource('sync', { remembered: { state: 'foreign' } })] });
    assert.deepEqual(told(status), []);
  });

  for (const schedule of ['0 0 31 2 *', 'every day'])
    test(`"${schedule}" never comes`, () => {
      const status = statusOf({ sources: [aSource('c', { schedule })] });
      assert.deepEqual(told(status), ['never-runs c']);
      assert.deepEqual(typed(findingsOf(status)[0]), ['kubectl edit cronjob/c -n batch']);
    });

  test('a time zone that this machine does not know makes the next run unknown, not absent', () => {
    const status = statusOf({ sources: [aSource('c', { timeZone: 'Mars/Olympus' })] });
    assert.deepEqual(placeOf(status).sources[0]?.next, { is: 'unknown', why: 'zone-unknown' });
    assert.deepEqual(told(status), []);
  });

  test('a ScaledJob has no next run; resume names it with its group', () => {
    const status = statusOf({ sources: [aScaledSource('queue', { suspended: true, remembered })] });
    assert.equal(placeOf(status).sources[0]?.next, undefined);
    assert.deepEqual(typed(findingsOf(status)[0]), [
      'kubectl jobctl resume scaledjob.keda.sh/queue -n batch',
    ]);
  });
});

describe('Jobs', () => {
  test('P04: Jobs with an empty status never started a Pod; the CronJob can be kept from making more', () => {
    const c = aSource('c');
    const jobs = Array.from({ length: 50 }, (_, at) =>
      aWorkingJob(`c-${at}`, {
        owners: ownedBy(c),
        state: { is: 'never-started' },
        createdAt: ago(`${at + 5}m`),
      }),
    );
    const status = statusOf({ sources: [c], jobs });
    const [finding] = findingsOf(status, 'never-started');
    assert.equal(finding?.targets.length, 50);
    assert.equal(finding?.facts['job'], 'job/c-49');
    assert.deepEqual(typed(finding), [
      'kubectl describe job/c-49 -n batch',
      'kubectl jobctl stop cronjob/c --suspend-only -n batch',
      'kubectl jobctl prune jobs --never-started-older-than 2m --owner cronjob.batch/c -n batch',
    ]);
    assert.equal(placeOf(status).jobs?.tooMany, 0);
  });

  test('P04: one that was made just now is given time, and one of another controller is not judged', () => {
    const state = { is: 'never-started' } as const;
    const young = aWorkingJob('young', { state, createdAt: ago('60s') });
    const managers = [{ tool: 'kueue', name: 'q' }] as const;
    const status = statusOf({ jobs: [young, aWorkingJob('queued', { state, managers })] });
    assert.deepEqual(told(status), []);
    assert.equal(placeOf(status).jobs?.neverStarted, 2);
  });

  const neverStartedOf = (owners: readonly OwnerReference[], more: Partial<WorkingJob> = {}) =>
    aWorkingJob('n', { state: { is: 'never-started' }, createdAt: ago('10m'), owners, ...more });
  const widget = anObject(kinds.widget, 'w');
  const c = aSource('c');
  const ofC = neverStartedOf(ownedBy(c));
  const stopOfC = 'kubectl jobctl stop cronjob/c --suspend-only -n batch';
  const pruneOf = (which: string) =>
    `kubectl jobctl prune jobs --never-started-older-than 2m ${which} -n batch`;
  const pruneOfC = pruneOf('--owner cronjob.batch/c');
  for (const [what, seen, commands] of [
    ['nobody’s', { jobs: [neverStartedOf([])] }, [pruneOf('--standalone')]],
    [
      'a Widget’s, which is no controller',
      { jobs: [neverStartedOf(ownedBy(widget, { controller: false }))] },
      [pruneOf('--owner widget.example.com/w')],
    ],
    ['a CronJob’s', { jobs: [ofC], sources: [c] }, [stopOfC, pruneOfC]],
    ['a CronJob’s that is suspended', { jobs: [ofC], sources: [{ ...c, suspended: true }] }, [pruneOfC]],
    ['a CronJob’s that is gone', { jobs: [ofC] }, [pruneOfC]],
    ['a CronJob’s that goes', { jobs: [ofC], sources: [{ ...c, deletingSince: ago('1s') }] }, [pruneOfC]],
    // prune leaves what it cannot judge
    ['a CronJob’s that could not be read', { jobs: [ofC], ...without('cronJob') }, [stopOfC]],
    ['marked', { jobs: [neverStartedOf([], { marks: ['jobctl-keep'] })] }, []],
    ['a CronJob’s that is marked', { jobs: [ofC], sources: [{ ...c, marks: ['helm-keep'] }] }, [pruneOfC]],
  ] satisfies readonly (readonly [string, Partial<StatusSnapshot>, readonly string[]])[])
    test(`L3: the advice for one that never started, ${what}, takes it`, () => {
      const [finding] = findingsOf(statusOf(seen), 'never-started');
      assert.deepEqual(typed(finding), ['kubectl describe job/n -n batch', ...commands]);
    });

  test('P06: unfinished, nothing active, its Pods gone: idle, and not taken by prune', () => {
    const job = aWorkingJob('import', { state: { is: 'idle' }, startedAt: ago('30d') });
    const status = statusOf({ jobs: [job] });
    assert.deepEqual(told(status), ['idle import']);
    assert.equal(placeOf(status).jobs?.tooMany, 0);
  });

  test('P06: one that waits between two tries is not idle', () => {
    const job = aWorkingJob('etl', { state: { is: 'idle' }, startedAt: ago('30d') });
    const pod = (endedAt: Date) => aJobPod('etl-x', job, { phase: 'Failed', endedAt });
    assert.deepEqual(told(statusOf({ jobs: [job], pods: [pod(ago('9m'))] })), []);
    assert.deepEqual(told(statusOf({ jobs: [job], pods: [pod(ago('16m'))] })), ['idle etl']);
  });

  test('M1: where the Pods could not be read none is called idle: the last may have ended a moment ago', () => {
    const jobs = [aWorkingJob('import', { state: { is: 'idle' }, startedAt: ago('30d') })];
    const status = statusOf({ jobs, ...without('pod') });
    assert.deepEqual(told(status), []);
    assert.equal(placeOf(status).jobs?.idle, 1);
  });

  test('one whose Pod is still ending is not idle, and a Pod that does not tell its end was made at least', () => {
    const job = aWorkingJob('etl', { state: { is: 'idle' }, startedAt: ago('30d') });
    const ending = aJobPod('etl-x', job, {
      ...runningPod,
      createdAt: ago('2d'),
      deletingSince: ago('1h'),
      deletionGraceSeconds: 7200,
    });
    assert.deepEqual(told(statusOf({ jobs: [job], pods: [ending] })), []);
    const { endedAt: _, ...silent } = aJobPod('etl-y', job, { phase: 'Failed', createdAt: ago('5m') });
    assert.deepEqual(told(statusOf({ jobs: [job], pods: [silent] })), []);
  });

  test('an idle one that asks to be left alone is not to be deleted: that would be refused', () => {
    const marks = ['jobctl-keep'] as const;
    const job = aWorkingJob('x', { state: { is: 'idle' }, startedAt: ago('30d'), marks });
    assert.deepEqual(typed(findingsOf(statusOf({ jobs: [job] }))[0]), ['kubectl describe job/x -n batch']);
  });

  for (const is of ['idle', 'never-started'] as const)
    test(`L4: ${is} with a parallelism of 0 is as somebody wants it, and not to be deleted`, () => {
      const job = aWorkingJob('x', { state: { is }, startedAt: ago('30d'), limits: { parallelism: 0 } });
      const status = statusOf({ jobs: [job] });
      assert.deepEqual(told(status), ['no-parallelism x']);
      assert.equal(needsSomebody(placeOf(status)), false);
      assert.deepEqual(typed(findingsOf(status)[0]), ['kubectl describe job/x -n batch']);
    });

  for (const state of [{ is: 'idle' }, { is: 'never-started' }, { is: 'suspended' }, running()] as const)
    test(`L4: ${state.is}, with the note of a stop: half-stopped, and the stop can go on or be undone`, () => {
      const jobs = [
        aWorkingJob('x', { state, startedAt: ago('30d'), remembered, limits: { parallelism: 0 } }),
      ];
      const status = statusOf({ jobs });
      assert.deepEqual(told(status), ['half-stopped x']);
      assert.deepEqual(typed(findingsOf(status)[0]), [
        'kubectl jobctl stop job/x -n batch',
        'kubectl jobctl resume job/x -n batch',
      ]);
      assert.deepEqual(
        placeOf(status).next.map(({ words }) => words.join(' ')),
        ['stop job/x -n batch'],
      );
    });

  test('L4: a stop that has begun just now, or whose Job is about to fail, needs nobody', () => {
    const young = { state: 'remembered', memory: { ...memory, at: ago('30s') } } as const;
    assert.deepEqual(
      findingsOf(statusOf({ jobs: [aWorkingJob('x', { remembered: young })] })).map(({ needs }) => needs),
      [false],
    );
    assert.deepEqual(
      told(statusOf({ jobs: [aWorkingJob('x', { remembered, state: { is: 'ending' } })] })),
      [],
    );
  });

  test('L4: what asks to be left alone is stopped and resumed with the flag for that', () => {
    const marks = ['janitor-forever'] as const;
    const jobs = [aWorkingJob('x', { remembered, marks })];
    assert.deepEqual(typed(findingsOf(statusOf({ jobs }))[0]), [
      'kubectl jobctl stop job/x --include-protected -n batch',
      'kubectl jobctl resume job/x --include-protected -n batch',
    ]);
    const sources = [aSource('sync', { suspended: true, remembered, marks })];
    assert.deepEqual(typed(findingsOf(statusOf({ sources }))[0]), [
      'kubectl jobctl resume cronjob/sync --include-protected -n batch',
    ]);
  });

  test('failed, and why: the newest outcome of its owner needs somebody, an older one does not', () => {
    const c = aSource('c');
    const jobs = [
      aWorkingJob('c-1', { owners: ownedBy(c), state: failed('3h') }),
      aWorkingJob('c-2', { owners: ownedBy(c), state: complete('2h') }),
      aWorkingJob('alone', { state: failed('2h', 'DeadlineExceeded') }),
    ];
    const status = statusOf({ sources: [c], jobs });
    assert.deepEqual(told(status), ['failed-last alone', 'failed-before c-1']);
    assert.equal(findingsOf(status)[0]?.facts['reason'], 'DeadlineExceeded');
    const later = [...jobs, aWorkingJob('c-3', { owners: ownedBy(c), state: failed('1h') })];
    assert.ok(told(statusOf({ sources: [c], jobs: later })).includes('failed-last c-3'));
  });

  test('M2: the Jobs of a JobSet stand side by side: that one has ended makes none good that failed', () => {
    const [owner] = ownedBy(anObject(kinds.widget, 'train'));
    const owners = owner === undefined ? [] : [owner];
    const jobs = [
      aWorkingJob('a', { owners, state: failed('2h') }),
      aWorkingJob('b', { owners, state: complete('1h') }),
    ];
    const status = statusOf({ jobs });
    assert.deepEqual(told(status), ['failed-last a']);
    assert.equal(findingsOf(status)[0]?.facts['owner'], undefined);
  });

  for (const [what, owner, name] of [
    ['a CronJob', aSource('c'), 'cronjob/c'],
    ['a ScaledJob', aScaledSource('q'), 'scaledjob.keda.sh/q'],
  ] as const)
    test(`M2: a later run of ${what} supersedes also where that could not be read, and by its controller`, () => {
      const owners = [...ownedBy(anObject(kinds.widget, 'w'), { controller: false }), ...ownedBy(owner)];
      const jobs = [
        aWorkingJob('a', { owners, state: failed('2h') }),
        aWorkingJob('b', { owners, state: complete('1h') }),
      ];
      const status = statusOf({ jobs, ...without('cronJob', 'scaledJob') });
      assert.deepEqual(told(status), ['failed-before a']);
      assert.equal(findingsOf(status)[0]?.facts['owner'], name);
    });

  test('M2: what names a CronJob of another namespace is no run of it', () => {
    const far = { ...aSource('c'), ref: { ...aSource('c').ref, namespace: 'b', uid: 'far' } };
    const jobs = [
      aWorkingJob('a', { owners: ownedBy(far), state: failed('2h') }),
      aWorkingJob('b', { owners: ownedBy(far), state: complete('1h') }),
    ];
    const [failure] = findingsOf(statusOf({ allNamespaces: true, sources: [far], jobs }), 'failed-last');
    assert.deepEqual([failure?.targets[0]?.name, failure?.facts['owner']], ['a', undefined]);
  });

  test('where the Pods of a failed Job are still there its logs say why', () => {
    const job = aWorkingJob('x', { state: failed('2h') });
    const pods = [aJobPod('x-1', job, { phase: 'Failed' })];
    assert.deepEqual(typed(findingsOf(statusOf({ jobs: [job] }))[0]), ['kubectl describe job/x -n batch']);
    assert.deepEqual(typed(findingsOf(statusOf({ jobs: [job], pods }))[0]), ['kubectl logs job/x -n batch']);
  });

  test('a Job that a stop has ended is kept, not failed', () => {
    const job = aWorkingJob('x', { state: failed('2h'), remembered, marks: ['jobctl-stopped'] });
    const status = statusOf({ jobs: [job] });
    assert.deepEqual(told(status), ['stopped-jobs x']);
    assert.deepEqual(typed(findingsOf(status)[0]), [
      'kubectl jobctl resume job/x --release-evidence -n batch',
    ]);
  });

  test('P02: runs made by hand count with the others, as prune counts them', () => {
    const c = aSource('c');
    const jobs = [1, 2, 3, 4, 5, 6].map(at =>
      aWorkingJob(`c-${at}`, { owners: ownedBy(c), state: complete(`${at}h`), manual: at > 3 }),
    );
    assert.equal(placeOf(statusOf({ sources: [c], jobs })).jobs?.tooMany, 3);
  });

  test('P18: Jobs of an earlier life of the CronJob are no history of the new one, and their owner is gone', () => {
    const [a, b] = [aSource('c'), aSource('c')];
    const old = { ...a, ref: { ...a.ref, uid: 'uid-A' } };
    const jobs = [1, 2, 3, 4, 5, 6, 7].map(at =>
      aWorkingJob(`c-${at}`, { owners: ownedBy(at > 5 ? b : old), state: complete(`${at}h`) }),
    );
    const status = statusOf({ sources: [b], jobs });
    assert.equal(placeOf(status).jobs?.tooMany, 0);
    assert.equal(placeOf(status).sources[0]?.tooMany, 0);
    assert.deepEqual(
      told(status),
      [1, 2, 3, 4, 5].map(at => `owner-gone c-${at}`),
    );
  });

  test('P20: finished Jobs without an owner are counted, and are not too many until a rule names them', () => {
    const jobs = Array.from({ length: 30 }, (_, at) =>
      aWorkingJob(`j-${at}`, { state: complete(`${at + 1}d`) }),
    );
    const { jobs: counts } = placeOf(statusOf({ jobs }));
    assert.deepEqual([counts?.complete, counts?.tooMany], [30, 0]);
  });

  test('D05: Jobs that look like those of a CronJob by name are nobody’s', () => {
    const sources = [aSource('c')];
    const jobs = [1, 2, 3, 4, 5].map(at => aWorkingJob(`c-${at}`, { state: complete(`${at}h`) }));
    const status = statusOf({ sources, jobs });
    assert.equal(placeOf(status).sources[0]?.tooMany, 0);
    assert.deepEqual(told(status), []);
  });
});

describe('owner references', () => {
  test('D06: a running Job whose CronJob is gone is told; its Pod is not leaked', () => {
    const job = aWorkingJob('x', { owners: ownedBy(aSource('gone')), state: running() });
    const status = statusOf({ jobs: [job], pods: [aJobPod('x-1', job, runningPod)] });
    assert.deepEqual(told(status), ['owner-gone x']);
    assert.equal(findingsOf(status)[0]?.facts['owner'], 'cronjob.batch/gone');
  });

  test('M7: what the collector is about to take is waited for: nobody has to do something, and no patch would orphan it', () => {
    const jobs = ['a', 'b', 'c'].map(name =>
      aWorkingJob(name, { owners: ownedBy(aSource('deleted')), state: complete('1h') }),
    );
    const [finding, ...more] = findingsOf(statusOf({ jobs }));
    assert.deepEqual(more, [], 'all of one owner are one finding');
    assert.deepEqual([finding?.code, finding?.needs, finding?.targets.length], ['owner-gone', false, 3]);
    assert.deepEqual(typed(finding), ['kubectl jobctl status --watch -n batch']);
  });

  /** Another CronJob has its name since then: the owner was gone before. */
  const inItsPlace = (since: string) => {
    const source = aSource('c', { createdAt: ago(since) });
    return { ...source, ref: { ...source.ref, uid: 'uid-of-another' } };
  };

  test('D06: what it has left for long is needed, and the patch tests the uid first', () => {
    const job = aWorkingJob('x', { owners: ownedBy(aSource('c')), state: running() });
    const at = (since: string) => findingsOf(statusOf({ sources: [inItsPlace(since)], jobs: [job] }))[0];
    assert.equal(at('9m')?.needs, false);
    assert.deepEqual([at('10m')?.needs, at('10m')?.facts['sinceMs']], [true, 600_000]);
    assert.deepEqual(typed(at('10m')), [
      'kubectl jobctl delete job/x -n batch',
      'kubectl patch job/x --type=json -p [{"op":"test","path":"/metadata/ownerReferences/0/uid","value":"uid-CronJob-batch-c"},{"op":"remove","path":"/metadata/ownerReferences/0"}] -n batch',
    ]);
  });

  test('M7: a Job that was made a moment ago was not there for the collector before', () => {
    const job = aWorkingJob('x', { owners: ownedBy(aSource('c')), createdAt: ago('1m'), state: running() });
    assert.equal(findingsOf(statusOf({ sources: [inItsPlace('2d')], jobs: [job] }))[0]?.needs, false);
  });

  test('a delete of what asks to be left alone would be refused, and is not advised', () => {
    const marks = ['jobctl-keep'] as const;
    const job = aWorkingJob('x', { owners: ownedBy(aSource('c')), state: running(), marks });
    const next = typed(findingsOf(statusOf({ sources: [inItsPlace('2d')], jobs: [job] }))[0]);
    assert.ok(next.length > 0 && next.every(line => line.startsWith('kubectl patch job/x')), String(next));
  });

  const [old] = ownedBy(aSource('old'), { controller: false });
  assert.ok(old !== undefined);
  for (const [beside, sources] of [
    [ownedBy(aSource('c')), [aSource('c')]],
    // whether this one is there is not known here: as long as it is, the same holds
    [ownedBy(anObject(kinds.widget, 'w')), []],
  ] as const)
    test(`M7: beside ${beside[0]?.kind} the collector only drops the dead reference`, () => {
      const job = aWorkingJob('x', { owners: [...beside, old], state: running() });
      const [finding, ...more] = findingsOf(statusOf({ sources, jobs: [job] }));
      assert.deepEqual(more, []);
      assert.deepEqual([finding?.code, finding?.needs], ['owner-gone', false]);
      assert.equal(finding?.facts['beside'], `${kindName(beside[0] ?? old)}/${beside[0]?.name}`);
      assert.match(
        typed(finding).join(),
        /^kubectl patch job\/x [^ ]+ -p [^ ]*ownerReferences\/1"\}\] -n batch$/,
      );
    });

  test('M7: an owner that waits for what it owns saves nothing: the collector counts it with the gone', () => {
    const c = aSource('c', { ...stuck, finalizers: ['foregroundDeletion'] });
    const job = aWorkingJob('x', { owners: [...ownedBy(c), old], state: running() });
    const [gone] = findingsOf(statusOf({ sources: [c], jobs: [job] }), 'owner-gone');
    assert.equal(gone?.facts['beside'], undefined);
  });

  test('M7: beside a living one an owner in another namespace is only dropped too', () => {
    const far = { ...aSource('far'), ref: { ...aSource('far').ref, namespace: 'b', uid: 'far' } };
    const owners = [...ownedBy(aSource('c')), ...ownedBy(far, { controller: false })];
    const sources = [aSource('c'), far];
    const jobs = [aWorkingJob('x', { owners, state: running() })];
    const [finding] = findingsOf(statusOf({ allNamespaces: true, sources, jobs }));
    assert.deepEqual(
      [finding?.code, finding?.needs, finding?.facts['beside']],
      ['owner-in-other-namespace', false, 'cronjob.batch/c'],
    );
  });

  for (const isListed of [true, false])
    test(`H1: a Pod as owner is not called gone, whether it is ${isListed ? '' : 'not '}among the Pods that are kept`, () => {
      const driver = aJobPod('driver', aWorkingJob('run'), runningPod);
      const step = aWorkingJob('step', { owners: ownedBy(driver), state: running() });
      const seen = { jobs: [aWorkingJob('run'), step], pods: isListed ? [driver] : [] };
      assert.deepEqual(told(statusOf(seen)), []);
    });

  test('D15: a version that is no longer served is the same owner', () => {
    const c = aSource('c');
    const job = aWorkingJob('c-1', { owners: ownedBy(c, { version: 'v1beta1' }), state: complete('1h') });
    const status = statusOf({ sources: [c], jobs: [job] });
    assert.deepEqual(told(status), []);
  });

  for (const owner of [
    anObject(kinds.taskRun, 't'),
    anObject(kinds.widget, 'w'),
    anObject(kinds.configMap, 'm'),
  ])
    test(`D15: whether ${owner.ref.kind.kind}/${owner.ref.name} is there cannot be told, so nothing is`, () => {
      const job = aWorkingJob('x', { owners: ownedBy(owner), state: running() });
      assert.deepEqual(told(statusOf({ jobs: [job] })), []);
    });

  test('D15: nor where the CronJobs could not be read', () => {
    const job = aWorkingJob('x', { owners: ownedBy(aSource('c')), state: running() });
    assert.deepEqual(told(statusOf({ jobs: [job], ...without('cronJob') })), []);
  });

  test('D16: an owner in another namespace is invalid, for Jobs and for Pods', () => {
    const far = { ...aSource('c'), ref: { ...aSource('c').ref, namespace: 'b', uid: 'far' } };
    const job = aWorkingJob('x', { owners: ownedBy(far), state: running() });
    const other = { ...aWorkingJob('y'), ref: { ...inA('y').ref } };
    const pod = aJobPod('y-1', other, { ...runningPod, ref: anObject(kinds.pod, 'y-1').ref });
    const status = statusOf({ allNamespaces: true, sources: [far], jobs: [job, other], pods: [pod] });
    assert.deepEqual(
      findingsOf(status).map(({ code, targets, facts }) => `${code} ${targets[0]?.name} → ${facts['other']}`),
      ['owner-in-other-namespace y-1 → a', 'owner-in-other-namespace x → b'],
    );
  });
});

describe('leaked Pods', () => {
  const gone = aJob('gone', complete('2d'));

  test('finished ones and running ones are told apart, each with its command', () => {
    const pods = [aLeakedPod('a', gone), aLeakedPod('b', gone), aLeakedPod('c', gone, runningPod)];
    const status = statusOf({ pods });
    assert.deepEqual(placeOf(status).leaked, { finished: 2, running: 1, kept: 0 });
    assert.deepEqual(told(status), ['leaked-running c', 'leaked-finished a', 'leaked-finished b']);
    assert.deepEqual(findingsOf(status).flatMap(typed), [
      'kubectl jobctl prune pods --include-running -n batch',
      'kubectl jobctl prune pods -n batch',
    ]);
  });

  for (const [mark, kept, flags] of [
    ['jobctl-keep', {}, ''],
    ['jobctl-stopped', {}, ''],
    ['helm-hook', runningPod, ' --include-running'],
  ] as const)
    test(`M3: one that is marked ${mark} is kept by prune pods: counted apart, and nothing to be done`, () => {
      const status = statusOf({ pods: [aLeakedPod('a', gone, { marks: [mark], ...kept })] });
      assert.deepEqual(placeOf(status).leaked, { finished: 0, running: 0, kept: 1 });
      assert.deepEqual(told(status), ['leaked-kept a']);
      assert.equal(needsSomebody(placeOf(status)), false);
      assert.equal(findingsOf(status)[0]?.facts[mark], 1);
      assert.deepEqual(typed(findingsOf(status)[0]), [
        `kubectl jobctl prune pods --include-protected${flags} -n batch`,
      ]);
    });

  test('M3: a mark on a Pod that is not leaked is none of this', () => {
    const job = aWorkingJob('x');
    const pods = [aJobPod('x-1', job, { marks: ['jobctl-keep'], ...runningPod })];
    assert.deepEqual(told(statusOf({ jobs: [job], pods })), []);
  });

  test('W08: where the Jobs could not be read no Pod is leaked, and none is said to be', () => {
    const status = statusOf({ pods: [aLeakedPod('a', gone)], ...without('job') });
    assert.deepEqual(told(status), []);
    assert.equal(placeOf(status).leaked, undefined);
    assert.equal(placeOf(status).jobs, undefined);
  });

  test('W08: where the Pods could not be read the number is not known', () => {
    assert.equal(placeOf(statusOf(without('pod'))).leaked, undefined);
  });

  test('a Pod that the selector of a living Job chooses is not leaked', () => {
    const chooser = aWorkingJob('adopts', {
      standardSelector: false,
      selector: { matchLabels: { app: 'x' }, matchExpressions: [] },
    });
    const labelled = aLeakedPod('a', gone);
    const pods = [{ ...labelled, labels: { ...labelled.labels, app: 'x' } }, aLeakedPod('b', gone)];
    assert.deepEqual(told(statusOf({ jobs: [chooser], pods })), ['leaked-finished b']);
  });

  test('a leaked Pod that is terminating is on its way', () => {
    const status = statusOf({
      pods: [aLeakedPod('a', gone, { deletingSince: ago('10s'), deletionGraceSeconds: 30 })],
    });
    assert.deepEqual(told(status), []);
  });
});

describe('stuck objects', () => {
  test('two minutes beyond the grace period, and not before', () => {
    const job = aWorkingJob('x');
    const pod = (since: string) =>
      aJobPod('x-1', job, { ...runningPod, deletingSince: ago(since), deletionGraceSeconds: 30 });
    assert.deepEqual(told(statusOf({ jobs: [job], pods: [pod('149s')] })), []);
    assert.deepEqual(told(statusOf({ jobs: [job], pods: [pod('150s')] })), ['stuck x-1']);
  });

  test('a Pod of a Job that is gone waits for nobody; of one that is there, for its count', () => {
    const tracking = { ...stuck, finalizers: ['batch.kubernetes.io/job-tracking'] };
    const job = aWorkingJob('x');
    const causeOf = (jobs: readonly (typeof job)[], more = {}) =>
      findingsOf(statusOf({ jobs, pods: [aJobPod('x-1', job, tracking)], ...more }), 'stuck')[0]?.hold?.cause;
    assert.equal(causeOf([]), 'job-gone');
    assert.equal(causeOf([job]), 'job-counts-it');
    assert.equal(causeOf([aWorkingJob('x', { state: failed('2h') })]), 'job-over');
    assert.equal(causeOf([], without('job')), 'job-unknown');
  });

  test('foreground deletion waits for the Pods that were read; whether for others is not known', () => {
    const job = aWorkingJob('x', { ...stuck, finalizers: ['foregroundDeletion'] });
    const causeOf = (pods: readonly ReturnType<typeof aJobPod>[]) =>
      findingsOf(statusOf({ jobs: [job], pods }), 'stuck')[0]?.hold?.cause;
    assert.equal(causeOf([aJobPod('x-1', job)]), 'dependents-block');
    assert.equal(causeOf([]), 'dependents-unknown');
  });

  test('whose controller is not looked for is not called gone', () => {
    const queue = aScaledSource('queue', { ...stuck, finalizers: ['finalizer.keda.sh'] });
    const [finding] = findingsOf(statusOf({ sources: [queue] }));
    assert.equal(finding?.hold?.cause, 'controller-unknown');
    assert.deepEqual(typed(finding), ['kubectl jobctl unstick scaledjob.keda.sh/queue -n batch']);
  });
});

describe('namespaces', () => {
  test('each namespace stands for itself, in the order of names, with a command for each sort of finding', () => {
    const jobs = [
      { ...aWorkingJob('x', { ...stuck, finalizers: ['example.com/a'] }), ref: inA('x').ref },
      { ...aWorkingJob('y', { ...stuck, finalizers: ['example.com/a'] }), ref: inA('y').ref },
      aWorkingJob('fine'),
    ];
    const status = statusOf({ allNamespaces: true, jobs });
    assert.deepEqual(
      status.places.map(place => [place.namespace, needsSomebody(place)]),
      [
        ['a', true],
        ['batch', false],
      ],
    );
    assert.deepEqual(
      placeOf(status, 'a').next.map(({ words }) => words.join(' ')),
      ['unstick -n a'],
    );
  });

  test('L5: a namespace with nothing but a Pod that is ending is none with Jobs, until that is stuck', () => {
    const ending = (since: string) => {
      const { pod } = { pod: aJobPod('web', aWorkingJob('z')) };
      const meta = { deletingSince: ago(since), deletionGraceSeconds: 30, owners: [] };
      const ref = { ...pod.ref, namespace: 'web' };
      return { ...pod, ...runningPod, ...meta, ref, jobUids: [], jobNames: [], labels: {} };
    };
    const placesWith = (since: string) =>
      statusOf({ allNamespaces: true, pods: [ending(since)] }).places.map(({ namespace }) => namespace);
    assert.deepEqual(placesWith('5s'), []);
    assert.deepEqual(placesWith('1h'), ['web']);
  });

  test('M6: each command goes where the reads went', () => {
    const jobs = [aWorkingJob('x', { state: failed('1h') })];
    const { places } = planStatus(statusSnapshot({ jobs }), { reach: ['--context=prod', '--as=anna'] });
    const all = places.flatMap(({ next, findings }) => [...next, ...findings.flatMap(one => one.next)]);
    assert.deepEqual(
      all.map(({ words }) => words.join(' ')),
      ['status -n batch --context=prod --as=anna', 'describe job/x -n batch --context=prod --as=anna'],
    );
  });

  test('what takes a closer look is a look at the one namespace', () => {
    const status = statusOf({ jobs: [aWorkingJob('x', { state: failed('1h') })] });
    assert.deepEqual(placeOf(status).next, [{ program: 'kubectl jobctl', words: ['status', '-n', 'batch'] }]);
  });

  test('an empty namespace that was asked for is told to be empty', () => {
    const { jobs, leaked, findings, sources } = placeOf(statusOf({}));
    assert.deepEqual(
      [jobs?.total, leaked, findings, sources],
      [0, { finished: 0, running: 0, kept: 0 }, [], []],
    );
  });
});
