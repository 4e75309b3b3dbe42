import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FinalizerAction } from '../../../src/model/finalizer-action.ts';
import type { CauseCode } from '../../../src/model/hold.ts';
import type { ObjectMeta, Writer } from '../../../src/model/object.ts';
import type { Became, NextTry } from '../../../src/model/settling.ts';
import { freeing } from '../../../src/plan/freeing.ts';
import { ago, anObject, aPod, kinds, now, stuck } from '../nouns.ts';

const object = anObject(kinds.widget, 'w', { ...stuck, finalizers: ['a', 'b'] });
const removal = (more: Partial<FinalizerAction> = {}): FinalizerAction => ({
  target: object.ref,
  remove: ['a'],
  causes: ['job-gone'],
  keeps: ['b'],
  after: [],
  goes: false,
  where: 'metadata',
  wave: 0,
  ...more,
});

/** The object as it is read again: another writer has been there. */
const again = (finalizers: readonly string[], more: Partial<ObjectMeta> = {}): ObjectMeta => ({
  ...object,
  ref: { ...object.ref, resourceVersion: '8' },
  finalizers,
  ...more,
});
const reborn = again(['a', 'b'], { ref: { ...object.ref, uid: 'another', resourceVersion: '9' } });

const inShort = (next: NextTry): string =>
  next.do !== 'write'
    ? next.do === 'stop'
      ? `stop: ${next.writer}`
      : next.because
    : `-${next.action.remove.join(',')} =${next.action.keeps.join(',')} at ${next.action.target.resourceVersion}`;

const tries: readonly [string, FinalizerAction, ObjectMeta | undefined, string][] = [
  ['U20: a name that was put in front meanwhile stays', removal(), again(['x', 'a', 'b']), '-a =x,b at 8'],
  ['U20: a name that was put at the end meanwhile stays', removal(), again(['a', 'b', 'x']), '-a =b,x at 8'],
  ['U20: another order meanwhile is the order that stays', removal(), again(['b', 'a']), '-a =b at 8'],
  [
    'U21: a name that another has removed meanwhile is not written back',
    removal(),
    again(['a']),
    '-a = at 8',
  ],
  ['U21: what was to be removed is gone from the list already', removal(), again(['b']), 'unneeded'],
  ['the list is empty already', removal(), again([]), 'unneeded'],
  [
    'of two names one is gone already: the other is removed',
    removal({ remove: ['a', 'b'], causes: ['job-gone', 'job-over'], keeps: [] }),
    again(['x', 'b']),
    '-b =x at 8',
  ],
  ['a heartbeat changed nothing of the list', removal(), again(['a', 'b']), '-a =b at 8'],
  ['the object is gone', removal(), undefined, 'gone'],
  ['the name belongs to another object now, which is not ours to free', removal(), reborn, 'gone'],
  [
    'spec.finalizers of a namespace are written at the newest version',
    removal({ where: 'spec', remove: ['kubernetes'], causes: ['contents-gone'], keeps: [] }),
    again([]),
    '-kubernetes = at 8',
  ],
  [
    'a namespace that was made anew is not finalized',
    removal({ where: 'spec', remove: ['kubernetes'], causes: ['contents-gone'], keeps: [] }),
    reborn,
    'gone',
  ],
];
for (const [about, action, seen, expected] of tries)
  test(`${about}: ${expected}`, () => assert.equal(inShort(freeing.nextTry(action, seen, now)), expected));

test('decided again, an action removes nothing that the first one did not, and keeps its wave', () => {
  const next = freeing.nextTry(removal({ wave: 3, goes: true }), again(['x', 'a', 'y']), now);
  assert.ok(next.do === 'write');
  assert.deepEqual([next.action.remove, next.action.wave, next.action.goes], [['a'], 3, true]);
});

test('of two names that were decided on, the one that is left keeps its own cause', () => {
  const two = removal({ remove: ['a', 'b'], causes: ['job-gone', 'draining'], keeps: [] });
  const next = freeing.nextTry(two, again(['b']), now);
  assert.ok(next.do === 'write');
  assert.deepEqual([next.action.remove, next.action.causes], [['b'], ['draining']]);
});

const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const restsOn: readonly (readonly [string, CauseCode, string, Date | undefined, string])[] = [
  [
    'its controller has written since: it is not absent',
    'controller-gone',
    'example-operator',
    after(5),
    'stop: example-operator',
  ],
  [
    'a controller that nobody had found has written since',
    'controller-not-found',
    'example',
    after(5),
    'stop: example',
  ],
  [
    'a controller of which nothing was known has written since',
    'controller-unknown',
    'widget-manager',
    after(5),
    'stop: widget-manager',
  ],
  [
    'managedFields have whole seconds: in the second of the reading counts',
    'controller-gone',
    'example',
    after(-1),
    'stop: example',
  ],
  ['its controller wrote before the reading', 'controller-gone', 'example', after(-2), '-example.com/x ='],
  ['its controller wrote at no known time', 'controller-gone', 'example', undefined, '-example.com/x ='],
  ['somebody else has written', 'controller-gone', 'kubectl-edit', after(5), '-example.com/x ='],
  [
    'its controller was known to be at work, and its name was given',
    'controller-alive',
    'example',
    after(5),
    '-example.com/x =',
  ],
  ['what was decided rests on no controller', 'job-gone', 'example', after(5), '-example.com/x ='],
];
for (const [about, cause, manager, moment, expected] of restsOn) {
  test(`${about}: ${expected}`, () => {
    const writers = [{ manager, finalizers: [], ...(moment === undefined ? {} : { at: moment }) }];
    const action = removal({ remove: ['example.com/x'], causes: [cause], keeps: [] });
    const told = inShort(freeing.nextTry(action, again(['example.com/x'], { writers }), now));
    assert.equal(told.replace(/ at 8$/, ''), expected);
  });
}

const became = (
  seen: ObjectMeta | undefined,
  actions: readonly FinalizerAction[] = [removal()],
  target = object.ref,
): string => {
  const it: Became = freeing.became(target, actions, seen, now);
  return it.is === 'gone' ? 'gone' : `${it.is}: ${it.left.code} ${JSON.stringify(it.left.facts)}`;
};
const goes = removal({ keeps: [], goes: true });
const writes = (manager: string, finalizers: readonly string[]): Writer => ({ manager, finalizers });

const endings: readonly [string, string, string][] = [
  ['the object is gone', became(undefined), 'gone'],
  ['another object of its name is no end of ours', became(reborn), 'gone'],
  [
    'U08: the name came back, and its writer is named',
    became(again(['a', 'b'], { writers: [writes('kubectl', ['b']), writes('keda', ['a'])] })),
    'held: came-back {"finalizers":"a","by":"keda"}',
  ],
  [
    'U08: the name came back by a writer that is not written down',
    became(again(['a'], { writers: [] })),
    'held: came-back {"finalizers":"a","by":""}',
  ],
  [
    'U08: the name came back, without any writers',
    became(again(['a'])),
    'held: came-back {"finalizers":"a","by":""}',
  ],
  [
    'of two names that were removed one came back',
    became(again(['b']), [
      removal({ remove: ['a', 'b'], causes: ['job-gone', 'job-over'], keeps: [], goes: true }),
    ]),
    'held: came-back {"finalizers":"b","by":""}',
  ],
  ['another name still holds it', became(again(['b'])), 'held: still-held {"finalizers":"b"}'],
  [
    'what holds it goes by itself: it is waited for',
    became(again(['foregroundDeletion']), [removal({ keeps: ['foregroundDeletion'], goes: true })]),
    'going: held-by-finalizers {"finalizers":"foregroundDeletion"}',
  ],
  ['nothing holds it and it is still there', became(again([]), [goes]), 'going: lingers {}'],
  ['what another keeps is empty by now', became(again([]), [removal()]), 'going: lingers {}'],
  [
    'an object that follows is still held by what it waits for',
    became(again(['foregroundDeletion']), []),
    'going: held-by-finalizers {"finalizers":"foregroundDeletion"}',
  ],
  ['an object that follows is gone', became(undefined, []), 'gone'],
  [
    'spec.finalizers are no names in metadata: a name that is there is not one that came back',
    became(again(['kubernetes']), [
      removal({ where: 'spec', remove: ['kubernetes'], causes: ['contents-gone'], keeps: [], goes: true }),
    ]),
    'going: held-by-finalizers {"finalizers":"kubernetes"}',
  ],
];
for (const [about, told, expected] of endings)
  test(`${about}: ${expected}`, () => assert.equal(told, expected));

const dying = (since: string): ObjectMeta =>
  aPod('p', undefined, { deletingSince: ago(since), deletionGraceSeconds: 30, finalizers: [] });
for (const [since, expected] of [
  ['10s', 'going: in-grace {"seconds":20,"of":30}'],
  ['30s', 'going: past-grace {"seconds":0}'],
  ['90s', 'going: past-grace {"seconds":60}'],
] as const) {
  test(`a freed Pod that is deleted for ${since} of 30 s: ${expected}`, () => {
    const pod = dying(since);
    assert.equal(became(pod, [removal({ target: pod.ref, keeps: [], goes: true })], pod.ref), expected);
  });
}
