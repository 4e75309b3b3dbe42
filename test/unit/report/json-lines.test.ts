// -o jsonl says what -o json says, line by line, as early as it is known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event, Left } from '../../../src/model/event.ts';
import type { DeletePlan } from '../../../src/model/plan.ts';
import type { Refusal } from '../../../src/model/refusal.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import { rendererFor } from '../../../src/report/choose-renderer.ts';
import { Counting, exitCodeOf } from '../../../src/report/counting.ts';
import { aJob, aPod, complete, deleteOptions, deleteSnapshot, looked } from '../nouns.ts';

const job = aJob('j', complete('1d'));
const pod = aPod('p', job);
const plan: DeletePlan = planDelete(
  deleteSnapshot([looked.job(job)], [looked.pod(pod)]),
  deleteOptions({ yes: true }),
);
const [action = assert.fail('a plan with one delete')] = plan.actions;
const asked: Event = { type: 'plan', plan };
const ended: Event = { type: 'end', ms: 1234, throttled: 2 };
const gone: Event = { type: 'deleted', action, as: 'target', state: 'gone', finalizers: [] };
const held: Event = { ...gone, state: 'held', finalizers: ['example.com/hold'] };
const problem = { code: 'forbidden', text: 'Error from server (Forbidden): no' } as const;
const failed: Event = { type: 'failed', action, as: 'target', problem };
const podGone: Event = { type: 'seen-gone', target: pod.ref, as: 'dependent', by: 'collector' };
const left: Left = { target: job.ref, code: 'held-by-finalizers', facts: { finalizers: 'example.com/hold' } };
const late: Event = { type: 'timeout', afterMs: 1000, left: [left], causes: ['the collector is off'] };
const progress: Event = { type: 'progress', done: 1, total: 1, throttled: 0, ms: 900 };
const tooMany: Refusal = { code: 'too-many', facts: { count: 3, max: 1 } };

type Form = 'json' | 'jsonl';

/** What is written to standard output, event by event, and at the end. */
function written(form: Form, events: readonly Event[], refusal?: Refusal): string[][] {
  const renderer = rendererFor({ form, asks: false, quiet: true });
  const counting = new Counting();
  const out = events.map(event => {
    counting.add(event);
    return [...(renderer.on(event).out ?? [])];
  });
  const last = renderer.end(counting.tally, exitCodeOf(counting.tally), refusal);
  return [...out, [...(last.out ?? [])]];
}

/** As a reader puts them together again. */
function together(lines: readonly string[]): object {
  const parts = lines.map(line => JSON.parse(line) as Record<string, object>);
  const every = (key: string) => parts.flatMap(part => part[key] ?? []);
  const [about] = every('plan');
  const [result] = every('result');
  return {
    kind: 'Result',
    ...about,
    findings: every('finding'),
    dependents: every('dependent'),
    actions: every('action'),
    ...result,
  };
}

const runs: Record<string, { events: readonly Event[]; refusal?: Refusal }> = {
  'all of it went': { events: [asked, gone, progress, podGone, ended] },
  'one failed': { events: [asked, failed, ended] },
  'time was out': { events: [asked, held, progress, late, ended] },
  'a Ctrl-C': { events: [asked, { type: 'interrupted', notStarted: [job.ref], left: [left] }, ended] },
  'the server went away': { events: [asked, failed, { type: 'halted', notStarted: [job.ref] }, ended] },
  'whether hooks failed is not known': {
    events: [asked, gone, { type: 'hooks-unknown', namespace: 'batch', problem: 'forbidden' }, ended],
  },
  'it was refused': { events: [asked], refusal: tooMany },
};

for (const [name, { events, refusal }] of Object.entries(runs))
  test(`the lines put together are the document of -o json: ${name}`, () => {
    const document = JSON.parse(written('json', events, refusal).flat().join('\n'));
    const lines = written('jsonl', events, refusal).flat();
    assert.ok(lines.every(line => !line.includes('\n')));
    assert.deepEqual(together(lines), document);
  });

test('what was not begun is told, whatever ended the run', () => {
  const ends: Event[] = [
    { type: 'halted', notStarted: [job.ref] },
    { type: 'interrupted', notStarted: [job.ref], left: [] },
    { type: 'stopped-half-way', notStarted: [job.ref] },
  ];
  for (const end of ends) {
    const { notStarted } = JSON.parse(written('json', [asked, end, ended]).flat().join('\n'));
    assert.deepEqual(
      notStarted.map(({ uid }: { uid: string }) => uid),
      [job.ref.uid],
      end.type,
    );
  }
  assert.equal(JSON.parse(written('json', [asked, gone, ended]).flat().join('\n')).notStarted, undefined);
});

test('each part is written when it is known, so that a run that is killed has told what it did', () => {
  const keys = written('jsonl', [asked, gone, progress, podGone, ended]).map(lines =>
    lines.map(line => Object.keys(JSON.parse(line)).join()),
  );
  assert.deepEqual(keys, [
    ['plan', 'finding', 'finding', 'dependent'],
    ['action'],
    [],
    ['action'],
    [],
    ['result'],
  ]);
});
