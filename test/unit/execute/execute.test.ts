import assert from 'node:assert/strict';
import { test } from 'node:test';
import { performDelete } from '../../../src/execute/perform.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import type { DeleteOptions } from '../../../src/model/options.ts';
import type { DeletePlan } from '../../../src/model/plan.ts';
import type { Looked } from '../../../src/model/snapshot.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import { ago, aJob, aPod, complete, deleteOptions, deleteSnapshot, looked } from '../nouns.ts';
import { events, inShort, smallCluster } from './small-cluster.ts';

const job = aJob('j', complete('1d'));
const pod = aPod('p', job);
const plan = (
  targets: readonly Looked[],
  dependents: readonly Looked[],
  options: Partial<DeleteOptions> = {},
): DeletePlan => planDelete(deleteSnapshot(targets, dependents), deleteOptions(options));
const one = plan([looked.job(job)], [looked.pod(pod)]);
const conflict = { state: 'failed', problem: { code: 'changed-since-read', text: 'Conflict' } } as const;

test('the Job goes first, then its Pod, pinned to the version that was just read', async () => {
  const cluster = smallCluster([job, pod]);
  assert.deepEqual(inShort(await events(one, cluster)), ['target j gone', 'dependent p gone']);
  assert.deepEqual(
    cluster.sent.map(({ target, pin, propagation }) => [target.name, pin, propagation]),
    [
      ['j', 'uid', 'Background'],
      ['p', 'version', 'Background'],
    ],
  );
});

test('a Pod that changed in between is read again and decided on again', async () => {
  const newer = { ...pod, ref: { ...pod.ref, resourceVersion: '8' } };
  const cluster = smallCluster([job, pod], (action, { objects }) => {
    if (action.target.name !== 'p' || action.target.resourceVersion === '8') return undefined;
    objects.set(pod.ref.uid, newer);
    return conflict;
  });
  assert.deepEqual(inShort(await events(one, cluster)), ['target j gone', 'dependent p gone']);
  assert.deepEqual(
    cluster.sent.map(({ target }) => target.resourceVersion),
    ['7', '7', '8'],
  );
});

test('a target that fails does not stop the others, and nothing waits for what belongs to it', async () => {
  const others = ['a', 'b', 'c'].map(name => aJob(name, complete('1d')));
  const whole = plan([looked.job(job), ...others.map(looked.job)], [looked.pod(pod)]);
  const cluster = smallCluster([job, pod, ...others], action =>
    action.target.name === 'j'
      ? { state: 'failed', problem: { code: 'invalid', text: 'spec.template: Invalid' } }
      : undefined,
  );
  assert.deepEqual(inShort(await events(whole, cluster)).sort(), [
    'target a gone',
    'target b gone',
    'target c gone',
    'target j failed invalid',
  ]);
  assert.ok(cluster.objects.has(pod.ref.uid));
});

test('a Pod without the right after all is left to the collector, and counted as the collector’s once it is gone', async () => {
  const cluster = smallCluster([job, pod], action =>
    action.target.name === 'p'
      ? { state: 'failed', problem: { code: 'forbidden', text: 'Forbidden' } }
      : undefined,
  );
  const seen = await events(one, cluster, { onPause: () => cluster.objects.delete(pod.ref.uid) });
  assert.deepEqual(inShort(seen), ['target j gone', 'dependent p seen gone, by collector']);
});

test('a 409 on the uid means that the name has a successor: ours is gone, and its Pod follows', async () => {
  const cluster = smallCluster([job, pod], (action, { objects }) => {
    if (action.target.name !== 'j') return undefined;
    objects.delete(job.ref.uid);
    objects.set('successor', { ...job, ref: { ...job.ref, uid: 'successor' } });
    return conflict;
  });
  assert.deepEqual(inShort(await events(one, cluster)), ['target j already-gone', 'dependent p gone']);
  assert.ok(cluster.objects.has('successor'));
});

/** As `prune pods` pins what it deletes: to the version that was looked at. */
const pinnedToVersion: DeletePlan = {
  ...plan([looked.job(job)], []),
  actions: one.actions.map(action => ({ ...action, pin: 'version' })),
};
const dyingJob = { ...job, deletingSince: ago('1s'), finalizers: ['a.example/b'] };
const afterA409: readonly [what: string, there: ObjectMeta | undefined, arrived: boolean, told: string][] = [
  ['it is terminating, and an earlier try may have arrived: that was ours', dyingJob, true, 'held'],
  ['it is terminating by somebody else', dyingJob, false, 'failed changed-since-read'],
  ['it has only changed', job, false, 'failed changed-since-read'],
  ['it has only changed, and an earlier try has not arrived', job, true, 'failed changed-since-read'],
  ['it is gone by an earlier try', undefined, true, 'gone'],
  ['it is gone by somebody else', undefined, false, 'already-gone'],
];
for (const [what, there, mayHaveArrivedBefore, told] of afterA409)
  test(`a delete that is pinned by version meets a 409, and ${what}`, async () => {
    const cluster = smallCluster([job], (_action, { objects }) => {
      objects.delete(job.ref.uid);
      if (there !== undefined) objects.set(job.ref.uid, there);
      return { ...conflict, mayHaveArrivedBefore };
    });
    const [first] = inShort(await events(pinnedToVersion, cluster));
    assert.equal(first, `target j ${told}`);
    assert.equal(cluster.sent.length, 1);
  });

test('once the server cannot be reached no further delete begins, and what was not started is told', async () => {
  const jobs = Array.from({ length: 20 }, (_, at) => aJob(`j${at}`, complete('1d')));
  const cluster = smallCluster(jobs, () => ({
    state: 'failed',
    problem: { code: 'unreachable', text: 'refused' },
  }));
  const seen = await events(plan(jobs.map(looked.job), [], { concurrency: 2 }), cluster);
  assert.ok(cluster.sent.length < 5);
  assert.equal(seen.find(event => event.type === 'halted')?.notStarted.length, 20 - cluster.sent.length);
});

test('a held Job is told as held; when time is out it is told why, with what may stop the collector', async () => {
  const dying = { ...job, deletingSince: ago('1s'), finalizers: ['foregroundDeletion'] };
  const cluster = smallCluster([job], (_action, { objects }) => {
    objects.set(job.ref.uid, dying);
    return { state: 'held', object: dying };
  });
  const seen = await events(plan([looked.job(job)], [], { timeoutMs: 5000 }), cluster);
  assert.deepEqual(inShort(seen), ['target j held', 'timeout: j waits-for-dependents']);
  assert.deepEqual(seen.find(event => event.type === 'timeout')?.causes, [
    'apiservice/v1.dead.example: FailedDiscoveryCheck',
  ]);
});

test('D11: the same name with another uid is another object: the wait is over', async () => {
  const dying = { ...job, deletingSince: ago('1s'), deletionGraceSeconds: 30 };
  const cluster = smallCluster([job], (_action, { objects }) => {
    objects.set(job.ref.uid, dying);
    return { state: 'held', object: dying };
  });
  const reborn = { ...job, ref: { ...job.ref, uid: 'another' } };
  const seen = await events(plan([looked.job(job)], []), cluster, {
    onPause: () => {
      cluster.objects.delete(job.ref.uid);
      cluster.objects.set('another', reborn);
    },
  });
  assert.deepEqual(inShort(seen), ['target j held', 'target j seen gone, by us']);
});

test('an object that can no longer be read during the wait is not called gone', async () => {
  const dying = { ...job, deletingSince: ago('1s'), finalizers: ['example.com/hold'] };
  const cluster = smallCluster([job], (_action, { objects }) => {
    objects.set(job.ref.uid, dying);
    return { state: 'held', object: dying };
  });
  const forbidden = { state: 'unreadable', problem: { code: 'forbidden', text: 'Forbidden' } } as const;
  const blind = { ...cluster, read: { ...cluster.read, getMetadata: () => Promise.resolve(forbidden) } };
  const seen = await events(plan([looked.job(job)], [], { timeoutMs: 5000 }), blind);
  assert.deepEqual(inShort(seen), ['target j held', 'timeout: j unreadable']);
});

test('a dependent that appeared after the plan is waited for, never deleted by us', async () => {
  const stranger = aPod('new', job);
  const cluster = smallCluster([job, pod, stranger]);
  const seen = await events(one, cluster, { onPause: () => cluster.objects.delete(stranger.ref.uid) });
  assert.deepEqual(inShort(seen), ['target j gone', 'dependent p gone']);
  assert.ok(!cluster.sent.some(action => action.target.name === 'new'));
});

test('a Pod that a running Job made after the lists were read is looked for, and waited for', async () => {
  const working = aJob('j', { is: 'running', active: 1 });
  const late = aPod('late', working);
  const cluster = smallCluster([working, late]);
  const seen = await events(plan([looked.job(working)], []), cluster, {
    onPause: () => cluster.objects.delete(late.ref.uid),
  });
  assert.deepEqual(inShort(seen), ['target j gone']);
  assert.ok(seen.some(event => event.type === 'waiting' && event.left[0]?.target.name === 'late'));
});

test('with --wait=false nothing is read and no dependent is deleted', async () => {
  const cluster = smallCluster([job, pod]);
  assert.deepEqual(
    inShort(await events(plan([looked.job(job)], [looked.pod(pod)], { wait: false }), cluster)),
    ['target j gone'],
  );
  assert.deepEqual(cluster.sent.length, 1);
});

test('a server dry run ends with the answers; its objects are not called gone', async () => {
  const cluster = smallCluster([job, pod], () => ({ state: 'done' }));
  assert.deepEqual(
    inShort(await events(plan([looked.job(job)], [looked.pod(pod)], { dryRun: 'server' }), cluster)),
    ['target j dry-run'],
  );
});

test('never more deletes at once than asked for', async () => {
  const jobs = Array.from({ length: 50 }, (_, at) => aJob(`j${at}`, complete('1d')));
  const cluster = smallCluster(jobs);
  await events(plan(jobs.map(looked.job), [], { concurrency: 7 }), cluster);
  assert.equal(cluster.mostAtOnce, 7);
  assert.equal(cluster.objects.size, 0);
});

test('after Ctrl-C no new delete begins, those under way are told, and the rest is named', async () => {
  const jobs = Array.from({ length: 20 }, (_, at) => aJob(`j${at}`, complete('1d')));
  const interrupt = new AbortController();
  const cluster = smallCluster(jobs, (_action, { sent }) => {
    if (sent.length === 4) interrupt.abort();
    return undefined;
  });
  const seen = await events(plan(jobs.map(looked.job), [], { concurrency: 4 }), cluster, {
    signal: interrupt.signal,
  });
  const told = seen.filter(event => event.type === 'deleted').length;
  const rest = seen.find(event => event.type === 'interrupted')?.notStarted.length;
  assert.equal(cluster.sent.length, told);
  assert.equal(told + (rest ?? 0), 20);
  assert.ok(told < 20);
});

test('a uid that the plan does not name is a bug, not a delete', () => {
  const cluster = smallCluster([pod]);
  const stranger = { target: aPod('x', job).ref, propagation: 'Background', pin: 'uid' } as const;
  assert.throws(() => performDelete(stranger, one, cluster.write), /was never confirmed/);
  assert.deepEqual(cluster.sent, []);
});
