// Who asks to be left alone and who else manages an object: one table, every mark against every verb that writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta, OwnerReference } from '../../../src/model/object.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { managersOf, marksOf } from '../../../src/model/protection.ts';
import type { Note } from '../../../src/model/why.ts';
import { outOfReach, type WorkingJob } from '../../../src/model/working-job.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import { planPruneJobs } from '../../../src/plan/prune-jobs.ts';
import { planPrunePods } from '../../../src/plan/prune-pods.ts';
import { planResume } from '../../../src/plan/resume.ts';
import { planStop } from '../../../src/plan/stop.ts';
import { planUnstick } from '../../../src/plan/unstick.ts';
import { aLeakedPod, prunePodsOptions, prunePodsSnapshot } from '../leak-nouns.ts';
import {
  aCronJob,
  aJob,
  anObject,
  complete,
  deleteOptions,
  deleteSnapshot,
  failed,
  kinds,
  looked,
  ownedBy,
  pruneOptions,
  pruneSnapshot,
  stuck,
  unstickOptions,
  unstickSnapshot,
} from '../nouns.ts';
import { aStoppedSource, remembering, resumeOptions, resumeSnapshot } from '../resume-nouns.ts';
import { aSource, aWorkingJob, stopOptions, stopSnapshot } from '../stop-nouns.ts';

type Texts = Readonly<Record<string, string>>;

/** What stands on the object, in the words of the cluster. */
interface On {
  readonly labels?: Texts;
  readonly annotations?: Texts;
  readonly managedBy?: string;
  readonly namespace?: string;
  readonly owners?: readonly OwnerReference[];
}

interface Flags {
  readonly includeProtected: boolean;
  readonly allNamespaces: boolean;
}

const about: ReadonlySet<Note['code']> = new Set<Note['code']>([
  'managed-elsewhere',
  'may-be-put-back',
  'queued',
  'overrides-protection',
]);
const said = ({ findings, notes }: Plan): string => {
  const [finding] = findings;
  const verdict = finding === undefined ? 'nothing' : `${finding.verdict}, ${finding.why.code}`;
  return [verdict, ...notes.filter(({ code }) => about.has(code)).map(({ code }) => code)].join(' + ');
};

const marked = <T extends ObjectMeta>(
  object: T,
  { labels = {}, annotations = {}, managedBy, namespace, owners = [] }: On,
): T => ({
  ...object,
  ref: { ...object.ref, ...(namespace === undefined ? {} : { namespace }) },
  owners,
  marks: marksOf(labels, annotations),
  managers: managersOf(labels, annotations, managedBy),
});

/** It makes Jobs in another namespace, and none here. */
const far = aCronJob('far', { ref: { ...aCronJob('far').ref, namespace: 'other', uid: 'uid-far' } });

const evidence: Partial<WorkingJob> = {
  state: failed('1h'),
  limits: { parallelism: 1, backoffLimit: outOfReach },
  remembered: remembering(['/spec/backoffLimit', 6, outOfReach]),
};
/** Under -A nothing can be named: everything is selected there. */
const words = ({ allNamespaces }: Flags) =>
  allNamespaces
    ? ({ by: 'selection', types: [], all: true } as const)
    : ({ by: 'name', targets: [] } as const);
const asked = ({ allNamespaces }: Flags) => ({
  x: allNamespaces ? ('selected' as const) : ('named' as const),
});

/** Each verb on one object that it would act on, were nothing on it. */
const verbs = {
  delete: (on: On, flags: Flags) =>
    planDelete(
      deleteSnapshot([looked.job(marked(aJob('x', complete('9d')), on))], []),
      deleteOptions({ ...flags, words: words(flags) }),
    ),
  prune: (on: On, flags: Flags) =>
    planPruneJobs(
      pruneSnapshot([marked(aJob('x', complete('9d')), on)], [far]),
      pruneOptions({ ...flags, succeededOlderThanMs: 1000 }),
    ),
  'prune pods': (on: On, flags: Flags) =>
    planPrunePods(prunePodsSnapshot([marked(aLeakedPod('x'), on)]), prunePodsOptions(flags)),
  unstick: (on: On, flags: Flags) => {
    const held = looked.object(
      marked(anObject(kinds.widget, 'x', { ...stuck, finalizers: ['example.com/hold'] }), on),
    );
    return planUnstick(
      unstickSnapshot([held], flags.allNamespaces ? {} : { named: [held] }),
      unstickOptions({ ...flags, finalizers: ['example.com/hold'] }),
    );
  },
  'stop cronjob': (on: On, flags: Flags) =>
    planStop(stopSnapshot({ sources: [marked(aSource('x'), on)], asked: asked(flags) }), stopOptions(flags)),
  'stop job': (on: On, flags: Flags) =>
    planStop(stopSnapshot({ jobs: [marked(aWorkingJob('x'), on)], asked: asked(flags) }), stopOptions(flags)),
  'resume cronjob': (on: On, flags: Flags) =>
    planResume(
      resumeSnapshot({ sources: [marked(aStoppedSource('x'), on)], asked: asked(flags) }),
      resumeOptions(flags),
    ),
  'resume job': (on: On, flags: Flags) =>
    planResume(
      resumeSnapshot({ jobs: [marked(aWorkingJob('x', evidence), on)], asked: asked(flags) }),
      resumeOptions({ ...flags, releaseEvidence: true }),
    ),
};

type Verb = keyof typeof verbs;
type Says = Readonly<Record<Verb, string>>;

const each = (says: (verb: Verb) => string): Says =>
  Object.fromEntries((Object.keys(verbs) as Verb[]).map(verb => [verb, says(verb)])) as Says;

/** By name, and under -A. */
const done: Says = {
  delete: 'delete, named',
  prune: 'delete, beyond-age',
  'prune pods': 'delete, leaked',
  unstick: 'free, holds-end',
  'stop cronjob': 'stop, named',
  'stop job': 'stop, named',
  'resume cronjob': 'resume, given-back',
  'resume job': 'resume, evidence-released',
};
const doneUnderAll: Says = each(verb => done[verb].replace('named', 'selected'));
const overridden: Says = each(verb => `${done[verb]} + overrides-protection`);

/** What was named is refused; `prune` has nothing named. */
const left = (verb: Verb, why: string) => `${verb.startsWith('prune') ? 'stays' : 'refused'}, ${why}`;
const kept: Says = each(verb => left(verb, 'protected'));
/** Whoever deleted a hook meant it: `unstick` frees it as it is, and the flag has nothing to override there. */
const hook: Says = {
  ...each(verb => left(verb, 'hook')),
  unstick: done.unstick,
};
const hookTaken: Says = { ...overridden, unstick: done.unstick };

/** Named before it is touched; a change can be put back, a delete too. */
const managed: Says = each(verb => {
  const isChange = verb.startsWith('stop') || verb.startsWith('resume');
  return `${done[verb]} + ${isChange ? 'may-be-put-back' : 'managed-elsewhere'}`;
});
const queued: Says = {
  ...managed,
  'stop job': 'stop, named + queued',
  'resume job': 'resume, evidence-released + managed-elsewhere',
};
const driven: Says = {
  ...managed,
  // nobody but that controller ends its Pods: no flag makes a stop safe
  'stop job': 'refused, driven-elsewhere',
  'resume job': 'resume, evidence-released + managed-elsewhere',
};

/** Marks and flags make no invalid reference valid: only a delete by name takes such a Job. */
const farOwned: Says = {
  ...done,
  prune: 'stays, owner-in-other-namespace',
  'prune pods': 'stays, has-other-owner',
};

const label = (key: string, value = ''): On => ({ labels: { [key]: value } });
const note = (key: string, value = ''): On => ({ annotations: { [key]: value } });
const options = 'argocd.argoproj.io/sync-options';

/** What is on the object; what each verb says; and with --include-protected. */
const table: readonly (readonly [string, On, Says, Says])[] = [
  ['nothing', {}, done, done],
  ['our keep mark as a label', label('jobctl/keep'), kept, overridden],
  ['our keep mark as an annotation', note('jobctl/keep', 'until the audit'), kept, overridden],
  ['our keep mark taken back', label('jobctl/keep', 'false'), done, done],
  ['kor’s', label('kor/used', 'true'), kept, overridden],
  ['kor’s with another value', label('kor/used', 'false'), done, done],
  ['janitor’s', note('janitor/ttl', 'forever'), kept, overridden],
  ['janitor’s with an age', note('janitor/ttl', '7d'), done, done],
  ['Helm’s', note('helm.sh/resource-policy', 'keep'), kept, overridden],
  ['Argo CD’s against pruning', note(options, 'Prune=false'), kept, overridden],
  ['Argo CD’s against deleting', note(options, 'Delete=false'), kept, overridden],
  ['Argo CD’s among others, with spaces', note(options, 'Validate=false , Prune=false'), kept, overridden],
  ['another option of Argo CD', note(options, 'Validate=false,Prune=confirm'), done, done],
  ['a Helm hook', note('helm.sh/hook', 'post-install'), hook, hookTaken],
  ['an Argo CD hook', note('argocd.argoproj.io/hook', 'PostSync'), hook, hookTaken],
  ['a kube-* namespace, named with -n', { namespace: 'kube-system' }, done, done],
  [
    'Argo CD by its tracking id',
    note('argocd.argoproj.io/tracking-id', 'shop:batch/Job:batch/x'),
    managed,
    managed,
  ],
  ['Argo CD by its label', label('argocd.argoproj.io/instance', 'shop'), managed, managed],
  ['Flux, a Kustomization', label('kustomize.toolkit.fluxcd.io/name', 'shop'), managed, managed],
  ['Flux, a Helm release', label('helm.toolkit.fluxcd.io/name', 'shop'), managed, managed],
  ['a Helm release', note('meta.helm.sh/release-name', 'shop'), managed, managed],
  ['a Kueue queue', label('kueue.x-k8s.io/queue-name', 'night'), queued, queued],
  ['a controller of its own', { managedBy: 'example.com/jobs' }, driven, driven],
  ['the Job controller, named', { managedBy: 'kubernetes.io/job-controller' }, done, done],
  ['D16: an owner in another namespace', { owners: ownedBy(far) }, farOwned, farOwned],
];
const flags = { includeProtected: false, allNamespaces: false };
const told = (on: On, how: Flags): Says => each(verb => said(verbs[verb](on, how)));
for (const [what, on, plainly, included] of table)
  test(`${what}: every verb says the same of it, and what --include-protected takes`, () => {
    assert.deepEqual(told(on, flags), plainly);
    assert.deepEqual(told(on, { ...flags, includeProtected: true }), included);
  });

test('under -A a kube-* namespace is nobody’s by accident, and other namespaces are', () => {
  const all = { includeProtected: false, allNamespaces: true };
  const on = { namespace: 'kube-system' };
  assert.deepEqual(
    told(on, all),
    each(() => 'stays, kube-namespace'),
  );
  assert.deepEqual(
    told(on, { ...all, includeProtected: true }),
    each(verb => `${doneUnderAll[verb]} + overrides-protection`),
  );
  assert.deepEqual(told({}, all), doneUnderAll);
});

test('of what a selector matched a marked object stays, and the others go on', () => {
  const all = { includeProtected: false, allNamespaces: true };
  assert.deepEqual(
    told(label('jobctl/keep'), all),
    each(() => 'stays, protected'),
  );
});

test('what a stop has kept is no reason against another stop or against resume', () => {
  const evidenceMark = { marks: ['jobctl-stopped'] as const };
  const again = planStop(stopSnapshot({ jobs: [aWorkingJob('x', evidenceMark)] }), stopOptions(flags));
  assert.equal(said(again), 'stop, named');
  const back = { ...aWorkingJob('x', { ...evidence, ...evidenceMark }) };
  const included = resumeOptions({ includeProtected: true, releaseEvidence: true });
  assert.equal(said(planResume(resumeSnapshot({ jobs: [back] }), included)), 'resume, evidence-released');
});

test('a protected Job that stays is none that its CronJob has made since', () => {
  const cron = aSource('c');
  const owners = ownedBy(cron);
  const jobs = [aWorkingJob('x', { owners, marks: ['jobctl-keep'] }), aWorkingJob('y', { owners })];
  const selected = { c: 'selected', x: 'selected', y: 'selected' } as const;
  const made = planStop(stopSnapshot({ sources: [cron], jobs, asked: selected }), stopOptions());
  assert.deepEqual(
    made.findings.map(({ target, verdict }) => `${target.name}: ${verdict}`),
    ['c: stop', 'x: stays', 'y: stop'],
  );
  assert.deepEqual(made.terms.makers, [cron.ref.uid]);
  assert.deepEqual(
    made.terms.leaves,
    jobs.filter(({ ref }) => ref.name === 'x').map(({ ref }) => ref.uid),
  );
  const whole = planStop(
    stopSnapshot({ sources: [cron], jobs, asked: selected }),
    stopOptions({ includeProtected: true }),
  );
  assert.deepEqual(whole.terms.leaves, []);
});

test('a protected CronJob of a named Job refuses the stop: it would make another one', () => {
  const cron = aSource('c', { marks: ['jobctl-keep'] });
  const jobs = [aWorkingJob('x', { owners: ownedBy(cron) })];
  const made = planStop(
    stopSnapshot({ sources: [cron], jobs, asked: { c: 'owner', x: 'named' } }),
    stopOptions(),
  );
  assert.equal(said(made), 'refused, protected');
});
