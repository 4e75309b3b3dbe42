// D16: an owner in another namespace is an invalid reference. It is told, never followed, and decides nothing about others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../../src/model/job.ts';
import type { DeletePlan, Finding } from '../../../src/model/plan.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import { planPruneJobs } from '../../../src/plan/prune-jobs.ts';
import { rendererFor } from '../../../src/report/choose-renderer.ts';
import {
  aCronJob,
  aJob,
  anObject,
  aPod,
  complete,
  deleteOptions,
  deleteSnapshot,
  kinds,
  looked,
  ownedBy,
  pruneOptions,
  pruneSnapshot,
} from '../nouns.ts';

const cron = aCronJob('nightly');
const owners = ownedBy(cron);
const near = ['1d', '2d', '3d', '4d'].map((age, at) => aJob(`near-${at + 1}`, complete(age), { owners }));
const far = aJob('far', complete('9d'), { owners, namespace: 'other' });
const newest = aJob('newest', complete('1h'), { owners, namespace: 'other' });

const all = { allNamespaces: true };
const prune = (jobs: readonly Job[], options: Parameters<typeof pruneOptions>[0] = {}): DeletePlan =>
  planPruneJobs(pruneSnapshot(jobs, [cron], all), pruneOptions({ ...all, ...options }));
const codeOf = (made: DeletePlan, name: string): string | undefined =>
  made.findings
    .filter(({ target }) => target.name === name)
    .map(({ verdict, why }: Finding) => `${verdict}, ${why.code}`)[0];
const going = (made: DeletePlan): string[] => made.actions.map(({ target }) => target.name);

test('it neither goes nor counts, whichever the server lists first, and keeps none of the others', () => {
  for (const jobs of [
    [...near, far, newest],
    [newest, far, ...near],
  ]) {
    const made = prune(jobs);
    assert.equal(codeOf(made, 'far'), 'stays, owner-in-other-namespace');
    assert.equal(codeOf(made, 'newest'), 'stays, owner-in-other-namespace');
    assert.deepEqual(going(made), ['near-4']);
  }
});

test('no flag makes it valid, and the reason comes before any count or age', () => {
  for (const options of [
    { keepSucceeded: 0 },
    { keepSucceeded: 0, includeProtected: true },
    { succeededOlderThanMs: 30 * 86_400_000 },
    { owner: { type: 'cj', name: 'nightly' } },
  ])
    assert.equal(codeOf(prune([far], options), 'far'), 'stays, owner-in-other-namespace');
});

test('it is told as invalid, in the summary and in its row', () => {
  const told = (form: 'text' | 'wide') =>
    (rendererFor({ form, asks: true }).on({ type: 'plan', plan: prune([far]) }).err ?? []).join('\n');
  assert.match(
    told('text'),
    /1 with an owner in another namespace \(invalid: the garbage collector may delete such\)/,
  );
  assert.match(
    told('wide'),
    /its owner nightly is in batch: an owner in another namespace is invalid; the garbage collector may delete this/,
  );
  assert.doesNotMatch(told('wide'), /owner gone/);
});

test('a Pod that names a Job of another namespace is not counted as that Job’s, nor deleted with it', () => {
  const job = aJob('j', complete('9d'));
  const pod = aPod('p', undefined, {
    ref: { ...aPod('p', undefined).ref, namespace: 'other' },
    owners: ownedBy(job),
    marks: ['jobctl-keep'],
  });
  const made = planPruneJobs(
    pruneSnapshot([job], [], { ...all, pods: [pod] }),
    pruneOptions({ ...all, succeededOlderThanMs: 1000 }),
  );
  assert.deepEqual(going(made), ['j']);
  assert.deepEqual(made.settle.dependents, []);
});

test('delete takes nothing from another namespace with it, says so, and deletes the target all the same', () => {
  const job = aJob('j', complete('9d'));
  const stray = anObject(kinds.configMap, 'stray', {
    namespace: 'other',
    owners: ownedBy(job),
    marks: ['jobctl-keep'],
  });
  const own = anObject(kinds.configMap, 'own', { owners: ownedBy(job) });
  const made = planDelete(
    deleteSnapshot([looked.job(job)], [looked.object(stray), looked.object(own)]),
    deleteOptions(),
  );
  assert.deepEqual(going(made), ['j']);
  assert.equal(codeOf(made, 'stray'), 'stays, owner-in-other-namespace');
  assert.deepEqual(
    made.settle.dependents.map(({ target }) => target.name),
    ['own'],
  );
});

test('a far owner keeps nothing: what has a near one goes with that', () => {
  const job = aJob('j', complete('9d'));
  const other = aJob('k', complete('9d'), { namespace: 'other' });
  const both = anObject(kinds.configMap, 'both', {
    owners: [...ownedBy(job), ...ownedBy(other, { controller: false })],
  });
  const options = deleteOptions({ words: { by: 'selection', types: ['jobs'], all: true } });
  const snapshot = deleteSnapshot([looked.job(job), looked.job(other)], [looked.object(both)]);
  const made = planDelete(snapshot, options, new Set([job.ref.uid]));
  assert.equal(codeOf(made, 'both'), 'goes-with-owner, owner-goes');
  // and where both owners go it is told once
  const { findings } = planDelete(snapshot, options);
  assert.equal(findings.filter(({ target }) => target.name === 'both').length, 1);
});
