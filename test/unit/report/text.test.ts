// Events → lines, and what the exit code is made of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event, Left } from '../../../src/model/event.ts';
import type { DeletePlan } from '../../../src/model/plan.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import { age } from '../../../src/report/age.ts';
import { rendererFor } from '../../../src/report/choose-renderer.ts';
import { Counting, exitCodeOf } from '../../../src/report/counting.ts';
import { aJob, aPod, complete, deleteOptions, deleteSnapshot, kinds, looked } from '../nouns.ts';

const job = aJob('j', complete('1d'));
const pod = aPod('p', job);
const plan: DeletePlan = planDelete(
  deleteSnapshot([looked.job(job)], [looked.pod(pod)]),
  deleteOptions({ yes: true }),
);
const action = plan.actions[0] ?? assert.fail('a plan with one delete');
const ended: Event = { type: 'end', ms: 1234, throttled: 0 };
const gone: Event = { type: 'deleted', action, as: 'target', state: 'gone', finalizers: [] };
const podGone: Event = { type: 'seen-gone', target: pod.ref, as: 'dependent', by: 'collector' };

function told(
  events: readonly Event[],
  form: 'text' | 'name' | 'json' = 'text',
): { out: string[]; err: string[]; code: number } {
  const renderer = rendererFor({ form, asks: false });
  const counting = new Counting();
  const out: string[] = [];
  const err: string[] = [];
  for (const event of [{ type: 'plan', plan } as const, ...events]) {
    counting.add(event);
    const lines = renderer.on(event);
    out.push(...(lines.out ?? []));
    err.push(...(lines.err ?? []));
  }
  const code = exitCodeOf(counting.tally);
  const last = renderer.end(counting.tally, code);
  return { out: [...out, ...(last.out ?? [])], err: [...err, ...(last.err ?? [])], code };
}

test('a delete is one line of kubectl’s on standard output and a summary on standard error', () => {
  assert.deepEqual(told([gone, podGone, ended]), {
    out: ['job.batch "j" deleted from batch namespace'],
    err: ['1 Job deleted, 1 Pod gone (by the garbage collector), 0 failed (1.2s)'],
    code: 0,
  });
});

test('accepted is not deleted: the line says what it waits on, and only the read that sees it gone says deleted', () => {
  const held: Event = { ...gone, state: 'held', finalizers: ['foregroundDeletion', 'example.com/hold'] };
  const seen: Event = { type: 'seen-gone', target: job.ref, as: 'target', by: 'us' };
  assert.deepEqual(told([held, seen, podGone, ended]).out, [
    'job.batch/j deletion accepted, waiting on: foregroundDeletion, example.com/hold',
    'job.batch "j" deleted from batch namespace',
  ]);
});

test('D12: already gone counts as success', () => {
  assert.deepEqual(told([{ ...gone, state: 'already-gone' }, ended]).out, [
    'job.batch/j was already gone (it was listed a moment ago: deleted by someone else, or the server’s cache is inconsistent)',
  ]);
  assert.equal(told([{ ...gone, state: 'already-gone' }, ended]).code, 0);
});

test('D04: a failure is told with the server’s message, and the exit code is 2', () => {
  const text =
    'Error from server (Invalid): Job.batch "j" is invalid: spec.template: Invalid value: field is immutable';
  const { out, err, code } = told([
    { type: 'failed', action, as: 'target', problem: { code: 'invalid', text } },
    ended,
  ]);
  assert.deepEqual([out, err[0], code], [[], `job.batch/j not deleted: ${text}`, 2]);
});

test('a timeout names each object, why it is there, the likely cause and how to go on; exit 4', () => {
  const left: Left[] = [{ target: pod.ref, code: 'waits-for-collector', facts: {} }];
  const { err, code } = told([
    gone,
    { type: 'timeout', afterMs: 20_000, left, causes: ['apiservice/v1.dead: gone'] },
    ended,
  ]);
  assert.equal(code, 4);
  assert.deepEqual(err.slice(0, 5), [
    'error: timed out after 20s: pod/p is still there',
    '  pod/p: its owner is gone, it is left to the garbage collector. If it stays, the garbage collector seems not to run.',
    'the garbage collector seems not to run: the owners are gone, their dependents are not',
    '  possible cause: apiservice/v1.dead: gone',
    'Wait on: kubectl wait --for=delete pod/p -n batch --timeout=10m',
  ]);
});

test('the updating line says how many of how many, how fast, how long still, and how often it was throttled', () => {
  const renderer = rendererFor({ form: 'text', asks: false });
  renderer.on({ type: 'plan', plan });
  const status = (event: Event) => renderer.on(event).status;
  assert.equal(
    status({ type: 'progress', done: 1000, total: 5000, throttled: 3, ms: 2000 }),
    'deleting 1000/5000  500/s  8s left  throttled 3 times',
  );
  const left: Left[] = [{ target: pod.ref, code: 'in-grace', facts: { seconds: 12, of: 30 } }];
  assert.equal(status({ type: 'waiting', left }), 'waiting for pod/p (12s of 30s grace left)');
});

test('-o name prints what was changed and nothing else', () => {
  assert.deepEqual(told([gone, podGone, ended], 'name').out, ['job.batch/j']);
});

test('-o json is one document with the exit code in it', () => {
  const { out } = told([gone, podGone, ended], 'json');
  const result = JSON.parse(out.join('\n'));
  assert.deepEqual(
    [
      result.apiVersion,
      result.kind,
      result.exitCode,
      result.summary.deleted,
      result.summary.dependentsByCollector,
    ],
    ['jobctl/v1', 'Result', 0, 1, 1],
  );
});

test('names from the cluster reach a terminal without control characters', () => {
  const nasty = { ...job, managers: [{ tool: 'argocd', name: 'a\u001b[31mred\r\nb' }] as const };
  const shown = planDelete(deleteSnapshot([looked.job(nasty)], []), deleteOptions());
  const lines = rendererFor({ form: 'text', asks: true }).on({ type: 'plan', plan: shown });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
  assert.doesNotMatch((lines.err ?? []).join('\n'), /[\u0000-\u0009\u000b-\u001f]/);
});

const ages: readonly [number, string][] = [
  [0, '0s'],
  [119_000, '119s'],
  [125_000, '2m5s'],
  [600_000, '10m'],
  [10_800_000, '3h'],
  [11_100_000, '3h5m'],
  [100_000_000, '27h'],
  [691_200_000, '8d'],
  [200_000_000, '2d7h'],
];
for (const [ms, text] of ages)
  test(`an age of ${ms} ms reads ${text}, as in kubectl`, () => assert.equal(age(ms), text));

test('a cluster-scoped object has no namespace in its line', () => {
  const target = { ...job.ref, kind: kinds.namespace };
  const { namespace: _, ...scoped } = target;
  assert.deepEqual(told([{ ...gone, action: { ...action, target: scoped } }]).out, ['namespace "j" deleted']);
});
