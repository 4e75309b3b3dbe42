import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { given } from '../../../src/model/given.ts';
import type { Job } from '../../../src/model/job.ts';
import type { PruneJobsOptions } from '../../../src/model/options.ts';
import type { DeletePlan } from '../../../src/model/plan.ts';
import type { PruneSnapshot } from '../../../src/model/snapshot.ts';
import { planPruneJobs } from '../../../src/plan/prune-jobs.ts';
import {
  aCronJob,
  ago,
  aJob,
  anObject,
  aPod,
  complete,
  failed,
  kinds,
  ownedBy,
  pruneOptions,
  pruneSnapshot,
  running,
} from '../nouns.ts';

const cron = aCronJob('nightly');
const own = (name: string, state: Job['state'], more: Partial<Job> = {}): Job =>
  aJob(name, state, { owners: ownedBy(cron), ...more });

function plan(
  jobs: readonly Job[],
  options: Partial<PruneJobsOptions> = {},
  more: Partial<PruneSnapshot> = {},
): DeletePlan {
  return planPruneJobs(pruneSnapshot(jobs, [cron], more), pruneOptions(options));
}
const going = (made: DeletePlan): string[] => made.actions.map(action => action.target.name);
const why = (made: DeletePlan): Record<string, string> =>
  Object.fromEntries(
    made.findings.map(finding => [finding.target.name, `${finding.verdict}, ${finding.why.code}`]),
  );
const series = (count: number, state: (age: string) => Job['state'], prefix: string): Job[] =>
  Array.from({ length: count }, (_, at) => own(`${prefix}-${at + 1}`, state(`${at + 1}d`)));

test('P01: with limits 3 and 1, of 10 complete and 6 failed Jobs 7 and 5 go and the newest stay', () => {
  const made = plan([...series(10, complete, 'ok'), ...series(6, age => failed(age), 'bad')]);
  assert.equal(going(made).length, 12);
  const kept = made.findings
    .filter(finding => finding.verdict === 'stays')
    .map(finding => finding.target.name);
  assert.deepEqual(kept.sort(), ['bad-1', 'ok-1', 'ok-2', 'ok-3']);
  assert.ok(made.actions.every(action => action.propagation === 'Background' && action.pin === 'uid'));
});

test('P01: a second run on what is left deletes nothing', () => {
  const left = [...series(3, complete, 'ok'), ...series(1, age => failed(age), 'bad')];
  assert.deepEqual(going(plan(left)), []);
});

test('P03: the newest by end stay; on a tie the later start, then the later name', () => {
  const jobs = [
    own('a', complete('5d')),
    own('b', complete('4d')),
    own('c', complete('1d'), { startedAt: ago('3d') }),
    own('d', complete('1d'), { startedAt: ago('2d') }),
    own('e', complete('1d'), { startedAt: ago('3d') }),
  ];
  assert.deepEqual(going(plan(jobs, { keepSucceeded: 2 })), ['a', 'b', 'c']);
});

test('P05, P06, P07, P17: only a condition makes a Job finished', () => {
  const jobs = [
    own('retrying', running()),
    own('idle', { is: 'idle' }),
    own('suspended', { is: 'suspended' }),
    own('ending', { is: 'ending' }),
    own('new', { is: 'never-started' }),
  ];
  const made = plan(jobs, { keepSucceeded: 0, keepFailed: 0 });
  assert.deepEqual(going(made), []);
  assert.deepEqual(why(made), {
    ending: 'stays, ending',
    idle: 'stays, idle',
    new: 'stays, never-started',
    retrying: 'stays, running',
    suspended: 'stays, suspended',
  });
  assert.ok(made.notes.some(note => note.code === 'idle-jobs'));
});

test('P04: Jobs that never started a Pod stay and are counted; only their own flag with an age takes them', () => {
  const jobs = Array.from({ length: 50 }, (_, at) =>
    own(`n-${at}`, { is: 'never-started' }, { createdAt: ago('2d') }),
  );
  const made = plan(jobs, { keepFailed: 0, failedOlderThanMs: 1000 });
  assert.equal(going(made).length, 0);
  assert.deepEqual(
    made.notes.map(note => [note.code, note.facts['count'], note.facts['owner']]),
    [['never-started-jobs', 50, 'cronjob.batch/nightly']],
  );
  assert.equal(going(plan(jobs, { neverStartedOlderThanMs: 86_400_000 })).length, 50);
  assert.equal(going(plan(jobs, { neverStartedOlderThanMs: 3 * 86_400_000 })).length, 0);
  // it may start while the question waits
  assert.ok(
    plan(jobs, { neverStartedOlderThanMs: 86_400_000 }).actions.every(({ pin }) => pin === 'version'),
  );
  const elsewhere = jobs.map(job => ({ ...job, managers: [{ tool: 'managed-by', name: 'x' }] as const }));
  assert.equal(going(plan(elsewhere, { neverStartedOlderThanMs: 86_400_000 })).length, 0);
});

test('P08, P10: hook Jobs of Argo CD and Helm stay unless asked for', () => {
  const jobs = [
    own('argo', complete('9d'), { marks: ['argocd-hook'] }),
    own('helm', complete('9d'), { marks: ['helm-hook'] }),
  ];
  assert.deepEqual(why(plan(jobs, { keepSucceeded: 0 })), { argo: 'stays, hook', helm: 'stays, hook' });
  assert.deepEqual(going(plan(jobs, { keepSucceeded: 0, includeHooks: true })), ['argo', 'helm']);
});

test('P16: a Job that is already terminating is neither kept in the count nor deleted again', () => {
  const dying = ['x', 'y', 'z'].map(name =>
    own(name, complete('1d'), { deletingSince: ago('1h'), finalizers: ['example.com/hold'] }),
  );
  const made = plan([own('a', complete('2d')), own('b', complete('3d')), ...dying], { keepSucceeded: 2 });
  assert.deepEqual(going(made), []);
  assert.equal(why(made)['x'], 'already-terminating, terminating');
  assert.equal(why(made)['a'], 'stays, one-of-newest');
});

test('P18: Jobs of a CronJob that was made anew are two groups; those of the dead uid are shown apart and have no limit', () => {
  const dead = aCronJob('nightly', {
    ...anObject(kinds.cronJob, 'nightly'),
    ref: { ...cron.ref, uid: 'dead' },
  });
  const old = Array.from({ length: 5 }, (_, at) =>
    aJob(`old-${at}`, complete('9d'), { owners: ownedBy(dead) }),
  );
  const fresh = [own('new-1', complete('1d')), own('new-2', complete('2d'))];
  const made = plan([...old, ...fresh]);
  assert.deepEqual(going(made), []);
  assert.equal(why(made)['old-0'], 'stays, no-rule');
  assert.equal(going(plan([...old, ...fresh], { keepSucceeded: 2 })).length, 3);
  const group = made.findings.find(finding => finding.target.name === 'old-0')?.seen;
  assert.equal(group?.as === 'job' && group.group?.kind, 'owner-gone');
});

test('P20: stand-alone Jobs go by age alone; counts need --group-by', () => {
  const jobs = Array.from({ length: 30 }, (_, at) =>
    aJob(`j-${String(at).padStart(2, '0')}`, complete(`${at + 1}d`), { group: 'g' }),
  );
  assert.equal(going(plan(jobs)).length, 0);
  assert.equal(going(plan(jobs, { keepSucceeded: 2 })).length, 0);
  const week = { succeededOlderThanMs: 7 * 86_400_000 };
  assert.equal(going(plan(jobs, { ...week, keepSucceeded: 2 })).length, 23);
  assert.equal(going(plan(jobs, { keepSucceeded: 2, groupBy: 'app' })).length, 28);
});

test('count and age are two dimensions: --older-than 7d still keeps the newest three', () => {
  const jobs = series(10, age => complete(`${Number.parseInt(age, 10) + 10}d`), 'ok');
  assert.equal(going(plan(jobs, { succeededOlderThanMs: 7 * 86_400_000 })).length, 7);
  assert.equal(going(plan(jobs, { succeededOlderThanMs: 7 * 86_400_000, keepSucceeded: 0 })).length, 10);
});

test('P02: a run made by hand is counted with the others; --skip-manual leaves it out of both', () => {
  const jobs = [
    ...series(3, complete, 'ok'),
    ...['m1', 'm2', 'm3'].map(name => own(name, complete('9d'), { manual: true })),
  ];
  assert.deepEqual(going(plan(jobs)), ['m1', 'm2', 'm3']);
  const without = plan(jobs, { skipManual: true });
  assert.deepEqual(going(without), []);
  assert.equal(why(without)['m1'], 'stays, manual-run');
});

test('a selector, --owner and --reason narrow what may go, never what is counted', () => {
  const jobs = series(6, complete, 'ok');
  const selected = new Set(['ok-1', 'ok-5'].map(name => `uid-Job-batch-${name}`));
  assert.deepEqual(going(plan(jobs, {}, { selected })), ['ok-5']);
  const bad = [own('b1', failed('1d')), own('b2', failed('2d', 'DeadlineExceeded')), own('b3', failed('3d'))];
  assert.deepEqual(going(plan(bad, { reasons: ['DeadlineExceeded'] })), ['b2']);
  assert.deepEqual(
    going(plan(jobs, { owner: { type: 'cj', name: 'other' } }, { ownerKind: kinds.cronJob })),
    [],
  );
  assert.equal(
    going(plan(jobs, { owner: { type: 'cj', name: 'nightly' } }, { ownerKind: kinds.cronJob })).length,
    3,
  );
});

test('a Job of an owner of another kind stays until --owner names that owner', () => {
  const workflow = anObject(kinds.configMap, 'flow');
  const jobs = [aJob('w', complete('9d'), { owners: ownedBy(workflow) })];
  const options = { succeededOlderThanMs: 1000 };
  assert.deepEqual(why(plan(jobs, options)), { w: 'stays, owned-by-other-kind' });
  assert.deepEqual(
    going(plan(jobs, { ...options, owner: { type: 'cm', name: 'flow' } }, { ownerKind: kinds.configMap })),
    ['w'],
  );
});

test('D15: an owner reference with a version that is no longer served still finds its owner by uid', () => {
  const jobs = series(5, complete, 'ok').map(job => ({
    ...job,
    owners: ownedBy(cron, { version: 'v1beta1' }),
  }));
  assert.equal(going(plan(jobs)).length, 2);
});

test('an owner whose kind cannot be read is unknown, not gone: its Jobs stay', () => {
  const jobs = series(5, complete, 'ok');
  const made = planPruneJobs(
    pruneSnapshot(jobs, [], { ownerKindsRead: new Set() }),
    pruneOptions({ keepSucceeded: 0 }),
  );
  assert.deepEqual(going(made), []);
  assert.equal(why(made)['ok-5'], 'stays, owner-unreadable');
});

test('D16: an owner in another namespace is an invalid reference: the Job stays and is named', () => {
  const far = aCronJob('far', { ref: { ...cron.ref, namespace: 'other', uid: 'far' } });
  const jobs = [aJob('j', complete('9d'), { owners: ownedBy(far) })];
  const made = planPruneJobs(
    pruneSnapshot(jobs, [far], { allNamespaces: true }),
    pruneOptions({ keepSucceeded: 0, allNamespaces: true }),
  );
  assert.equal(why(made)['j'], 'stays, owner-in-other-namespace');
});

test('keep marks in every dialect hold a Job, a mark on its Pod holds it too, and --include-protected says otherwise', () => {
  const marks = ['jobctl-keep', 'kor-used', 'janitor-forever', 'helm-keep', 'argocd-keep'] as const;
  const jobs = marks.map(mark => own(mark, complete('9d'), { marks: [mark] }));
  assert.deepEqual(
    new Set(Object.values(why(plan(jobs, { keepSucceeded: 0 })))),
    new Set(['stays, protected']),
  );
  assert.equal(going(plan(jobs, { keepSucceeded: 0, includeProtected: true })).length, marks.length);
  const job = own('j', complete('9d'));
  const pods = [aPod('p', job, { marks: ['jobctl-keep'] })];
  assert.equal(why(plan([job], { keepSucceeded: 0 }, { pods }))['j'], 'stays, kept-dependent');
});

test('kube-* namespaces are left alone under -A only', () => {
  const jobs = [aJob('j', complete('9d'), { namespace: 'kube-system' })];
  const options = { succeededOlderThanMs: 1000 };
  assert.equal(why(plan(jobs, { ...options, allNamespaces: true }))['j'], 'stays, kube-namespace');
  assert.equal(why(plan(jobs, options))['j'], 'delete, beyond-age');
});

test('a preset orphan finalizer would be overridden by Background: the Job stays', () => {
  assert.equal(
    why(plan([own('j', complete('9d'), { finalizers: ['orphan'] })], { keepSucceeded: 0 }))['j'],
    'stays, orphan-finalizer',
  );
});

test('P19: Pods are deleted by us where that is allowed, else left to the collector; unreadable Pods are said', () => {
  const job = own('j', complete('9d'));
  const pods = [aPod('p', job)];
  assert.deepEqual(
    plan([job], { keepSucceeded: 0 }, { pods }).settle.dependents.map(({ by }) => by),
    ['us'],
  );
  const denied = new Map([['pods. batch', 'no' as const]]);
  const left = plan([job], { keepSucceeded: 0 }, { pods, rights: denied });
  assert.deepEqual(
    left.settle.dependents.map(({ by }) => by),
    ['collector'],
  );
  assert.ok(left.notes.some(note => note.code === 'pods-left-to-collector'));
  const { pods: _, ...blind } = pruneSnapshot([job], [cron]);
  assert.ok(
    planPruneJobs(blind, pruneOptions({ keepSucceeded: 0 })).notes.some(
      note => note.code === 'pods-unreadable',
    ),
  );
});

test('a Pod with another owner is not promised', () => {
  const job = own('j', complete('9d'));
  const pods = [
    aPod('p', job, {
      owners: [...ownedBy(job), ...ownedBy(anObject(kinds.configMap, 'c'), { controller: false })],
    }),
  ];
  assert.deepEqual(plan([job], { keepSucceeded: 0 }, { pods }).settle.dependents, []);
});

test('shards divide by owner: together they look at everything once, with the same verdicts, and no group is cut', () => {
  const crons = ['a', 'b', 'c', 'd', 'e'].map(name => aCronJob(name));
  const jobs = crons.flatMap(owner =>
    Array.from({ length: 6 }, (_, at) =>
      aJob(`${owner.ref.name}-${at}`, complete(`${at + 1}d`), { owners: ownedBy(owner), manual: at === 2 }),
    ),
  );
  for (const skipManual of [false, true]) {
    const made = (shard?: { index: number; of: number }) =>
      planPruneJobs(pruneSnapshot(jobs, crons), pruneOptions({ skipManual, ...given({ shard }) }));
    const told = ({ findings }: DeletePlan) =>
      findings.map(({ target, verdict, why }) => `${target.name} ${verdict} ${why.code}`);
    const parts = [0, 1, 2].map(index => made({ index, of: 3 }));
    assert.deepEqual(parts.flatMap(told).sort(), told(made()).sort());
    assert.deepEqual(parts.flatMap(going).sort(), [...going(made())].sort());
    for (const [index, part] of parts.entries()) {
      const note = part.notes.find(({ code }) => code === 'other-shards');
      assert.deepEqual(note?.facts, { count: jobs.length - part.findings.length, index, of: 3 });
    }
  }
});

// properties: the same cluster gives the same plan, nothing is both kept and acted on, and every Job has a verdict

const states = fc.oneof(
  fc.integer({ min: 1, max: 400 }).map(days => complete(`${days}h`)),
  fc.integer({ min: 1, max: 400 }).map(days => failed(`${days}h`)),
  fc.constantFrom<Job['state']>(
    running(),
    { is: 'idle' },
    { is: 'suspended' },
    { is: 'never-started' },
    { is: 'ending' },
  ),
);
const worlds = fc
  .array(
    fc.record({
      state: states,
      owner: fc.constantFrom('nightly', 'gone', 'none'),
      manual: fc.boolean(),
      mark: fc.boolean(),
      dying: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map(list =>
    list.map(({ state, owner, manual, mark, dying }, at) => {
      const gone = { ...cron, ref: { ...cron.ref, uid: 'gone' } };
      const owners = owner === 'none' ? [] : ownedBy(owner === 'gone' ? gone : cron);
      return aJob(`j-${at}`, state, {
        owners,
        manual,
        marks: mark ? ['jobctl-keep'] : [],
        ...(dying ? { deletingSince: ago('1h') } : {}),
      });
    }),
  );
const choices = fc.record({
  keepSucceeded: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  keepFailed: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  succeededOlderThanMs: fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: undefined }),
  failedOlderThanMs: fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: undefined }),
  skipManual: fc.boolean(),
  standalone: fc.boolean(),
});
const asOptions = (choice: Record<string, unknown>): Partial<PruneJobsOptions> =>
  Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));

test('in whatever order the server answers, the plan is the same', () => {
  fc.assert(
    fc.property(worlds, choices, fc.infiniteStream(fc.integer()), (jobs, choice, order) => {
      const shuffled = jobs
        .map(job => ({ job, key: order.next().value }))
        .sort((a, b) => Number(a.key) - Number(b.key))
        .map(({ job }) => job);
      assert.deepEqual(plan(shuffled, asOptions(choice)), plan(jobs, asOptions(choice)));
    }),
  );
});

test('every Job has exactly one verdict; only finished, unprotected, living Jobs go', () => {
  fc.assert(
    fc.property(worlds, choices, (jobs, choice) => {
      const made = plan(jobs, asOptions(choice));
      assert.deepEqual(
        made.findings.map(finding => finding.target.uid).sort(),
        jobs.map(job => job.ref.uid).sort(),
      );
      const byUid = new Map(jobs.map(job => [job.ref.uid, job]));
      for (const { target } of made.actions) {
        const job = byUid.get(target.uid);
        assert.ok(job && 'endedAt' in job.state && job.marks.length === 0 && job.deletingSince === undefined);
      }
    }),
  );
});

test('no Job goes while an older one of the same owner and outcome is kept by the count', () => {
  fc.assert(
    fc.property(worlds, choices, (jobs, choice) => {
      const made = plan(
        jobs.filter(job => job.marks.length === 0),
        asOptions(choice),
      );
      const ended = (uid: string): number => {
        const state = jobs.find(job => job.ref.uid === uid)?.state;
        return state !== undefined && 'endedAt' in state ? state.endedAt.getTime() : 0;
      };
      const outcomeOf = (uid: string) => jobs.find(job => job.ref.uid === uid)?.state.is;
      for (const kept of made.findings.filter(finding => finding.why.code === 'one-of-newest')) {
        const group = kept.seen.as === 'job' ? kept.seen.group?.label : '';
        const rivals = made.findings.filter(
          ({ target, seen, verdict }) =>
            verdict === 'delete' &&
            seen.as === 'job' &&
            seen.group?.label === group &&
            seen.group?.kind === (kept.seen.as === 'job' ? kept.seen.group?.kind : '') &&
            outcomeOf(target.uid) === outcomeOf(kept.target.uid),
        );
        assert.ok(rivals.every(({ target }) => ended(target.uid) <= ended(kept.target.uid)));
      }
    }),
  );
});
