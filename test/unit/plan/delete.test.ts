import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DeleteOptions } from '../../../src/model/options.ts';
import type { DeletePlan } from '../../../src/model/plan.ts';
import type { DeleteSnapshot, Looked } from '../../../src/model/snapshot.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import {
  aCronJob,
  ago,
  aJob,
  anObject,
  aPod,
  complete,
  deleteOptions,
  deleteSnapshot,
  failed,
  kinds,
  looked,
  ownedBy,
  running,
} from '../nouns.ts';

function plan(
  targets: readonly Looked[],
  dependents: readonly Looked[],
  options: Partial<DeleteOptions> = {},
  more: Partial<DeleteSnapshot> = {},
): DeletePlan {
  return planDelete(deleteSnapshot(targets, dependents, more), deleteOptions(options));
}
const why = (made: DeletePlan): Record<string, string> =>
  Object.fromEntries(
    made.findings.map(finding => [finding.target.name, `${finding.verdict}, ${finding.why.code}`]),
  );
const notes = (made: DeletePlan): string[] => made.notes.map(note => note.code);

const cron = aCronJob('nightly');
const job = aJob('nightly-1', running(), { owners: ownedBy(cron) });
const done = aJob('nightly-2', complete('1d'), { owners: ownedBy(cron) });
const pod = aPod('nightly-1-x', job, {
  phase: 'Running',
  runningContainers: 1,
  graceSeconds: 600,
  preStopHooks: 1,
});
const tree = [looked.job(job), looked.job(done), looked.pod(pod)];

test('D01: a Job goes with Background and its Pods go after it, by us, pinned to what was shown', () => {
  const made = plan([looked.job(job)], [looked.pod(pod)]);
  assert.deepEqual(made.actions, [{ target: job.ref, propagation: 'Background', pin: 'uid' }]);
  assert.deepEqual(made.settle.dependents, [{ target: pod.ref, owners: [job.ref.uid], by: 'us' }]);
  assert.deepEqual(made.settle.kinds, [kinds.pod]);
});

test('the preview finds dependents through any number of owners, and the wait is longer than the longest grace', () => {
  const made = plan([looked.object(cron)], tree);
  assert.deepEqual(why(made), {
    nightly: 'delete, named',
    'nightly-1': 'goes-with-owner, owner-goes',
    'nightly-2': 'goes-with-owner, owner-goes',
    'nightly-1-x': 'goes-with-owner, owner-goes',
  });
  assert.equal(made.settle.timeoutMs, 660_000);
});

test('D13: running work asks for a typed word, and orphaning is offered with its consequence', () => {
  const made = plan([looked.object(cron)], tree);
  assert.deepEqual(made.dangers, ['running-work']);
  assert.deepEqual(made.notes.find(note => note.code === 'orphan-instead')?.facts, { running: 1, jobs: 2 });
});

test('D14: Orphan keeps the Pods, says how many and how to remove them later', () => {
  const bad = aJob('etl', failed('1h'));
  const pods = ['a', 'b', 'c'].map(name => looked.pod(aPod(name, bad, { phase: 'Failed' })));
  const made = plan([looked.job(bad)], pods, { propagation: 'Orphan' });
  assert.deepEqual(made.settle.dependents, []);
  assert.deepEqual(made.dangers, ['orphans']);
  assert.deepEqual(made.notes.find(note => note.code === 'orphaned-pods')?.facts, {
    pods: 3,
    uid: bad.ref.uid,
    namespace: 'batch',
  });
});

test('D05: only what is owned is promised; Jobs alike by name are listed as staying', () => {
  const alike = [
    anObject(kinds.job, 'nightly-100'),
    anObject(kinds.job, 'nightly-extra'),
    anObject(kinds.job, 'nightlyx-1'),
  ];
  const made = plan([looked.object(cron)], [], {}, { ownerlessJobs: alike });
  assert.deepEqual(why(made), { nightly: 'delete, named', 'nightly-100': 'stays, looks-alike' });
});

test('D06: a Job whose owner is gone is deleted as usual, and that is said', () => {
  const made = plan([looked.job(job)], [looked.pod(pod)]);
  assert.equal(made.actions.length, 1);
  assert.ok(notes(made).includes('owner-gone'));
  assert.ok(
    notes(plan([looked.job(job)], [], {}, { seenUids: new Set([cron.ref.uid]) })).includes(
      'owner-may-recreate',
    ),
  );
  assert.ok(
    !notes(plan([looked.job(job)], [], {}, { kindsRead: new Set() })).includes('owner-gone'),
    'unknown is not absent',
  );
});

test('D07: a preset foregroundDeletion is told: Background overrides it', () => {
  assert.ok(
    notes(plan([looked.job({ ...done, finalizers: ['foregroundDeletion'] })], [])).includes(
      'foreground-overridden',
    ),
  );
});

test('a preset orphan finalizer is refused under Background and Foreground, not under Orphan', () => {
  const target = [looked.job({ ...done, finalizers: ['orphan'] })];
  assert.equal(why(plan(target, []))['nightly-2'], 'refused, orphan-finalizer');
  assert.equal(
    why(plan(target, [], { propagation: 'Foreground' }))['nightly-2'],
    'refused, orphan-finalizer',
  );
  assert.equal(why(plan(target, [], { propagation: 'Orphan' }))['nightly-2'], 'delete, named');
});

test('D08: an object that is terminating gets no new delete; its end is waited for', () => {
  const dying = { ...done, deletingSince: ago('2h'), finalizers: ['foregroundDeletion'] };
  const made = plan([looked.job(dying)], []);
  assert.deepEqual(made.actions, []);
  assert.deepEqual(made.settle.targets, [dying.ref]);
  assert.deepEqual(made.findings[0]?.why, {
    code: 'terminating',
    facts: { sinceMs: 7_200_000, finalizers: 'foregroundDeletion' },
  });
});

test('D09: every dependent by owner uid is shown, whether or not it blocks its owner', () => {
  const a = anObject(kinds.configMap, 'a', { owners: ownedBy(done, { blocking: true }) });
  const b = anObject(kinds.configMap, 'b', { owners: ownedBy(done, { blocking: false }) });
  const made = plan([looked.job(done)], [looked.object(a), looked.object(b)], { propagation: 'Foreground' });
  assert.deepEqual(
    made.settle.dependents.map(({ target, by }) => [target.name, by]),
    [
      ['a', 'collector'],
      ['b', 'collector'],
    ],
  );
});

test('a dependent with another living owner stays and says whose it is; with a dead one it goes; with an unknown one it is not ours', () => {
  const other = aJob('import', complete('1h'));
  const claim = anObject(kinds.claim, 'scratch', { owners: [...ownedBy(done), ...ownedBy(other)] });
  const stays = plan([looked.job(done)], [looked.object(claim)], {}, { seenUids: new Set([other.ref.uid]) });
  assert.equal(why(stays)['scratch'], 'stays, other-owner');
  assert.equal(
    why(plan([looked.job(done)], [looked.object(claim)], {}, { seenUids: new Set() }))['scratch'],
    'goes-with-owner, owner-goes',
  );
  const unknown = plan(
    [looked.job(done)],
    [looked.object(claim)],
    {},
    { seenUids: new Set(), kindsRead: new Set() },
  );
  assert.equal(why(unknown)['scratch'], 'stays, other-owner-unknown');
  assert.deepEqual(unknown.settle.dependents, []);
});

test('a dependent of both targets goes', () => {
  const other = aJob('import', complete('1h'));
  const claim = anObject(kinds.claim, 'scratch', { owners: [...ownedBy(done), ...ownedBy(other)] });
  assert.equal(
    plan([looked.job(done), looked.job(other)], [looked.object(claim)]).settle.dependents.length,
    1,
  );
});

test('a keep mark refuses a named object and keeps a selected one; a kept dependent keeps its owner', () => {
  const kept = { ...done, marks: ['jobctl-keep'] as const };
  assert.equal(why(plan([looked.job(kept)], []))['nightly-2'], 'refused, protected');
  const selection = { by: 'selection', types: ['jobs'], all: true } as const;
  assert.equal(why(plan([looked.job(kept)], [], { words: selection }))['nightly-2'], 'stays, protected');
  assert.equal(why(plan([looked.job(kept)], [], { includeProtected: true }))['nightly-2'], 'delete, named');
  const marked = looked.pod({ ...pod, marks: ['kor-used'] });
  assert.equal(
    why(plan([looked.object(cron)], [looked.job(job), marked]))['nightly'],
    'refused, kept-dependent',
  );
});

test('whoever else manages a target is named', () => {
  const managed = { ...cron, managers: [{ tool: 'argocd', name: 'billing' }] as const };
  assert.deepEqual(plan([looked.object(managed)], []).notes[0]?.facts, {
    object: 'cronjob.batch/nightly',
    tool: 'argocd',
    name: 'billing',
    only: '',
  });
});

test('without the right to delete the dependents they are left to the collector, and said', () => {
  const made = plan([looked.job(job)], [looked.pod(pod)], {}, { rights: new Map([['pods. batch', 'no']]) });
  assert.deepEqual(
    made.settle.dependents.map(({ by }) => by),
    ['collector'],
  );
  assert.ok(notes(made).includes('dependents-left-to-collector'));
});

test('what a Namespace takes with it is counted and asks for a typed word', () => {
  const namespace = anObject(kinds.namespace, 'old');
  const made = plan(
    [looked.object(namespace)],
    [],
    {},
    { contents: [{ of: 'namespace/old', resource: 'pods', count: 4, kept: 0 }] },
  );
  assert.deepEqual(made.dangers, ['takes-contents']);
  assert.ok(notes(made).includes('namespace-contents'));
});

test('D13: a Job or Pod that could not be read in full counts as running: unknown is not ended', () => {
  assert.deepEqual(plan([looked.object(cron)], [looked.object(job)]).dangers, ['running-work']);
});

test('a grace period is the target’s own, never passed on', () => {
  const made = plan([looked.job(job)], [looked.pod(pod)], { graceSeconds: 5 });
  assert.equal(made.actions[0]?.graceSeconds, 5);
  assert.ok(!('graceSeconds' in (made.settle.dependents[0] ?? {})));
});

test('what somebody else is deleting takes nothing of ours with it: its dependents are waited for, and not at all under orphan', () => {
  const dying = { ...job, deletingSince: ago('1m'), finalizers: ['foregroundDeletion'] };
  const waits = plan([looked.job(dying)], [looked.pod(pod)]);
  assert.deepEqual(
    waits.settle.dependents.map(({ by }) => by),
    ['collector'],
  );
  const orphaning = plan([looked.job({ ...dying, finalizers: ['orphan'] })], [looked.pod(pod)]);
  assert.deepEqual([orphaning.actions, orphaning.settle.dependents], [[], []]);
});

const every = { by: 'selection', types: ['cronjobs', 'jobs'], all: true } as const;

test('a selected object that is to stay keeps its owner, because the cascade would take it', () => {
  const kept = { ...done, marks: ['jobctl-keep'] as const };
  const hook = { ...done, marks: ['helm-hook'] as const };
  for (const child of [kept, hook]) {
    const made = plan([looked.object(cron), looked.job(child)], [], { words: every });
    assert.equal(why(made)['nightly'], 'stays, kept-dependent');
    assert.deepEqual(made.actions, []);
  }
  assert.equal(
    plan([looked.object(cron), looked.job(kept)], [], { words: every, includeProtected: true }).actions
      .length,
    2,
  );
  assert.equal(
    plan([looked.object(cron), looked.job(kept)], [], { words: every, propagation: 'Orphan' }).actions.length,
    1,
  );
});

test('what was not ticked keeps its owner too', () => {
  const snapshot = deleteSnapshot([looked.object(cron), looked.job(done)], []);
  const made = planDelete(snapshot, deleteOptions({ words: every }), new Set([cron.ref.uid]));
  assert.deepEqual(made.actions, []);
});

test('a dependent with a preset orphan finalizer keeps its owner: our delete would override it', () => {
  const wants = { ...job, finalizers: ['orphan'] };
  assert.equal(
    why(plan([looked.object(cron)], [looked.job(wants), looked.pod(pod)]))['nightly'],
    'refused, kept-dependent',
  );
});

test('protected contents keep a Namespace, and kube-system is nobody’s by accident', () => {
  const namespace = looked.object(anObject(kinds.namespace, 'old'));
  const contents = [{ of: 'namespace/old', resource: 'pods', count: 4, kept: 1 }];
  assert.equal(why(plan([namespace], [], {}, { contents }))['old'], 'refused, kept-contents');
  assert.equal(plan([namespace], [], { includeProtected: true }, { contents }).contents, 4);
  assert.equal(
    why(plan([looked.object(anObject(kinds.namespace, 'kube-system'))], []))['kube-system'],
    'refused, kube-namespace',
  );
});

test('the digest of a Namespace changes with the number of its contents', () => {
  const namespace = looked.object(anObject(kinds.namespace, 'old'));
  const of = (count: number) =>
    plan([namespace], [], {}, { contents: [{ of: 'namespace/old', resource: 'pods', count, kept: 0 }] })
      .digest;
  assert.notEqual(of(3), of(3000));
});

test('the digest changes with every uid, policy and dependent, and with nothing else', () => {
  const base = plan([looked.job(job)], [looked.pod(pod)]).digest;
  const later = { ...job, ref: { ...job.ref, resourceVersion: '99' } };
  assert.equal(plan([looked.job(later)], [looked.pod(pod)]).digest, base);
  const reborn = { ...job, ref: { ...job.ref, uid: 'other' } };
  for (const other of [
    plan([looked.job(reborn)], []),
    plan([looked.job(job)], []),
    plan([looked.job(job)], [looked.pod(pod)], { propagation: 'Foreground' }),
    plan([looked.job(job)], [looked.pod(pod)], {}, { server: 'https://elsewhere' }),
  ])
    assert.notEqual(other.digest, base);
});

// an object world of random ownership: nothing with a living owner outside goes, and no order of answers changes the plan
const worlds = fc
  .array(
    fc.record({ owners: fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 3 }), mark: fc.boolean() }),
    { minLength: 2, maxLength: 15 },
  )
  .map(list => {
    const bare = list.map((_, at) => anObject(kinds.configMap, `o${at}`));
    return list.map(({ owners, mark }, at) =>
      anObject(kinds.configMap, `o${at}`, {
        owners: [...new Set(owners)]
          .filter(owner => owner < at)
          .flatMap(owner => ownedBy(bare[owner] ?? cron)),
        marks: mark ? ['kor-used'] : [],
      }),
    );
  });

test('only objects whose every owner goes are promised, and the plan does not depend on the order of answers', () => {
  fc.assert(
    fc.property(worlds, fc.integer({ min: 0, max: 14 }), (objects, at) => {
      const target = objects[at % objects.length] ?? cron;
      const owned = objects
        .filter(object => object.owners.length > 0 && object !== target)
        .map(looked.object);
      const seen = { seenUids: new Set(objects.map(object => object.ref.uid)) };
      const made = plan([looked.object(target)], owned, {}, seen);
      assert.deepEqual(plan([looked.object(target)], [...owned].reverse(), {}, seen), made);
      const goes = new Set([
        target.ref.uid,
        ...made.settle.dependents.map(dependent => dependent.target.uid),
      ]);
      for (const { owners } of made.settle.dependents) assert.ok(owners.every(owner => goes.has(owner)));
      if (made.actions.length > 0) {
        const byUid = new Map(objects.map(object => [object.ref.uid, object]));
        assert.ok(
          [...goes].every(uid => byUid.get(uid)?.marks.length === 0),
          'nothing that is kept goes',
        );
      }
    }),
  );
});

test('whatever is selected, nothing that stays hangs below something that goes', () => {
  fc.assert(
    fc.property(worlds, objects => {
      const seen = { seenUids: new Set(objects.map(object => object.ref.uid)) };
      const made = plan(objects.map(looked.object), [], { words: every }, seen);
      const goes = new Set(made.actions.map(action => action.target.uid));
      for (const object of objects) {
        if (goes.has(object.ref.uid) || object.owners.length === 0) continue;
        assert.ok(
          !object.owners.every(owner => goes.has(owner.uid)),
          `${object.ref.name} would be taken by the cascade`,
        );
      }
    }),
  );
});
