// --include-protected says what it overrides: by mark, in the preview and in the document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../../../src/model/plan.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import { planPruneJobs } from '../../../src/plan/prune-jobs.ts';
import { rendererFor } from '../../../src/report/choose-renderer.ts';
import { Counting } from '../../../src/report/counting.ts';
import {
  aJob,
  anObject,
  aPod,
  complete,
  deleteOptions,
  deleteSnapshot,
  kinds,
  looked,
  pruneOptions,
  pruneSnapshot,
} from '../nouns.ts';

const includeProtected = true;
const overridden = ({ notes }: Plan) => notes.find(({ code }) => code === 'overrides-protection')?.facts;
const old = (name: string, marks: Parameters<typeof anObject>[2] = {}) => aJob(name, complete('9d'), marks);
const rule = { succeededOlderThanMs: 1000, includeProtected };

const jobs = [
  old('a', { marks: ['jobctl-keep'] }),
  old('b', { marks: ['jobctl-keep'] }),
  old('c', { marks: ['helm-hook'] }),
  old('d'),
  aJob('young', complete('0s'), { marks: ['kor-used'] }),
];
const pruned = planPruneJobs(pruneSnapshot(jobs, []), pruneOptions(rule));
const sentence = '--include-protected overrides: 2 marked jobctl/keep, 1 Helm hook.';

test('what goes is counted by mark; what stays for another reason is not', () => {
  assert.deepEqual(overridden(pruned), { 'jobctl-keep': 2, 'helm-hook': 1 });
  const young = planPruneJobs(pruneSnapshot(jobs.slice(3), []), pruneOptions(rule));
  assert.equal(overridden(young), undefined);
});

test('the preview says it, with --yes too, and so does the document', () => {
  for (const asks of [true, false]) {
    const lines = rendererFor({ form: 'text', asks }).on({ type: 'plan', plan: pruned });
    assert.ok(lines.err?.includes(sentence));
  }
  const json = rendererFor({ form: 'json', asks: false });
  const counting = new Counting();
  counting.add({ type: 'plan', plan: pruned });
  json.on({ type: 'plan', plan: pruned });
  const { notes } = JSON.parse((json.end(counting.tally, 0).out ?? []).join(''));
  assert.deepEqual(notes, [
    { code: 'overrides-protection', facts: { 'jobctl-keep': 2, 'helm-hook': 1 }, text: sentence },
  ]);
});

test('--include-hooks takes hooks by itself: then only the other marks are overridden', () => {
  const both = planPruneJobs(pruneSnapshot(jobs, []), pruneOptions({ ...rule, includeHooks: true }));
  assert.deepEqual(overridden(both), { 'jobctl-keep': 2 });
  const hooks = { ...rule, includeProtected: false, includeHooks: true };
  assert.equal(overridden(planPruneJobs(pruneSnapshot(jobs, []), pruneOptions(hooks))), undefined);
});

test('a mark on a Pod that goes with its Job counts, in prune and in delete; orphaned it stays, and does not', () => {
  const job = old('j');
  const pod = aPod('p', job, { marks: ['janitor-forever'] });
  const facts = { 'janitor-forever': 1 };
  assert.deepEqual(
    overridden(planPruneJobs(pruneSnapshot([job], [], { pods: [pod] }), pruneOptions(rule))),
    facts,
  );
  const snapshot = deleteSnapshot([looked.job(job)], [looked.pod(pod)]);
  assert.deepEqual(overridden(planDelete(snapshot, deleteOptions({ includeProtected }))), facts);
  const orphan = deleteOptions({ includeProtected, propagation: 'Orphan' });
  assert.equal(overridden(planDelete(snapshot, orphan)), undefined);
});

test('a kube-* namespace that is deleted, and what is protected in it, count', () => {
  const space = anObject(kinds.namespace, 'kube-public');
  const contents = [{ of: 'namespace/kube-public', resource: 'jobs.batch', count: 9, kept: 4 }];
  const made = planDelete(
    deleteSnapshot([looked.object(space)], [], { contents }),
    deleteOptions({ includeProtected }),
  );
  assert.deepEqual(overridden(made), { 'kube-namespace': 1, contents: 4 });
});

test('what was terminating before goes by itself: nothing is overridden', () => {
  const dying = old('j', { marks: ['jobctl-keep'], deletingSince: new Date(0) });
  assert.equal(
    overridden(planDelete(deleteSnapshot([looked.job(dying)], []), deleteOptions({ includeProtected }))),
    undefined,
  );
});

test('whoever manages many Jobs is named once, with their number, and not again below an owner of the same', () => {
  const managers = [{ tool: 'kueue', name: 'night' }] as const;
  const queued = [old('a', { managers }), old('b', { managers }), old('c', { managers })];
  const made = planPruneJobs(pruneSnapshot(queued, []), pruneOptions({ succeededOlderThanMs: 1000 }));
  assert.deepEqual(made.notes, [
    {
      code: 'managed-elsewhere',
      facts: { object: 'job.batch/a', more: 2, tool: 'kueue', name: 'night', only: '' },
    },
  ]);
  const lines = rendererFor({ form: 'text', asks: true }).on({ type: 'plan', plan: made });
  assert.ok(
    lines.err?.includes(
      'job.batch/a and 2 more are managed by Kueue (queue night), which may put them back.',
    ),
  );
});
