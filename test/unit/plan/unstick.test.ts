import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { drainKey, type Lease, type NamespaceState, type Workload } from '../../../src/model/evidence.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { Allowance, CauseCode, Hold } from '../../../src/model/hold.ts';
import type { Job } from '../../../src/model/job.ts';
import type { Loss } from '../../../src/model/known-finalizer.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import type { UnstickOptions } from '../../../src/model/options.ts';
import type { Finding, UnstickPlan } from '../../../src/model/plan.ts';
import type { Pod } from '../../../src/model/pod.ts';
import type { Looked, Unreadable } from '../../../src/model/snapshot.ts';
import type { Inside, UnstickSnapshot } from '../../../src/model/unstick-snapshot.ts';
import { planUnstick } from '../../../src/plan/unstick.ts';
import {
  ago,
  aJob,
  anObject,
  aPod,
  complete,
  failed,
  kinds,
  looked,
  noEvidence,
  ownedBy,
  running,
  stuck,
  unstickOptions,
  unstickSnapshot,
} from '../nouns.ts';

const tracking = 'batch.kubernetes.io/job-tracking';
const keda = 'finalizer.keda.sh';
const cleanup = 'example.com/cleanup';

type Seen = Parameters<typeof unstickSnapshot>[1];

const plan = (
  objects: readonly Looked[],
  seen: Seen = {},
  options: Partial<UnstickOptions> = {},
  chosen?: ReadonlySet<string>,
): UnstickPlan => planUnstick(unstickSnapshot(objects, seen), unstickOptions(options), chosen);

const widget = (name: string, more: Partial<ObjectMeta> = {}): Looked =>
  looked.object(anObject(kinds.widget, name, { ...stuck, finalizers: [cleanup], ...more }));
const queue = (name: string, more: Partial<ObjectMeta> = {}): Looked =>
  looked.object(anObject(kinds.scaledJob, name, { ...stuck, finalizers: [keda], ...more }));
const stuckJob = (name: string, more: Partial<Job> = {}): Job =>
  aJob(name, complete('2d'), { ...stuck, finalizers: ['foregroundDeletion'], ...more });
const tracked = (name: string, job: ObjectMeta | undefined, more: Partial<Pod> = {}): Looked =>
  looked.pod(aPod(name, job, { ...stuck, finalizers: [tracking], ...more }));

const findingOf = (made: UnstickPlan, name: string): Finding =>
  made.findings.find(({ target }) => target.name === name) ?? assert.fail(`no finding of ${name}`);
const holdsOf = (made: UnstickPlan, name: string): readonly Hold[] => {
  const { seen } = findingOf(made, name);
  return seen.as === 'stuck' ? seen.holds : [];
};
const holdOf = (made: UnstickPlan, name: string): Hold =>
  holdsOf(made, name)[0] ?? assert.fail(`nothing holds ${name}`);
const why = (made: UnstickPlan): Record<string, string> =>
  Object.fromEntries(
    made.findings.map(({ target, verdict, why: { code } }) => [target.name, `${verdict}, ${code}`]),
  );
const doing = (made: UnstickPlan): string[] =>
  made.actions.map(
    ({ target, where, remove, keeps, wave }) =>
      `${wave}: ${target.name}${where === 'spec' ? ' spec' : ''} -${remove.join(',')} =${keeps.join(',')}`,
  );
const follows = (made: UnstickPlan): string[] => made.aftermath.follows.map(({ target }) => target.name);

const forbidden = { code: 'forbidden', text: 'Forbidden' } as const;
const unreadable = (resource: string, more: Partial<Unreadable> = {}): Unreadable => ({
  kind: { group: '', kind: resource, resource },
  problem: forbidden,
  ...more,
});

// --- each cause: what it says, what it costs, what it takes ----------------------------------------------------------------

const job = aJob('etl', running());
const volume = (finalizer: string): Looked =>
  looked.object(anObject(kinds.volume, 'v', { ...stuck, finalizers: [finalizer] }));
const claim = looked.object(
  anObject(kinds.claim, 'c', { ...stuck, finalizers: ['kubernetes.io/pvc-protection'] }),
);
const definition = looked.object(
  anObject(kinds.definition, 'widgets.example.com', {
    ...stuck,
    finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
  }),
);
const namespace = looked.object(anObject(kinds.namespace, 'legacy', stuck));
const namespaceState = (
  conditions: readonly [string, string][] = [],
  finalizers = ['kubernetes'],
): NamespaceState => ({
  name: 'legacy',
  uid: namespace.object.ref.uid,
  finalizers,
  conditions: conditions.map(([type, message]) => ({ type, status: 'True', reason: 'x', message })),
});
const inside = (of: Looked, counts: Record<string, number>, more: Partial<Inside> = {}) =>
  new Map([
    [
      of.object.ref.uid,
      {
        counts: Object.entries(counts).map(([resource, count]) => ({ resource, count })),
        stuck: [],
        whole: true,
        ...more,
      },
    ],
  ]);
const bound = {
  name: 'v',
  uid: volume('').object.ref.uid,
  claim: { namespace: 'batch', name: 'c', uid: 'claim-uid' },
};
const attachment = { name: 'csi-1', volume: 'v', node: 'node-1', attached: true };
const user = aPod('user', undefined, { claims: ['c', 'other'], node: 'n' });
const freshLease: Lease = {
  namespace: 'keda',
  name: 'operator.keda.sh',
  holder: 'a',
  renewedAt: ago('5s'),
  seconds: 15,
};
const staleLease: Lease = { ...freshLease, renewedAt: ago('2d') };
const operator: Workload = {
  label: 'deployment.apps/keda-operator',
  namespace: 'keda',
  texts: ['keda-operator', 'keda'],
  owners: [],
  wanted: 1,
  ready: 1,
};
const onNode = (node: string | undefined): Looked =>
  looked.pod(aPod('p', undefined, { ...stuck, ...(node === undefined ? {} : { node }) }));

interface Row {
  readonly about: string;
  readonly object: Looked;
  readonly seen?: Seen;
  readonly cause: CauseCode;
  readonly allowance: Allowance;
  readonly loss: Loss;
  readonly facts: Facts;
  readonly waitsFor?: number;
}

const rows: readonly Row[] = [
  {
    about: 'D08: foregroundDeletion without a dependent is proven to be over',
    object: looked.job(stuckJob('j')),
    cause: 'dependents-gone',
    allowance: 'proven',
    loss: 'nothing',
    facts: {},
  },
  {
    about: 'foregroundDeletion with a dependent that does not ask to be waited for is over too',
    object: looked.job(stuckJob('j')),
    seen: {
      dependents: [looked.pod(aPod('p', undefined, { owners: ownedBy(stuckJob('j'), { blocking: false }) }))],
    },
    cause: 'dependents-gone',
    allowance: 'proven',
    loss: 'nothing',
    facts: {},
  },
  {
    about: 'U04: foregroundDeletion with a Pod that is there is never stripped',
    object: looked.job(stuckJob('j')),
    seen: { dependents: [looked.pod(aPod('p', stuckJob('j')))] },
    cause: 'dependents-block',
    allowance: 'never',
    loss: 'outside',
    facts: { count: 1, names: 'pod/p', namespace: 'batch' },
    waitsFor: 1,
  },
  {
    about: 'of many dependents five are named and all are counted',
    object: looked.job(stuckJob('j')),
    seen: { dependents: [1, 2, 3, 4, 5, 6, 7].map(at => looked.pod(aPod(`p${at}`, stuckJob('j')))) },
    cause: 'dependents-block',
    allowance: 'never',
    loss: 'outside',
    facts: { count: 7, names: 'pod/p1, pod/p2, pod/p3, pod/p4, pod/p5', namespace: 'batch' },
    waitsFor: 7,
  },
  {
    about: 'foregroundDeletion is not known to be over where a kind could not be listed in its namespace',
    object: looked.job(stuckJob('j')),
    seen: { unreadable: [unreadable('secrets', { namespace: 'batch' })] },
    cause: 'dependents-unknown',
    allowance: 'only-named',
    loss: 'outside',
    facts: { kinds: 'secrets' },
  },
  {
    about: 'a kind that could not be listed in another namespace is no doubt',
    object: looked.job(stuckJob('j')),
    seen: { unreadable: [unreadable('secrets', { namespace: 'other' })] },
    cause: 'dependents-gone',
    allowance: 'proven',
    loss: 'nothing',
    facts: {},
  },
  {
    about: 'a kind that could not be listed anywhere is a doubt',
    object: looked.job(stuckJob('j')),
    seen: { unreadable: [unreadable('secrets')] },
    cause: 'dependents-unknown',
    allowance: 'only-named',
    loss: 'outside',
    facts: { kinds: 'secrets' },
  },
  {
    about: 'a group that does not answer is a doubt',
    object: looked.job(stuckJob('j')),
    seen: { silentGroups: [{ group: 'dead.example', problem: forbidden }] },
    cause: 'dependents-unknown',
    allowance: 'only-named',
    loss: 'outside',
    facts: { kinds: 'everything of dead.example' },
  },
  {
    about: 'without a scan nothing is known of dependents',
    object: looked.job(stuckJob('j')),
    seen: { scanned: new Set<string>() },
    cause: 'dependents-unknown',
    allowance: 'only-named',
    loss: 'outside',
    facts: { kinds: '' },
  },
  {
    about: 'U18: orphan with a Pod is a choice between two ways, made only by its name',
    object: looked.job(stuckJob('j', { finalizers: ['orphan'] })),
    seen: {
      dependents: [
        looked.pod(aPod('p', stuckJob('j'), { owners: ownedBy(stuckJob('j'), { blocking: false }) })),
      ],
    },
    cause: 'orphaning',
    allowance: 'only-named',
    loss: 'outside',
    facts: { count: 1, names: 'pod/p', namespace: 'batch' },
  },
  {
    about: 'orphan without a dependent is proven to be over',
    object: looked.job(stuckJob('j', { finalizers: ['orphan'] })),
    cause: 'dependents-gone',
    allowance: 'proven',
    loss: 'nothing',
    facts: {},
  },
  {
    about: 'U03: the tracking finalizer of a Job that is gone',
    object: tracked('p', job),
    seen: { evidence: { jobs: new Map([[job.ref.uid, 'absent']]) } },
    cause: 'job-gone',
    allowance: 'proven',
    loss: 'nothing',
    facts: { job: 'job.batch/etl' },
  },
  {
    about: 'the tracking finalizer of a Pod that names no Job',
    object: tracked('p', undefined),
    cause: 'job-gone',
    allowance: 'proven',
    loss: 'nothing',
    facts: { job: '' },
  },
  {
    about: 'the tracking finalizer of a Pod that names its Job by labels alone',
    object: tracked('p', undefined, { madeBy: { uid: 'j', name: 'old' } }),
    seen: { evidence: { jobs: new Map([['j', 'absent']]) } },
    cause: 'job-gone',
    allowance: 'proven',
    loss: 'nothing',
    facts: { job: 'job.batch/old' },
  },
  {
    about: 'a finished Job has counted its Pods',
    object: tracked('p', job),
    seen: { evidence: { jobs: new Map([[job.ref.uid, looked.job(aJob('etl', failed('1h')))]]) } },
    cause: 'job-over',
    allowance: 'proven',
    loss: 'nothing',
    facts: { job: 'job.batch/etl', state: 'failed' },
  },
  {
    about: 'U01: a Job that is going itself counts nothing any more',
    object: tracked('p', job),
    seen: { evidence: { jobs: new Map([[job.ref.uid, looked.job(aJob('etl', running(), stuck))]]) } },
    cause: 'job-over',
    allowance: 'proven',
    loss: 'nothing',
    facts: { job: 'job.batch/etl', state: 'terminating' },
  },
  {
    about: 'a Job at work still counts its Pod: stripped, its work would run again',
    object: tracked('p', job),
    seen: { evidence: { jobs: new Map([[job.ref.uid, looked.job(job)]]) } },
    cause: 'job-counts-it',
    allowance: 'never',
    loss: 'nothing',
    facts: { job: 'job.batch/etl' },
    waitsFor: 1,
  },
  {
    about: 'a Job that cannot be read may still count its Pod',
    object: tracked('p', job),
    cause: 'job-unknown',
    allowance: 'never',
    loss: 'nothing',
    facts: { job: 'job.batch/etl' },
  },
  {
    about: 'a Pod that cannot be read in full may still be counted',
    object: looked.object(anObject(kinds.pod, 'p', { ...stuck, finalizers: [tracking] })),
    cause: 'job-unknown',
    allowance: 'never',
    loss: 'nothing',
    facts: { job: '' },
  },
  {
    about: 'U16: a claim with a finished Pod is still in use',
    object: claim,
    seen: { evidence: { pods: new Map([['batch', [looked.pod(user)]]]) } },
    cause: 'claim-in-use',
    allowance: 'never',
    loss: 'data',
    facts: { count: 1, names: 'pod/user (Succeeded)', first: 'pod/user', namespace: 'batch' },
    waitsFor: 1,
  },
  {
    about: 'a claim that only Pods with other claims are beside is not in use',
    object: claim,
    seen: {
      evidence: { pods: new Map([['batch', [looked.pod(aPod('x', undefined, { claims: ['cc'] }))]]]) },
    },
    cause: 'claim-unused',
    allowance: 'proven',
    loss: 'nothing',
    facts: {},
  },
  {
    about: 'a claim where Pods cannot be listed may be in use',
    object: claim,
    seen: { evidence: { pods: new Map([['other', []]]) } },
    cause: 'claim-users-unknown',
    allowance: 'never',
    loss: 'data',
    facts: {},
  },
  {
    about: 'U17: a volume that is attached is held by data',
    object: volume('external-attacher/csi-example'),
    seen: { evidence: { attachments: [attachment] } },
    cause: 'volume-attached',
    allowance: 'only-named',
    loss: 'data',
    facts: { attachment: 'volumeattachment/csi-1', node: 'node-1' },
    waitsFor: 1,
  },
  {
    about: 'the protection of a volume that is attached is held by data too',
    object: volume('kubernetes.io/pv-protection'),
    seen: { evidence: { attachments: [attachment] } },
    cause: 'volume-attached',
    allowance: 'only-named',
    loss: 'data',
    facts: { attachment: 'volumeattachment/csi-1', node: 'node-1' },
    waitsFor: 1,
  },
  {
    about: 'a volume whose claim is there is bound',
    object: volume('kubernetes.io/pv-protection'),
    seen: { evidence: { volumes: [bound], claims: new Map([['claim-uid', 'there']]) } },
    cause: 'volume-bound',
    allowance: 'only-named',
    loss: 'data',
    facts: { claim: 'batch/c' },
    waitsFor: 1,
  },
  {
    about: 'a volume whose claim cannot be read is bound, as far as is known',
    object: volume('kubernetes.io/pv-protection'),
    seen: { evidence: { volumes: [bound] } },
    cause: 'volume-bound',
    allowance: 'only-named',
    loss: 'data',
    facts: { claim: 'batch/c' },
    waitsFor: 1,
  },
  {
    about: 'a volume whose claim is gone is not protected any more',
    object: volume('kubernetes.io/pv-protection'),
    seen: { evidence: { volumes: [bound], claims: new Map([['claim-uid', 'absent']]) } },
    cause: 'volume-unbound',
    allowance: 'proven',
    loss: 'nothing',
    facts: {},
  },
  {
    about: 'the attacher of a volume that nothing attaches is a controller like others, with data at stake',
    object: volume('external-attacher/csi-example'),
    cause: 'controller-not-found',
    allowance: 'only-named',
    loss: 'data',
    facts: { words: 'csi-attacher', known: 'csi-attacher' },
  },
  {
    about: 'custom resources that are left keep their definition',
    object: definition,
    seen: { inside: inside(definition, { 'widgets.example.com': 3 }, { stuck: ['a'] }) },
    cause: 'instances-remain',
    allowance: 'never',
    loss: 'data',
    facts: { count: 3, stuck: 1, name: 'widgets.example.com' },
    waitsFor: 2,
  },
  {
    about: 'a definition without custom resources may be freed by name',
    object: definition,
    seen: { inside: inside(definition, {}) },
    cause: 'instances-gone',
    allowance: 'if-named',
    loss: 'nothing',
    facts: {},
  },
  {
    about: 'a definition whose custom resources cannot be listed may have some',
    object: definition,
    seen: { inside: inside(definition, {}, { whole: false }) },
    cause: 'instances-unknown',
    allowance: 'never',
    loss: 'data',
    facts: {},
  },
  {
    about: 'a definition that was not looked into may have some',
    object: definition,
    cause: 'instances-unknown',
    allowance: 'never',
    loss: 'data',
    facts: {},
  },
  {
    about: 'U14: a namespace waits for the stuck objects in it',
    object: namespace,
    seen: {
      evidence: {
        namespaces: [
          namespaceState([
            [
              'NamespaceContentRemaining',
              'Some resources are remaining: widgets.example.com has 3 resource instances',
            ],
          ]),
        ],
      },
      inside: inside(namespace, { 'widgets.example.com': 3 }, { stuck: ['a', 'b', 'c'] }),
    },
    cause: 'contents-remain',
    allowance: 'never',
    loss: 'data',
    facts: { count: 3, resources: '3 widgets.example.com', stuck: 3, why: '' },
    waitsFor: 3,
  },
  {
    about: 'a namespace with something in it that is not stuck waits for more than the stuck ones',
    object: namespace,
    seen: {
      evidence: { namespaces: [namespaceState()] },
      inside: inside(namespace, { pods: 2, 'widgets.example.com': 1 }, { stuck: ['a'] }),
    },
    cause: 'contents-remain',
    allowance: 'never',
    loss: 'data',
    facts: { count: 3, resources: '2 pods, 1 widgets.example.com', stuck: 1, why: '' },
    waitsFor: 2,
  },
  {
    about: 'U26: a namespace waits for a kind that is no longer served',
    object: namespace,
    seen: {
      evidence: {
        namespaces: [
          namespaceState([
            [
              'NamespaceContentRemaining',
              'Some resources are remaining: gadgets.gone.example has 2 resource instances, pods. has 1 resource instances',
            ],
          ]),
        ],
      },
      inside: inside(namespace, {}),
    },
    cause: 'contents-unserved',
    allowance: 'never',
    loss: 'data',
    facts: { resources: 'gadgets.gone.example' },
  },
  {
    about: 'a namespace whose controller cannot see everything is not known to be empty',
    object: namespace,
    seen: {
      evidence: {
        namespaces: [
          namespaceState([
            ['NamespaceDeletionDiscoveryFailure', 'Discovery failed for some groups, 1 failing'],
          ]),
        ],
      },
      inside: inside(namespace, {}),
    },
    cause: 'contents-unknown',
    allowance: 'never',
    loss: 'data',
    facts: { why: 'Discovery failed for some groups, 1 failing' },
  },
  {
    about: 'a namespace of which not every kind could be listed is not known to be empty',
    object: namespace,
    seen: { evidence: { namespaces: [namespaceState()] }, inside: inside(namespace, {}, { whole: false }) },
    cause: 'contents-unknown',
    allowance: 'never',
    loss: 'data',
    facts: { why: '' },
  },
  {
    about: 'a namespace that cannot be read in full is not known to be empty',
    object: namespace,
    cause: 'contents-unknown',
    allowance: 'never',
    loss: 'data',
    facts: { why: '' },
  },
  {
    about: 'an empty namespace only waits for the namespace controller',
    object: namespace,
    seen: { evidence: { namespaces: [namespaceState()] }, inside: inside(namespace, {}) },
    cause: 'contents-gone',
    allowance: 'never',
    loss: 'nothing',
    facts: {},
  },
  {
    about: 'a Pod without finalizers on a silent node',
    object: onNode('n'),
    seen: { evidence: { nodes: new Map([['n', 'silent']]) } },
    cause: 'node-silent',
    allowance: 'never',
    loss: 'outside',
    facts: { node: 'n', state: 'silent', pod: 'pod/p', namespace: 'batch' },
  },
  {
    about: 'a Pod without finalizers on a node that is gone',
    object: onNode('n'),
    seen: { evidence: { nodes: new Map([['n', 'absent']]) } },
    cause: 'node-silent',
    allowance: 'never',
    loss: 'outside',
    facts: { node: 'n', state: 'absent', pod: 'pod/p', namespace: 'batch' },
  },
  {
    about: 'U29: a Pod without finalizers on a node that works, with its last warning',
    object: onNode('n'),
    seen: {
      evidence: {
        nodes: new Map([['n', 'ready']]),
        warnings: [
          {
            about: onNode('n').object.ref.uid,
            reason: 'FailedKillPod',
            message: 'stuck',
            from: 'kubelet',
            at: ago('1m'),
          },
        ],
      },
    },
    cause: 'node-works',
    allowance: 'never',
    loss: 'outside',
    facts: { node: 'n', state: 'ready', pod: 'pod/p', namespace: 'batch', warning: 'FailedKillPod: stuck' },
  },
  {
    about: 'a Pod without finalizers on a node that cannot be read',
    object: onNode('n'),
    cause: 'node-unknown',
    allowance: 'never',
    loss: 'outside',
    facts: { node: 'n', state: '', pod: 'pod/p', namespace: 'batch' },
  },
  {
    about: 'a Pod without finalizers and without a node',
    object: onNode(undefined),
    cause: 'nothing-holds',
    allowance: 'never',
    loss: 'outside',
    facts: {},
  },
];

for (const { about, object, seen, cause, allowance, loss, facts, waitsFor = 0 } of rows) {
  test(`${about}: ${cause}, ${allowance}`, () => {
    const hold = holdOf(plan([object], seen), object.object.ref.name);
    assert.deepEqual(
      [hold.cause, hold.allowance, hold.loss, hold.facts, hold.waitsFor.length],
      [cause, allowance, loss, facts, waitsFor],
    );
  });
}

// --- somebody's controller -------------------------------------------------------------------------------------------------

const withWriter = (manager: string, age: string): Looked =>
  queue('q', { writers: [{ manager, at: ago(age), finalizers: [keda] }] });
const { leases: _, workloads: __, ...nothingRead } = noEvidence;
const blind = (evidence: Partial<UnstickSnapshot['evidence']>, ...unread: string[]): UnstickSnapshot => ({
  ...unstickSnapshot([queue('q')]),
  evidence: { ...nothingRead, ...evidence },
  unreadableEvidence: unread.map(resource => unreadable(resource)),
});

const controllers: readonly [string, UnstickSnapshot, CauseCode, Allowance, Facts][] = [
  [
    'no Lease and no workload',
    unstickSnapshot([queue('q')]),
    'controller-gone',
    'proven',
    { words: 'keda-operator', known: 'keda' },
  ],
  [
    'a Lease that is renewed',
    unstickSnapshot([queue('q')], { evidence: { leases: [freshLease] } }),
    'controller-alive',
    'only-named',
    { lease: 'keda/operator.keda.sh', renewedMs: 5000, known: 'keda' },
  ],
  [
    'a Lease that was renewed days ago',
    unstickSnapshot([queue('q')], { evidence: { leases: [staleLease] } }),
    'controller-gone',
    'proven',
    { words: 'keda-operator', lease: 'keda/operator.keda.sh', renewedMs: 172_800_000, known: 'keda' },
  ],
  [
    'a Lease without a time of renewal',
    unstickSnapshot([queue('q')], {
      evidence: { leases: [{ namespace: 'keda', name: 'operator.keda.sh', holder: '', seconds: 15 }] },
    }),
    'controller-gone',
    'proven',
    { words: 'keda-operator', lease: 'keda/operator.keda.sh', known: 'keda' },
  ],
  [
    'a Lease of an hour that was renewed two hours ago',
    unstickSnapshot([queue('q')], {
      evidence: { leases: [{ ...freshLease, renewedAt: ago('2h'), seconds: 3600 }] },
    }),
    'controller-alive',
    'only-named',
    { lease: 'keda/operator.keda.sh', renewedMs: 7_200_000, known: 'keda' },
  ],
  [
    'a Lease that was renewed two minutes ago',
    unstickSnapshot([queue('q')], { evidence: { leases: [{ ...freshLease, renewedAt: ago('2m') }] } }),
    'controller-stopped',
    'if-named',
    { lease: 'keda/operator.keda.sh', renewedMs: 120_000, known: 'keda' },
  ],
  [
    'a fresh Lease that nobody holds',
    unstickSnapshot([queue('q')], { evidence: { leases: [{ ...freshLease, holder: '' }] } }),
    'controller-stopped',
    'if-named',
    { lease: 'keda/operator.keda.sh', renewedMs: 5000, known: 'keda' },
  ],
  [
    'a workload that the stuck object itself has made',
    unstickSnapshot([queue('q')], {
      evidence: { workloads: [{ ...operator, owners: [queue('q').object.ref.uid] }] },
    }),
    'controller-gone',
    'proven',
    { words: 'keda-operator', known: 'keda' },
  ],
  [
    'the Lease of another controller',
    unstickSnapshot([queue('q')], { evidence: { leases: [{ ...freshLease, name: 'kedarnath' }] } }),
    'controller-gone',
    'proven',
    { words: 'keda-operator', known: 'keda' },
  ],
  [
    'a workload that is ready',
    unstickSnapshot([queue('q')], { evidence: { workloads: [operator], leases: [staleLease] } }),
    'controller-alive',
    'only-named',
    { workload: 'deployment.apps/keda-operator', namespace: 'keda', ready: 1, wanted: 1, known: 'keda' },
  ],
  [
    'a workload with 0 of 1 ready',
    unstickSnapshot([queue('q')], {
      evidence: { workloads: [{ ...operator, ready: 0 }], leases: [staleLease] },
    }),
    'controller-stopped',
    'if-named',
    { workload: 'deployment.apps/keda-operator', namespace: 'keda', ready: 0, wanted: 1, known: 'keda' },
  ],
  [
    'a workload that was scaled to nothing',
    unstickSnapshot([queue('q')], { evidence: { workloads: [{ ...operator, wanted: 0, ready: 0 }] } }),
    'controller-stopped',
    'if-named',
    { workload: 'deployment.apps/keda-operator', namespace: 'keda', ready: 0, wanted: 0, known: 'keda' },
  ],
  [
    'its writer, which wrote to the object a minute ago',
    unstickSnapshot([withWriter('keda-operator', '1m')]),
    'controller-alive',
    'only-named',
    { writer: 'keda-operator', wroteMs: 60_000, known: 'keda', by: 'keda-operator' },
  ],
  [
    'its writer, which wrote half an hour ago',
    unstickSnapshot([withWriter('keda-operator', '30m')]),
    'controller-gone',
    'proven',
    { words: 'keda-operator', known: 'keda', by: 'keda-operator' },
  ],
  [
    'a person who wrote a minute ago',
    unstickSnapshot([withWriter('kubectl-edit', '1m')]),
    'controller-gone',
    'proven',
    { words: 'keda-operator', known: 'keda', by: 'kubectl-edit' },
  ],
  [
    'Leases that cannot be read',
    blind({ workloads: [] }, 'leases'),
    'controller-unknown',
    'if-named',
    { unread: 'leases', known: 'keda' },
  ],
  [
    'workloads that cannot be read, and a stale Lease',
    blind({ leases: [staleLease] }, 'deployments'),
    'controller-unknown',
    'if-named',
    { unread: 'deployments', known: 'keda' },
  ],
  [
    'neither Leases nor workloads readable',
    blind({}, 'leases', 'deployments'),
    'controller-unknown',
    'if-named',
    { unread: 'leases and deployments', known: 'keda' },
  ],
  [
    'a fresh Lease, and workloads that cannot be read',
    blind({ leases: [freshLease] }, 'deployments'),
    'controller-alive',
    'only-named',
    { lease: 'keda/operator.keda.sh', renewedMs: 5000, known: 'keda' },
  ],
];
for (const [evidence, snapshot, cause, allowance, facts] of controllers) {
  test(`the controller of a known finalizer with ${evidence}: ${cause}, ${allowance}`, () => {
    const hold = holdOf(planUnstick(snapshot, unstickOptions()), 'q');
    assert.deepEqual([hold.cause, hold.allowance, hold.facts], [cause, allowance, facts]);
  });
}

test('U05: a finalizer that nobody knows is never proven to be without a controller; its domain and kind are looked for', () => {
  const hold = holdOf(plan([widget('w')]), 'w');
  assert.deepEqual(
    [hold.cause, hold.allowance, hold.loss, hold.facts],
    ['controller-not-found', 'if-named', 'outside', { words: 'example, widget' }],
  );
});

test('a finalizer with nothing to know its controller by is unknown, not gone', () => {
  const odd = looked.object(
    anObject(kinds.configMap, 'c', { ...stuck, finalizers: ['finalizer.io/cleanup'] }),
  );
  const hold = holdOf(plan([odd]), 'c');
  assert.deepEqual(
    [hold.cause, hold.allowance, hold.facts],
    ['controller-unknown', 'if-named', { unread: '' }],
  );
});

test('a framework’s finalizer that many controllers share is unknown, not gone', () => {
  const object = widget('w', { finalizers: ['kopf.zalando.org/KopfFinalizerMarker'] });
  assert.deepEqual(
    [holdOf(plan([object]), 'w').cause, holdOf(plan([object]), 'w').allowance],
    ['controller-unknown', 'if-named'],
  );
});

test('where data is at stake even a controller that is nowhere to be seen does not free it', () => {
  const object = widget('w', { finalizers: ['longhorn.io'] });
  const hold = holdOf(plan([object]), 'w');
  assert.deepEqual([hold.cause, hold.loss, hold.allowance], ['controller-not-found', 'data', 'only-named']);
});

test('U27: the warning about the object and a Pod that failed below it are facts of the hold', () => {
  const flow = widget('flow', { finalizers: ['workflows.argoproj.io/artifact-gc'] });
  const cleaner = aPod('flow-gc', flow.object, { phase: 'Failed' });
  const warning = {
    about: flow.object.ref.uid,
    reason: 'ArtifactGCFailed',
    message: 'no bucket',
    from: 'argo',
    at: ago('1m'),
  };
  const working = {
    ...operator,
    label: 'deployment.apps/workflow-controller',
    texts: ['workflow-controller'],
  };
  const made = plan([flow], {
    dependents: [looked.pod(cleaner)],
    evidence: { workloads: [working], warnings: [warning] },
  });
  const { cause, allowance, facts } = holdOf(made, 'flow');
  assert.deepEqual(
    [cause, allowance, facts['failed'], facts['warning']],
    ['controller-alive', 'only-named', 'pod/flow-gc', 'ArtifactGCFailed: no bucket'],
  );
  assert.equal(why(made)['flow'], 'stays, held');
});

for (const at of [ago('2h'), undefined]) {
  test(`a warning from ${at === undefined ? 'no known time' : 'before the deletion'} has nothing to do with its end`, () => {
    const { uid } = widget('w').object.ref;
    const warning = {
      about: uid,
      reason: 'Failed',
      message: 'old',
      from: 'x',
      ...(at === undefined ? {} : { at }),
    };
    assert.equal(
      holdOf(plan([widget('w')], { evidence: { warnings: [warning] } }), 'w').facts['warning'],
      undefined,
    );
  });
}

test('U28: an Application says how many objects it manages, and freeing it is dangerous', () => {
  const finalizer = 'resources-finalizer.argocd.argoproj.io';
  const app = looked.object(anObject(kinds.application, 'shop', { ...stuck, finalizers: [finalizer] }));
  const seen = { evidence: { applications: [{ uid: app.object.ref.uid, managed: 12 }] }, named: [app] };
  assert.equal(holdOf(plan([app], seen), 'shop').facts['managed'], 12);
  assert.deepEqual(plan([app], seen).actions, [], 'it is never proven');
  assert.deepEqual(plan([app], seen, { finalizers: [finalizer] }).dangers, ['outside-left']);
});

test('Jobs that run below a ScaledJob are counted, and make its freeing dangerous', () => {
  const scaled = queue('q');
  const jobs = ['a', 'b'].map(name => looked.job(aJob(name, running(), { owners: ownedBy(scaled.object) })));
  const made = plan([scaled], { dependents: jobs, named: [scaled] });
  assert.equal(holdOf(made, 'q').facts['runningJobs'], 2);
  assert.deepEqual(made.dangers, ['running-work']);
});

test('U02: a finalizer whose number falls by itself is left alone, but for its very name', () => {
  const pods = [1, 2].map(at => tracked(`p${at}`, undefined));
  const [first] = pods;
  assert.ok(first);
  const draining = [{ key: drainKey(first.object.ref, tracking), before: 1000, after: 960, ms: 10_000 }];
  const made = plan(pods, { draining }, { yes: true });
  const { cause, allowance, facts } = holdOf(made, 'p1');
  assert.deepEqual(
    [cause, allowance, facts, made.actions],
    ['draining', 'only-named', { before: 1000, after: 960, ms: 10_000 }, []],
  );
  assert.equal(plan(pods, { draining }, { finalizers: [tracking] }).actions.length, 2);
});

test('what may never be removed is not made removable by a number that falls', () => {
  const pod = tracked('p', job);
  const draining = [{ key: drainKey(pod.object.ref, tracking), before: 20, after: 10, ms: 10_000 }];
  const made = plan(
    [pod],
    { draining, evidence: { jobs: new Map([[job.ref.uid, looked.job(job)]]) } },
    { finalizers: [tracking] },
  );
  assert.deepEqual([holdOf(made, 'p').allowance, made.actions], ['never', []]);
});

// --- what is asked for, and what that allows -------------------------------------------------------------------------------

/** One object for each allowance, all held by a finalizer of this name, so that naming it names them all. */
const name = 'longhorn.io';
const allowances: Record<
  Allowance,
  { readonly object: Looked; readonly seen: Seen; readonly finalizer: string }
> = {
  proven: { object: queue('x'), seen: {}, finalizer: keda },
  'if-named': { object: widget('x'), seen: {}, finalizer: cleanup },
  'only-named': { object: widget('x', { finalizers: [name] }), seen: {}, finalizer: name },
  never: {
    object: looked.job(stuckJob('x')),
    seen: { dependents: [looked.pod(aPod('p', stuckJob('x')))] },
    finalizer: 'foregroundDeletion',
  },
};

type Ask = (finalizer: string) => {
  readonly options?: Partial<UnstickOptions>;
  readonly isNamed?: boolean;
  readonly isChosen?: boolean;
};
const asks: Record<string, Ask> = {
  'nothing, in a scan': () => ({}),
  'its name in words': () => ({ isNamed: true }),
  '-y, in a scan': () => ({ options: { yes: true } }),
  'a digest, in a scan': () => ({ options: { confirm: '12345678' } }),
  '-y and its name in words': () => ({ options: { yes: true }, isNamed: true }),
  '--finalizer with this name': finalizer => ({ options: { finalizers: [finalizer] } }),
  '--finalizer with this name and -y': finalizer => ({ options: { finalizers: [finalizer], yes: true } }),
  '--finalizer with another name': () => ({ options: { finalizers: ['example.com/other'] } }),
  '--finalizer with another name and -y': () => ({
    options: { finalizers: ['example.com/other'], yes: true },
  }),
  '--finalizer with another name, of a named object': () => ({
    options: { finalizers: ['example.com/other'] },
    isNamed: true,
  }),
  '--all-finalizers': () => ({ options: { allFinalizers: true } }),
  '--all-finalizers of a named object': () => ({ options: { allFinalizers: true }, isNamed: true }),
  'a tick in the list': () => ({ isChosen: true }),
};

/** free, could-be-freed, or stays; what was named and stays is refused. */
const table: Record<keyof typeof asks, Record<Allowance, 'free' | 'could' | 'stays' | 'refused'>> = {
  'nothing, in a scan': { proven: 'could', 'if-named': 'could', 'only-named': 'stays', never: 'stays' },
  'its name in words': { proven: 'free', 'if-named': 'could', 'only-named': 'refused', never: 'refused' },
  '-y, in a scan': { proven: 'free', 'if-named': 'could', 'only-named': 'stays', never: 'stays' },
  'a digest, in a scan': { proven: 'free', 'if-named': 'could', 'only-named': 'stays', never: 'stays' },
  '-y and its name in words': {
    proven: 'free',
    'if-named': 'could',
    'only-named': 'refused',
    never: 'refused',
  },
  '--finalizer with this name': { proven: 'free', 'if-named': 'free', 'only-named': 'free', never: 'stays' },
  '--finalizer with this name and -y': {
    proven: 'free',
    'if-named': 'free',
    'only-named': 'free',
    never: 'stays',
  },
  '--finalizer with another name': {
    proven: 'stays',
    'if-named': 'stays',
    'only-named': 'stays',
    never: 'stays',
  },
  '--finalizer with another name and -y': {
    proven: 'stays',
    'if-named': 'stays',
    'only-named': 'stays',
    never: 'stays',
  },
  '--finalizer with another name, of a named object': {
    proven: 'refused',
    'if-named': 'refused',
    'only-named': 'refused',
    never: 'refused',
  },
  '--all-finalizers': { proven: 'free', 'if-named': 'free', 'only-named': 'stays', never: 'stays' },
  '--all-finalizers of a named object': {
    proven: 'free',
    'if-named': 'free',
    'only-named': 'refused',
    never: 'refused',
  },
  'a tick in the list': { proven: 'free', 'if-named': 'free', 'only-named': 'stays', never: 'stays' },
};

for (const [asking, expected] of Object.entries(table)) {
  for (const [allowance, verdict] of Object.entries(expected)) {
    test(`what is ${allowance}: ${asking} makes it "${verdict}"`, () => {
      const { object, seen, finalizer } = allowances[allowance as Allowance];
      const { options = {}, isNamed = false, isChosen = false } = asks[asking]?.(finalizer) ?? {};
      const chosen = isChosen ? new Set([object.object.ref.uid]) : undefined;
      const made = plan([object], { ...seen, ...(isNamed ? { named: [object] } : {}) }, options, chosen);
      assert.equal(holdOf(made, 'x').allowance, allowance);
      const found = findingOf(made, 'x').verdict;
      assert.equal(found === 'could-be-freed' ? 'could' : found, verdict);
      assert.deepEqual(
        made.actions.map(({ remove, keeps }) => [remove, keeps]),
        verdict === 'free' ? [[[finalizer], []]] : [],
      );
    });
  }
}

test('a tick frees what was ticked and nothing else', () => {
  const [one, two] = [queue('one'), queue('two')];
  const made = plan([one, two], {}, {}, new Set([one.object.ref.uid]));
  assert.deepEqual(why(made), { one: 'free, holds-end', two: 'could-be-freed, held' });
});

test('what was left out of the list is left alone, also where a flag would free it', () => {
  const [one, two] = [queue('one'), queue('two')];
  for (const options of [{ yes: true }, { allFinalizers: true }, { finalizers: [keda] }]) {
    const made = plan([one, two], {}, options, new Set([one.object.ref.uid]));
    assert.deepEqual(why(made), { one: 'free, holds-end', two: 'stays, not-chosen' });
  }
});

test('what hangs below a named object and is proven goes with it; what is a stranger is not in the command', () => {
  const named = stuckJob('j');
  const pod = tracked('p', named);
  const made = plan([looked.job(named), pod], {
    named: [looked.job(named)],
    evidence: { jobs: new Map([[named.ref.uid, looked.job(named)]]) },
  });
  assert.deepEqual(doing(made), [`0: p -${tracking} =`]);
});

// --- what is left alone ----------------------------------------------------------------------------------------------------

const everything = { yes: true, allFinalizers: true } as const;
const left: readonly [string, Looked, Seen, Partial<UnstickOptions>, string, Facts | undefined][] = [
  [
    'U23: a live object',
    looked.pod(aPod('x', undefined, { finalizers: [tracking], phase: 'Running' })),
    {},
    { finalizers: [tracking], yes: true },
    'not-terminating',
    undefined,
  ],
  [
    'an object with a keep mark',
    queue('x', { marks: ['jobctl-keep'] }),
    {},
    everything,
    'protected',
    { mark: 'jobctl-keep' },
  ],
  [
    'an object in kube-system, under -A',
    queue('x', { ref: { ...queue('x').object.ref, namespace: 'kube-system' } }),
    {},
    { ...everything, allNamespaces: true },
    'kube-namespace',
    { namespace: 'kube-system' },
  ],
  [
    'an object that has been stuck for less than two minutes',
    queue('x', { deletingSince: ago('119s') }),
    {},
    everything,
    'not-stuck-yet',
    { sinceMs: 119_000, afterMs: 120_000 },
  ],
  [
    'an object that is stuck for less than what --stuck-for says',
    queue('x'),
    {},
    { ...everything, stuckForMs: 7_200_000 },
    'not-stuck-yet',
    { sinceMs: 3_600_000, afterMs: 7_200_000 },
  ],
  [
    'a Pod within its grace period',
    tracked('x', undefined, { deletingSince: ago('3m'), deletionGraceSeconds: 300 }),
    {},
    { ...everything, stuckForMs: 0 },
    'in-grace',
    { leftMs: 120_000 },
  ],
  [
    'a Pod whose grace period has just ended',
    tracked('x', undefined, { deletingSince: ago('6m'), deletionGraceSeconds: 300 }),
    {},
    everything,
    'not-stuck-yet',
    { sinceMs: 60_000, afterMs: 120_000 },
  ],
  [
    'U25: an object that may not be patched',
    queue('x'),
    { mayPatch: new Map([[queue('x').object.ref.uid, 'no']]) },
    everything,
    'no-right-to-patch',
    { resource: 'scaledjobs.keda.sh', namespace: 'batch' },
  ],
  [
    'U25: a Pod that may not be patched',
    tracked('x', undefined),
    { mayPatch: new Map([[tracked('x', undefined).object.ref.uid, 'no']]) },
    everything,
    'no-right-to-patch',
    { resource: 'pods', namespace: 'batch' },
  ],
];
for (const [about, object, seen, options, code, facts] of left) {
  for (const isNamed of [false, true]) {
    // it was asked for, by a name or by what the scan is to do: that it is not done is no matter of course
    const isRefused = isNamed || code === 'no-right-to-patch';
    test(`${about}${isNamed ? ', by name,' : ''} is ${isRefused ? 'refused' : 'left alone'}: ${code}`, () => {
      const made = plan([object], isNamed ? { ...seen, named: [object] } : seen, options);
      const { verdict, why: reason } = findingOf(made, 'x');
      assert.deepEqual(
        [verdict, reason, made.actions],
        [isRefused ? 'refused' : 'stays', facts === undefined ? { code } : { code, facts }, []],
      );
    });
  }
}

test('of a live object no deletion is pending, so nothing is said of what would carry it out; its finalizer is somewhere', () => {
  const live = queue('x', { deletingSince: undefined as never, finalizers: ['example.com/x'] });
  for (const finalizers of [[], ['example.com/x']])
    assert.deepEqual(plan([live], { named: [live] }, { finalizers }).notes, []);
});

test('of a live object nothing is told that would hold it', () =>
  assert.deepEqual(holdsOf(plan([queue('x', { deletingSince: undefined as never })]), 'x'), []));

test('--include-protected takes back what a mark says, and a hook is freed without it', () => {
  const marked = queue('marked', { marks: ['jobctl-keep'] });
  const hook = queue('hook', { marks: ['argocd-hook'] });
  assert.deepEqual(doing(plan([marked, hook], {}, { yes: true })), [`0: hook -${keda} =`]);
  assert.equal(plan([marked, hook], {}, { yes: true, includeProtected: true }).actions.length, 2);
});

test('a review that failed forbids nothing: the server decides', () => {
  const mayPatch = new Map([[queue('x').object.ref.uid, 'unknown' as const]]);
  assert.equal(plan([queue('x')], { mayPatch }, { yes: true }).actions.length, 1);
});

// --- which names go, which stay, in which order ----------------------------------------------------------------------------

test('U03: only what is proven goes; an add-on’s finalizer stays and is reported', () => {
  const pod = tracked('p', job, { finalizers: [tracking, 'example.com/audit'] });
  const made = plan([pod], { evidence: { jobs: new Map([[job.ref.uid, 'absent']]) } }, { yes: true });
  assert.deepEqual(doing(made), [`0: p -${tracking} =example.com/audit`]);
  assert.deepEqual(
    holdsOf(made, 'p').map(({ finalizer }) => finalizer),
    [tracking, 'example.com/audit'],
  );
  assert.equal(made.actions[0]?.goes, false);
});

test('what stays keeps its place in the list', () => {
  const made = plan(
    [widget('w', { finalizers: ['a.example/1', keda, 'b.example/2', keda, 'a.example/3'] })],
    {},
    { finalizers: [keda] },
  );
  assert.deepEqual(doing(made), [`0: w -${keda},${keda} =a.example/1,b.example/2,a.example/3`]);
});

const chain = () => {
  const owner = stuckJob('j');
  const pod = tracked('p', owner);
  return { owner, pod, seen: { evidence: { jobs: new Map([[owner.ref.uid, looked.job(owner)]]) } } };
};

test('U01, U04: the Pod is freed, the Job follows by itself and is never stripped', () => {
  const { owner, pod, seen } = chain();
  for (const options of [{ yes: true }, everything, { finalizers: ['foregroundDeletion', tracking] }]) {
    const made = plan([looked.job(owner), pod], seen, options);
    assert.deepEqual(doing(made), [`0: p -${tracking} =`]);
    assert.deepEqual(why(made), { j: 'follows, waits-for-others', p: 'free, holds-end' });
    assert.deepEqual(follows(made), ['j']);
    assert.equal(findingOf(made, 'p').under, owner.ref.uid);
  }
});

test('U04: a Job whose Pod stays waits for it, whatever is asked for', () => {
  const { owner, pod, seen } = chain();
  const kept = looked.pod({ ...(pod.object as Pod), finalizers: [tracking, cleanup] });
  const made = plan([looked.job(owner), kept], seen, { finalizers: ['foregroundDeletion', tracking] });
  assert.deepEqual(doing(made), [`0: p -${tracking} =${cleanup}`]);
  assert.deepEqual(why(made), { j: 'stays, held', p: 'free, holds-end' });
  assert.deepEqual(follows(made), []);
});

test('a Job follows only when all of its Pods go', () => {
  const owner = stuckJob('j');
  const seen = { evidence: { jobs: new Map([[owner.ref.uid, looked.job(owner)]]) } };
  const [a, b] = [tracked('a', owner), tracked('b', owner)];
  assert.deepEqual(follows(plan([looked.job(owner), a, b], seen, everything)), ['j']);
  const alive = looked.pod(aPod('b', owner));
  assert.deepEqual(follows(plan([looked.job(owner), a], { ...seen, dependents: [alive] }, everything)), []);
});

test('what follows goes up more than one step', () => {
  const top = anObject(kinds.cronJob, 'c', { ...stuck, finalizers: ['foregroundDeletion'] });
  const middle = stuckJob('j', { owners: ownedBy(top) });
  const pod = tracked('p', middle);
  const seen = { evidence: { jobs: new Map([[middle.ref.uid, looked.job(middle)]]) } };
  const made = plan([looked.object(top), looked.job(middle), pod], seen, { yes: true });
  assert.deepEqual(why(made), {
    c: 'follows, waits-for-others',
    j: 'follows, waits-for-others',
    p: 'free, holds-end',
  });
});

test('a scan that only looks follows up nothing', () => {
  const { owner, pod, seen } = chain();
  const made = plan([looked.job(owner), pod], seen);
  assert.deepEqual(why(made), { j: 'stays, held', p: 'could-be-freed, held' });
  assert.deepEqual(follows(made), []);
});

test('U16: a claim whose only user is freed follows; one with a living user does not', () => {
  const pod = looked.pod(aPod('user', undefined, { ...stuck, finalizers: [tracking], claims: ['c'] }));
  const seen = (pods: readonly Looked[]) => ({ evidence: { pods: new Map([['batch', pods]]) } });
  assert.deepEqual(why(plan([claim, pod], seen([pod]), { yes: true })), {
    c: 'follows, waits-for-others',
    user: 'free, holds-end',
  });
  const other = looked.pod(aPod('other', undefined, { claims: ['c'] }));
  assert.equal(why(plan([claim, pod], seen([pod, other]), everything))['c'], 'stays, held');
});

test('U17: a volume is freed by exactly its finalizer’s name, and data may be lost then', () => {
  const finalizer = 'external-attacher/csi-example';
  const disk = volume(finalizer);
  const seen = { evidence: { attachments: [attachment] } };
  assert.deepEqual(plan([disk], seen, everything).actions, []);
  const made = plan([disk], seen, { finalizers: [finalizer] });
  assert.deepEqual([doing(made), made.dangers], [[`0: v -${finalizer} =`], ['data-lost']]);
});

test('U18: orphan is removed by its name alone, and lets dependents stay: that is its danger', () => {
  const owner = stuckJob('j', { finalizers: ['orphan'] });
  const seen = { dependents: [looked.pod(aPod('p', owner))] };
  assert.deepEqual(plan([looked.job(owner)], seen, everything).actions, []);
  const made = plan([looked.job(owner)], seen, { finalizers: ['orphan'] });
  assert.deepEqual([doing(made), made.dangers], [['0: j -orphan ='], ['orphans']]);
});

test('U14: the stuck objects of a namespace are freed, and it follows', () => {
  const widgets = ['a', 'b', 'c'].map(at =>
    widget(at, { ref: { ...widget(at).object.ref, namespace: 'legacy' } }),
  );
  const made = plan(
    [namespace, ...widgets],
    {
      named: [namespace],
      evidence: { namespaces: [namespaceState()] },
      inside: inside(
        namespace,
        { 'widgets.example.com': 3 },
        { stuck: widgets.map(({ object }) => object.ref.uid) },
      ),
    },
    { finalizers: [cleanup] },
  );
  assert.deepEqual(follows(made), ['legacy']);
  assert.equal(made.actions.length, 3);
  assert.ok(made.actions.every(({ where }) => where === 'metadata'));
});

test('U15: a namespace’s own metadata finalizer goes by a patch, and spec.finalizers is not touched', () => {
  const rancher = looked.object(
    anObject(kinds.namespace, 'legacy', { ...stuck, finalizers: ['controller.cattle.io/namespace-auth'] }),
  );
  const seen = {
    named: [rancher],
    evidence: { namespaces: [namespaceState([], [])] },
    inside: inside(rancher, {}),
  };
  const made = plan([rancher], seen, { finalizers: ['controller.cattle.io/namespace-auth'] });
  assert.deepEqual(doing(made), ['0: legacy -controller.cattle.io/namespace-auth =']);
  assert.equal(made.actions[0]?.goes, true);
});

test('U26: a namespace that waits for a kind that is no longer served stays, and nothing of it is written', () => {
  const message = 'Some resources are remaining: gadgets.gone.example has 2 resource instances';
  const seen = {
    named: [namespace],
    evidence: { namespaces: [namespaceState([['NamespaceContentRemaining', message]])] },
    inside: inside(namespace, {}),
  };
  const made = plan([namespace], seen, everything);
  assert.deepEqual([why(made), made.actions], [{ legacy: 'refused, held' }, []]);
});

test('--force-finalize empties spec.finalizers of a named namespace only, last of all, and counts what is abandoned', () => {
  const seen = {
    evidence: { namespaces: [namespaceState()] },
    inside: inside(namespace, { pods: 2, 'widgets.example.com': 1 }),
  };
  assert.deepEqual(plan([namespace], seen, { ...everything, forceFinalize: true }).actions, []);
  const inIt = widget('w', { ref: { ...widget('w').object.ref, namespace: 'legacy' } });
  const made = plan(
    [namespace, inIt],
    { ...seen, named: [namespace] },
    { forceFinalize: true, allFinalizers: true },
  );
  assert.deepEqual(doing(made), [`0: w -${cleanup} =`, '2: legacy spec -kubernetes =']);
  assert.deepEqual([made.contents, made.dangers], [3, ['outside-left', 'abandons-contents']]);
  assert.deepEqual(
    made.notes.filter(({ code }) => code === 'abandoned-contents').map(({ facts }) => facts),
    [{ namespace: 'legacy', resources: '2 pods, 1 widgets.example.com', whole: 'yes' }],
  );
});

test('a namespace that may not be finalized is refused', () => {
  const seen = {
    named: [namespace],
    evidence: { namespaces: [namespaceState()] },
    inside: inside(namespace, {}),
  };
  const made = plan([namespace], { ...seen, mayFinalize: 'no' }, { forceFinalize: true });
  assert.deepEqual([why(made), made.actions], [{ legacy: 'refused, no-right-to-finalize' }, []]);
  assert.equal(
    plan([namespace], { ...seen, mayFinalize: 'unknown' }, { forceFinalize: true }).actions.length,
    1,
  );
});

test('of several named objects the one that needs another word is told not to have been done', () => {
  const [proven, other] = [queue('q'), widget('w')];
  assert.deepEqual(why(plan([proven, other], { named: [proven, other] }, { yes: true })), {
    q: 'free, holds-end',
    w: 'refused, finalizer-not-named',
  });
});

test('a kind of the cluster that could not be listed is no doubt about what is in a namespace', () => {
  const kind = { group: '', kind: 'Node', resource: 'nodes', namespaced: false };
  const seen = { unreadable: [{ kind, problem: forbidden }] };
  assert.equal(holdOf(plan([looked.job(stuckJob('j'))], seen), 'j').cause, 'dependents-gone');
});

test('an object of the cluster may own something anywhere: only a scan of everything proves that it does not', () => {
  const owner = volume('foregroundDeletion');
  assert.equal(holdOf(plan([owner]), 'v').cause, 'dependents-gone');
  assert.equal(holdOf(plan([owner], { scanned: new Set(['batch']) }), 'v').cause, 'dependents-unknown');
  const seen = { unreadable: [unreadable('secrets', { namespace: 'batch' })] };
  assert.equal(holdOf(plan([owner], seen), 'v').cause, 'dependents-unknown');
});

test('a scan of another namespace proves nothing', () => {
  const seen = { scanned: new Set(['other']) };
  assert.equal(holdOf(plan([looked.job(stuckJob('j'))], seen), 'j').cause, 'dependents-unknown');
  assert.equal(
    holdOf(plan([looked.job(stuckJob('j'))], { scanned: new Set(['batch']) }), 'j').cause,
    'dependents-gone',
  );
});

test('custom resources are freed before their definition, and content before its namespace', () => {
  const crd = looked.object(
    anObject(kinds.definition, 'widgets.example.com', { ...stuck, finalizers: [cleanup] }),
  );
  const space = looked.object(anObject(kinds.namespace, 'batch', { ...stuck, finalizers: [cleanup] }));
  const made = plan([crd, space, widget('w')], { evidence: { namespaces: [] } }, { finalizers: [cleanup] });
  assert.deepEqual(made.actions.map(({ target, wave }) => `${wave} ${target.kind.kind}`).sort(), [
    '0 Widget',
    '1 CustomResourceDefinition',
    '1 Namespace',
  ]);
});

test('leaves go before their owners, one wave for each step', () => {
  const top = widget('top');
  const middle = widget('middle', { owners: ownedBy(top.object) });
  const leaf = widget('leaf', { owners: ownedBy(middle.object) });
  const alone = widget('alone');
  const made = plan([top, middle, leaf, alone], {}, { finalizers: [cleanup] });
  assert.deepEqual(Object.fromEntries(made.actions.map(({ target, wave }) => [target.name, wave])), {
    alone: 0,
    leaf: 0,
    middle: 1,
    top: 2,
  });
  assert.deepEqual(
    made.actions.map(({ wave }) => wave),
    [0, 0, 1, 2],
  );
});

test('an owner names the freed objects that have to go before it, and every removal its cause', () => {
  const top = widget('top');
  const leaf = widget('leaf', { owners: ownedBy(top.object) });
  const made = plan([top, leaf], {}, { finalizers: [cleanup] });
  assert.deepEqual(
    made.actions.map(({ target, after, causes }) => [target.name, after, causes]),
    [
      ['leaf', [], ['controller-not-found']],
      ['top', [leaf.object.ref.uid], ['controller-not-found']],
    ],
  );
});

test('objects that own each other in a circle are freed all the same', () => {
  const uid = (at: string) => widget(at).object;
  const circle = [
    widget('a', { owners: ownedBy(uid('b')) }),
    widget('b', { owners: ownedBy(uid('c')) }),
    widget('c', { owners: ownedBy(uid('a')) }),
    widget('self', { owners: ownedBy(uid('self')) }),
  ];
  assert.equal(plan(circle, {}, { finalizers: [cleanup] }).actions.length, 4);
});

test('objects that wait for each other in a circle do not follow', () => {
  const cell = (at: string, owner: string) =>
    widget(at, { finalizers: ['foregroundDeletion'], owners: ownedBy(widget(owner).object) });
  const made = plan([cell('a', 'b'), cell('b', 'a')], {}, everything);
  assert.deepEqual([follows(made), made.actions], [[], []]);
});

test('ten thousand stuck objects are planned within seconds', () => {
  const many = Array.from({ length: 10_000 }, (_unused, at) => widget(`w${at}`));
  const startedMs = performance.now();
  const made = plan(many, {}, { finalizers: [cleanup] });
  assert.equal(made.actions.length, 10_000);
  assert.ok(performance.now() - startedMs < 5000, `${Math.round(performance.now() - startedMs)} ms`);
});

test('a chain of two thousand owners does not exhaust the stack', () => {
  const list: Looked[] = [];
  for (let at = 0; at < 2000; at += 1) {
    const above = list[at - 1];
    list.push(widget(`w${at}`, above === undefined ? {} : { owners: ownedBy(above.object) }));
  }
  assert.equal(Math.max(...plan(list, {}, { finalizers: [cleanup] }).actions.map(({ wave }) => wave)), 1999);
});

// --- what else is said -----------------------------------------------------------------------------------------------------

test('U24: live objects that carry the named finalizer are reported, and no action is about them', () => {
  const liveWith = [{ resource: 'taskruns.tekton.dev', finalizer: 'chains.tekton.dev', count: 200 }];
  const made = plan([], { liveWith }, { finalizers: ['chains.tekton.dev'], yes: true });
  assert.deepEqual(made.actions, []);
  assert.deepEqual(
    made.notes.filter(({ code }) => code === 'live-with-finalizer').map(({ facts }) => facts),
    liveWith,
  );
});

test('U06: a controller that would carry out what is pending once it is installed again is warned of, once for its finalizer', () => {
  const held = { finalizers: ['controller.cattle.io/namespace-auth'] };
  const made = plan([widget('a', held), widget('b', held), queue('q')]);
  assert.deepEqual(
    made.notes.map(({ code, facts }) => [code, facts]),
    [['acts-on-return', { finalizer: held.finalizers[0], count: 2, known: 'rancher' }]],
  );
});

test('a name that was given and that nothing carries is said, likely a slip of the pen', () => {
  const made = plan([queue('q')], {}, { finalizers: ['finalizer.keda.sch', keda] });
  assert.deepEqual(
    made.notes.map(({ code, facts }) => [code, facts['finalizer']]),
    [['finalizer-nowhere', 'finalizer.keda.sch']],
  );
});

test('kinds and evidence that could not be read are listed, never skipped in silence', () => {
  const made = plan([], { unreadable: [unreadable('secrets')], unreadableEvidence: [unreadable('leases')] });
  assert.deepEqual(
    made.notes.map(({ code }) => code),
    ['unreadable', 'unreadable'],
  );
});

test('a webhook that cannot be called, what stops the collector, a version that fails and a silent group are said', () => {
  const silent = {
    configuration: 'validatingwebhookconfiguration/guard',
    name: 'guard.example',
    service: 'a/b',
    about: [],
  };
  const made = plan([], {
    evidence: {
      silentWebhooks: [silent],
      collectorBlockers: [{ object: 'apiservice/v1.dead.example', reason: 'FailedDiscoveryCheck' }],
    },
    otherVersions: [
      { definition: 'widgets.example.com', failed: 'v1', conversion: 'a/c', problem: forbidden },
    ],
    silentGroups: [{ group: 'dead.example', problem: forbidden }],
  });
  assert.deepEqual(
    made.notes.map(({ code }) => code),
    ['webhook-cannot-be-called', 'collector-blocked', 'other-version', 'silent-group'],
  );
});

test('more than a hundred objects at once are a danger of their own', () => {
  const many = (count: number) => Array.from({ length: count }, (_unused, at) => queue(`q${at}`));
  assert.deepEqual(plan(many(100), {}, { yes: true }).dangers, []);
  assert.deepEqual(plan(many(101), {}, { yes: true }).dangers, ['many-objects']);
});

// --- controllers that the table knows by their image ----------------------------------------------------------------------

test('a controller is only taken for gone where its finalizer is widely known and nothing is at stake', () => {
  for (const finalizers of [[keda], ['controller.cattle.io/namespace-auth'], ['longhorn.io'], [cleanup]]) {
    const { cause, loss, allowance } = holdOf(plan([widget('w', { finalizers })]), 'w');
    assert.equal(cause === 'controller-gone', finalizers[0] === keda);
    assert.equal(allowance === 'proven', finalizers[0] === keda);
    assert.equal(loss === 'nothing', finalizers[0] === keda);
  }
});

const byImage: readonly [string, string, readonly string[]][] = [
  ['Rancher', 'controller.cattle.io/namespace-auth', ['rancher']],
  [
    'a Crossplane provider',
    'finalizer.managedresource.crossplane.io',
    ['provider-aws-s3-1a2b3c', 'provider-aws-s3'],
  ],
];
for (const [tool, finalizer, texts] of byImage) {
  test(`${tool} that runs under its usual name is not taken for gone`, () => {
    const workload = { ...operator, label: `deployment.apps/${texts[0]}`, texts };
    const made = plan(
      [widget('w', { finalizers: [finalizer] })],
      { evidence: { workloads: [workload] } },
      { yes: true },
    );
    assert.notEqual(holdOf(made, 'w').allowance, 'proven');
    assert.deepEqual(made.actions, []);
  });
}

// --- properties: whatever is in the cluster and whatever is asked for ------------------------------------------------------

const names = [
  'foregroundDeletion',
  'orphan',
  tracking,
  keda,
  cleanup,
  'longhorn.io',
  'kubernetes.io/pvc-protection',
  'kubernetes.io/pv-protection',
  'external-attacher/csi-example',
  'customresourcecleanup.apiextensions.k8s.io',
  'controller.cattle.io/namespace-auth',
] as const;
const someKinds = [
  kinds.job,
  kinds.pod,
  kinds.widget,
  kinds.scaledJob,
  kinds.claim,
  kinds.volume,
  kinds.namespace,
  kinds.definition,
];

const things = fc.array(
  fc.record({
    kind: fc.constantFrom(...someKinds),
    finalizers: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 }),
    age: fc.constantFrom('never', '30s', '3m', '1h', '9d'),
    grace: fc.constantFrom(0, 30, 600),
    owner: fc.nat(20),
    isOwned: fc.boolean(),
    blocking: fc.boolean(),
    mark: fc.constantFrom<ObjectMeta['marks']>([], [], [], ['jobctl-keep'], ['helm-hook']),
    place: fc.constantFrom('batch', 'kube-system'),
    isNamed: fc.boolean(),
    isChosen: fc.boolean(),
    isDependent: fc.boolean(),
    job: fc.constantFrom('absent', 'there', 'unknown'),
    writer: fc.constantFrom('none', 'keda-operator', 'kubectl-edit'),
  }),
  { maxLength: 12 },
);
const rooms = fc.record({
  hasLeases: fc.boolean(),
  hasWorkloads: fc.boolean(),
  lease: fc.constantFrom<readonly Lease[]>([], [freshLease], [staleLease]),
  ready: fc.constantFrom(-1, 0, 1),
  unreadable: fc.boolean(),
  silent: fc.boolean(),
  scanned: fc.boolean(),
  drains: fc.boolean(),
  mayPatch: fc.constantFrom('yes', 'no', 'unknown'),
});
const wishes = fc.record({
  finalizers: fc.uniqueArray(fc.constantFrom(...names, 'example.com/nowhere'), { maxLength: 3 }),
  allFinalizers: fc.boolean(),
  yes: fc.boolean(),
  forceFinalize: fc.boolean(),
  includeProtected: fc.boolean(),
  allNamespaces: fc.boolean(),
});

type Thing = typeof things extends fc.Arbitrary<readonly (infer T)[]> ? T : never;
type Room = typeof rooms extends fc.Arbitrary<infer T> ? T : never;

function toLooked(thing: Thing, at: number, all: readonly Thing[]): Looked {
  const { kind, finalizers, age, grace, place } = thing;
  const above = all[thing.owner % all.length];
  const owner = above === undefined ? undefined : bare(above, thing.owner % all.length);
  const writers = [{ manager: thing.writer, at: ago('1m'), finalizers }];
  const meta = {
    ...bare(thing, at),
    finalizers,
    marks: thing.mark,
    ...(age === 'never' ? {} : { deletingSince: ago(age), deletionGraceSeconds: grace, writers }),
    owners: thing.isOwned && owner !== undefined ? ownedBy(owner, { blocking: thing.blocking }) : [],
  };
  const namespace = kind.namespaced ? place : 'batch';
  if (kind === kinds.job) return looked.job({ ...aJob(`o${at}`, running(), { namespace }), ...meta });
  if (kind === kinds.pod)
    return looked.pod({ ...aPod(`o${at}`, undefined, { claims: ['o0', 'o1'] }), ...meta });
  return looked.object(meta);
}

const bare = ({ kind, place }: Thing, at: number): ObjectMeta =>
  anObject(kind, `o${at}`, { namespace: place });

function toSnapshot(list: readonly Thing[], room: Room): UnstickSnapshot {
  const all = list.map(toLooked);
  const isObject = (_one: Looked, at: number) => list[at]?.isDependent === false;
  const objects = all.filter(isObject);
  const evidence = {
    jobs: new Map(
      all.flatMap((one, at): [string, Looked | 'absent'][] => {
        const state = list[at]?.job;
        return one.as !== 'job' || state === 'unknown'
          ? []
          : [[one.object.ref.uid, state === 'absent' ? 'absent' : one]];
      }),
    ),
    pods: new Map([['batch', all.filter(({ as }) => as === 'pod')]]),
    namespaces: all
      .filter(({ object }) => object.ref.kind === kinds.namespace)
      .map(({ object: { ref } }) => ({
        name: ref.name,
        uid: ref.uid,
        finalizers: ['kubernetes'],
        conditions: [],
      })),
    workloads: room.ready < 0 ? [] : [{ ...operator, ready: room.ready }],
    leases: room.lease,
  };
  const made = unstickSnapshot(objects, {
    dependents: all.filter((one, at) => !isObject(one, at)),
    evidence,
    named: objects.filter(one => list[all.indexOf(one)]?.isNamed === true),
    unreadable: room.unreadable ? [unreadable('secrets')] : [],
    silentGroups: room.silent ? [{ group: 'dead.example', problem: forbidden }] : [],
    scanned: room.scanned ? 'everywhere' : new Set<string>(),
    draining: room.drains
      ? [{ key: `keda.sh/ScaledJob batch ${keda}`, before: 20, after: 10, ms: 2000 }]
      : [],
    mayPatch: new Map(
      objects
        .filter(({ object: { ref } }) => ref.kind === kinds.pod)
        .map(({ object: { ref } }) => [ref.uid, room.mayPatch as 'yes' | 'no' | 'unknown']),
    ),
    inside: new Map(
      objects
        .filter(({ object: { ref } }) => ref.kind === kinds.namespace || ref.kind === kinds.definition)
        .map(({ object: { ref } }) => [
          ref.uid,
          { counts: [{ resource: 'pods', count: 2 }], stuck: [], whole: true },
        ]),
    ),
  });
  const { leases: theirs, workloads: run, ...rest } = made.evidence;
  return {
    ...made,
    isScan: made.named.size === 0,
    evidence: {
      ...rest,
      ...(room.hasLeases && theirs !== undefined ? { leases: theirs } : {}),
      ...(room.hasWorkloads && run !== undefined ? { workloads: run } : {}),
    },
  };
}

/** What to plan, and a sentence to judge the plan by. */
function always(
  judge: (
    made: UnstickPlan,
    snapshot: UnstickSnapshot,
    options: UnstickOptions,
    chosen: ReadonlySet<string>,
  ) => void,
): void {
  fc.assert(
    fc.property(things, rooms, wishes, (list, room, wish) => {
      const snapshot = toSnapshot(list, room);
      const options = unstickOptions(wish);
      const chosen = new Set(list.flatMap((thing, at) => (thing.isChosen ? [bare(thing, at).ref.uid] : [])));
      judge(planUnstick(snapshot, options, chosen), snapshot, options, chosen);
    }),
    { numRuns: 400 },
  );
}

const heldBy = ({ findings }: UnstickPlan, uid: string): readonly Hold[] => {
  const seen = findings.find(({ target }) => target.uid === uid)?.seen;
  return seen?.as === 'stuck' ? seen.holds : [];
};

test('whatever is in the cluster and whatever is asked for, there is a plan, with one verdict for each object', () =>
  always((made, snapshot) => {
    assert.deepEqual(
      made.findings.map(({ target }) => target.uid).sort(),
      snapshot.objects.map(({ object }) => object.ref.uid).sort(),
    );
  }));

test('in whatever order the server answers, the plan and its digest are the same', () => {
  fc.assert(
    fc.property(things, rooms, wishes, fc.infiniteStream(fc.integer()), (list, room, wish, order) => {
      const snapshot = toSnapshot(list, room);
      const shuffled = <T>(items: readonly T[]): T[] =>
        items
          .map(item => ({ item, key: Number(order.next().value) }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const other = {
        ...snapshot,
        objects: shuffled(snapshot.objects),
        dependents: shuffled(snapshot.dependents),
      };
      const options = unstickOptions(wish);
      assert.deepEqual(planUnstick(other, options), planUnstick(snapshot, options));
    }),
    { numRuns: 400 },
  );
});

test('no action removes what may never be removed, or what only its name allows without its name', () =>
  always((made, _snapshot, options) => {
    for (const { target, remove, where } of made.actions) {
      for (const hold of heldBy(made, target.uid)) {
        if (where === 'spec' || hold.where === 'spec' || !remove.includes(hold.finalizer)) continue;
        assert.notEqual(hold.allowance, 'never', hold.finalizer);
        if (hold.allowance === 'only-named')
          assert.ok(options.finalizers.includes(hold.finalizer), hold.finalizer);
      }
    }
  }));

test('what cannot be read proves nothing: without Leases or workloads no controller is gone', () =>
  always((made, { evidence }) => {
    if (evidence.leases !== undefined && evidence.workloads !== undefined) return;
    const holds = made.findings.flatMap(({ target }) => heldBy(made, target.uid));
    assert.ok(holds.every(({ cause }) => cause !== 'controller-gone' && cause !== 'controller-not-found'));
  }));

test('spec.finalizers are emptied only of namespaces that were named, and only with the flag', () =>
  always((made, { named }, { forceFinalize }) => {
    for (const { target, where } of made.actions)
      if (where === 'spec')
        assert.ok(forceFinalize && named.has(target.uid) && target.kind === kinds.namespace);
  }));

test('what is live, within its grace period, protected or not to be patched is in no action', () =>
  always((made, snapshot, options) => {
    const byUid = new Map(snapshot.objects.map(({ object }) => [object.ref.uid, object]));
    for (const { target } of made.actions) {
      const object = byUid.get(target.uid) ?? assert.fail('not one of the objects');
      assert.ok(object.deletingSince !== undefined);
      const end = object.deletingSince.getTime() + (object.deletionGraceSeconds ?? 0) * 1000;
      assert.ok(snapshot.takenAt.getTime() - end >= options.stuckForMs);
      assert.ok(options.includeProtected || !object.marks.includes('jobctl-keep'));
      assert.notEqual(snapshot.mayPatch.get(target.uid), 'no');
    }
  }));

test('nothing is both acted on and left to follow, and only what is freed is acted on', () =>
  always(made => {
    const acting = new Set(made.actions.map(({ target }) => target.uid));
    const free = made.findings.filter(({ verdict }) => verdict === 'free').map(({ target }) => target.uid);
    assert.deepEqual([...acting].sort(), [...free].sort());
    assert.ok(made.aftermath.follows.every(({ target }) => !acting.has(target.uid)));
    assert.ok(made.actions.length > 0 || made.aftermath.follows.length === 0);
  }));

test('a digest is of what is done and at what stake: another cause is another plan', () => {
  const at = (evidence: Partial<UnstickSnapshot['evidence']>) =>
    plan([queue('q')], { evidence }, { finalizers: [keda] }).digest;
  assert.equal(at({}), at({ leases: [staleLease] }));
  assert.notEqual(at({}), at({ leases: [freshLease] }));
});

test('what is removed and what is kept are the object’s own list, in its order', () =>
  always((made, snapshot) => {
    for (const { target, remove, keeps, where } of made.actions) {
      if (where === 'spec') continue;
      const list =
        snapshot.objects.find(({ object }) => object.ref.uid === target.uid)?.object.finalizers ?? [];
      assert.ok(remove.length > 0);
      assert.deepEqual(
        list.filter(one => remove.includes(one)),
        remove,
      );
      assert.deepEqual(
        list.filter(one => !remove.includes(one)),
        keeps,
      );
    }
  }));

test('an object is said to go only when no name is kept that nothing ends', () =>
  always((made, _snapshot) => {
    for (const { target, keeps, goes, where } of made.actions) {
      if (where === 'spec' || !goes) continue;
      for (const hold of heldBy(made, target.uid))
        if (keeps.includes(hold.finalizer)) assert.ok(hold.waitsFor.length > 0, hold.finalizer);
    }
  }));

test('leaves are never in a later wave than their owners, where owners form no circle', () =>
  always(made => {
    const waves = new Map(made.actions.map(({ target, wave }) => [target.uid, wave]));
    const under = new Map(made.findings.map(finding => [finding.target.uid, finding.under]));
    const isInCircle = (uid: string): boolean => {
      const passed = new Set<string>();
      for (let at: string | undefined = uid; at !== undefined; at = under.get(at)) {
        if (passed.has(at)) return true;
        passed.add(at);
      }
      return false;
    };
    for (const [uid, wave] of waves) {
      const above = waves.get(under.get(uid) ?? '');
      const isPlain = made.actions.every(
        ({ target: { kind } }) => kind !== kinds.namespace && kind !== kinds.definition,
      );
      if (above !== undefined && isPlain && !isInCircle(uid)) assert.ok(above > wave);
    }
  }));
