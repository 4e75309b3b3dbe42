// Over generated worlds, as a server would answer them, through the real adapters and reads: what goes is leaked by a rule that is written
// down here a second time, against the API objects themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Finding } from '../../../src/model/plan.ts';
import type { ReasonCode } from '../../../src/model/why.ts';
import { planPrunePods } from '../../../src/plan/prune-pods.ts';
import { selectPrunePods } from '../../../src/select/prune-pods.ts';
import { memoryReader } from '../../golden/memory-reader.ts';
import type { RawObject } from '../../golden/world.ts';
import { prunePodsOptions } from '../leak-nouns.ts';
import { ago, now } from '../nouns.ts';

const uids = ['1', '2', '3', '4'];
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const uid = fc.constantFrom(...uids);
const space = fc.constantFrom('batch', 'other', 'kube-x');

interface Meta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  }[];
}
type Raw = RawObject & { readonly metadata: Meta };

const clean = (texts: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );

/** A Job of one of four uids; a few choose Pods by a selector of their own. */
const job = fc
  .record({ uid, namespace: space, manual: fc.boolean(), chooses: fc.constantFrom('a', 'b') })
  .map(
    ({ uid, namespace, manual, chooses }): Raw => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: `job-${uid}`, namespace, uid: `job-${uid}` },
      spec: manual ? { manualSelector: true, selector: { matchLabels: { app: chooses } } } : {},
    }),
  );

const toOwner = (kind: string, uid: string) => ({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'v1',
  kind,
  name: `${kind.toLowerCase()}-${uid}`,
  uid: `${kind.toLowerCase()}-${uid}`,
  controller: true,
});
const owner = fc
  .record({ kind: fc.constantFrom('Job', 'Job', 'ConfigMap'), uid })
  .map(({ kind, uid }) => toOwner(kind, uid));

/** Both spellings mostly agree, and mostly all four labels are there: else hardly any Pod would be leaked. */
const labels = fc
  .record({
    uid: maybe(uid),
    other: uid,
    agrees: fc.integer({ min: 0, max: 5 }).map(at => at > 0),
    spellings: fc.constantFrom('both', 'both', 'both', 'short', 'long'),
    named: fc.integer({ min: 0, max: 5 }).map(at => at > 0),
    app: maybe(fc.constantFrom('a', 'b')),
  })
  .map(({ uid, other, agrees, spellings, named, app }) => {
    const value = uid === undefined ? undefined : `job-${uid}`;
    const second = agrees ? value : `job-${other}`;
    // a name and no uid too: what a person writes by hand
    const name = named ? (value ?? `job-${other}`) : undefined;
    return clean({
      'controller-uid': spellings === 'long' ? undefined : value,
      'batch.kubernetes.io/controller-uid': spellings === 'short' ? undefined : second,
      'job-name': spellings === 'long' ? undefined : name,
      'batch.kubernetes.io/job-name': spellings === 'short' ? undefined : name,
      app,
    });
  });

const pod = fc
  .record({
    namespace: space,
    labels,
    own: fc.constantFrom('no', 'no', 'the same', 'any'),
    owners: fc.array(owner, { maxLength: 2 }),
    made: fc.constantFrom('10m', '2d'),
    phase: fc.constantFrom('Succeeded', 'Failed', 'Running', 'Pending'),
    stillRuns: fc.integer({ min: 0, max: 5 }).map(at => at === 0),
    endedAgo: maybe(fc.constantFrom('30s', '20m', '3h')),
    mark: maybe(fc.constantFrom('jobctl/keep', 'kubernetes.io/config.mirror', 'helm.sh/hook')),
    terminating: fc.integer({ min: 0, max: 7 }).map(at => at === 0),
  })
  .map(({ namespace, labels, own, owners, made, phase, stillRuns, endedAgo, mark, terminating }) => {
    const named = labels['controller-uid'] ?? labels['batch.kubernetes.io/controller-uid'];
    const same = named === undefined ? [] : [toOwner('Job', named.slice('job-'.length))];
    const runs = phase === 'Running' || stillRuns;
    const finishedAt = endedAgo === undefined ? undefined : ago(endedAgo).toISOString();
    const state = runs ? { running: {} } : { terminated: { finishedAt } };
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace,
        labels,
        ownerReferences: own === 'no' ? [] : own === 'any' ? owners : same,
        creationTimestamp: ago(made).toISOString(),
        annotations: mark === undefined ? {} : { [mark]: 'x' },
        ...(terminating ? { deletionTimestamp: ago('1m').toISOString(), deletionGracePeriodSeconds: 0 } : {}),
      },
      status: { phase, containerStatuses: phase === 'Pending' ? [] : [{ name: 'main', state }] },
    };
  });

const world = fc
  .record({
    jobs: fc.uniqueArray(job, { selector: ({ metadata }) => metadata.uid, maxLength: 3 }),
    pods: fc.array(pod, { maxLength: 12 }),
  })

  .map(
    ({ jobs, pods }): World => ({
      jobs,
      pods: pods.map((pod, at) => ({
        ...pod,
        metadata: { ...pod.metadata, name: `pod-${at}`, uid: `pod-${at}` },
      })),
    }),
  );
const asked = fc.record({
  includeRunning: fc.boolean(),
  includeProtected: fc.boolean(),
  allNamespaces: fc.boolean(),
  olderThan: maybe(fc.constant(3_600_000)),
});

interface World {
  readonly jobs: readonly Raw[];
  readonly pods: readonly Raw[];
}

type Asked = ReturnType<typeof prunePodsOptions>;

/** Why this Pod must not go, whatever was asked for, said of the objects as the server holds them. */
function mustStay({ metadata }: Raw, { jobs }: World): string | undefined {
  const { labels = {}, annotations = {}, ownerReferences = [], namespace } = metadata;
  // a Job owns no Pod of another namespace
  const inPlace = jobs.filter(job => job.metadata.namespace === namespace);
  const living = new Set(inPlace.map(job => job.metadata.uid));
  const values = (key: string) => [labels[key], labels[`batch.kubernetes.io/${key}`]].filter(Boolean);
  const [uids, names] = [values('controller-uid'), values('job-name')];
  if ('kubernetes.io/config.mirror' in annotations) return 'a file on its node made it';
  if (uids.length === 0) return 'no label names the uid of a Job';
  if (names.length === 0) return 'no label names a Job';
  if (uids.some(uid => living.has(String(uid)))) return 'its Job lives';
  if (new Set(uids).size > 1 || new Set(names).size > 1) return 'its labels disagree';
  if (ownerReferences.some(({ uid }) => living.has(uid))) return 'its owner lives';
  if (ownerReferences.some(({ kind }) => kind !== 'Job')) return 'somebody else owns it';
  if (ownerReferences.some(({ uid, name }) => uid !== uids[0] || name !== names[0]))
    return 'another Job owns it';
  if (inPlace.some(job => selects(job, labels))) return 'a living Job chooses it';
  return undefined;
}

const selects = ({ spec }: Raw, labels: Readonly<Record<string, string>>): boolean => {
  const { manualSelector, selector } = spec as {
    manualSelector?: boolean;
    selector?: { matchLabels: { app: string } };
  };
  return manualSelector === true && selector?.matchLabels.app === labels['app'];
};

/** Of a Pod that may go: why it does not go as things were asked for. */
function staysAsAsked(pod: Raw, { jobs }: World, asked: Asked): string | undefined {
  const { metadata } = pod;
  const { labels = {}, annotations = {}, ownerReferences = [], namespace, creationTimestamp } = metadata;
  const { runs, endedAt } = courseOf(pod);
  // under -A a Job of another namespace with that uid is seen too, and unknown is not absent
  const uids = ['controller-uid', 'batch.kubernetes.io/controller-uid'].map(key => labels[key]);
  if (asked.allNamespaces && jobs.some(job => uids.includes(job.metadata.uid)))
    return 'a Job of that uid is seen';
  if (metadata.deletionTimestamp !== undefined) return 'it goes already';
  if (ownerReferences.length > 0 && !isOlder(endedAt, 600_000)) return 'the collector has had no time yet';
  if (!asked.includeProtected && ('jobctl/keep' in annotations || 'helm.sh/hook' in annotations))
    return 'marked';
  if (!asked.includeProtected && asked.allNamespaces && namespace.startsWith('kube-'))
    return 'kube-*, under -A';
  if (runs && !asked.includeRunning) return 'it runs';
  const since = runs ? creationTimestamp : endedAt;
  if (asked.olderThanMs !== undefined && !isOlder(since, asked.olderThanMs)) return 'too young';
  return undefined;
}

function courseOf({ status }: Raw): { runs: boolean; endedAt: string | undefined } {
  const { phase, containerStatuses: [container] = [] } = status as {
    phase: string;
    containerStatuses?: { state: { running?: object; terminated?: { finishedAt?: string } } }[];
  };
  const runs = phase === 'Running' || phase === 'Pending' || container?.state.running !== undefined;
  return { runs, endedAt: runs ? undefined : container?.state.terminated?.finishedAt };
}

const isOlder = (since: string | undefined, ms: number): boolean =>
  since !== undefined && now.getTime() - Date.parse(since) >= ms;

const seen = new Set<ReasonCode>();

async function findingsOf(world: World, options: Asked): Promise<readonly Finding[]> {
  const read = memoryReader([...world.jobs, ...world.pods], now);
  const plan = planPrunePods(await selectPrunePods(options, read), options);
  assert.deepEqual(
    plan.actions.map(({ target }) => target.uid),
    plan.findings.filter(({ verdict }) => verdict === 'delete').map(({ target }) => target.uid),
  );
  return plan.findings;
}

test('whatever the world: exactly the leaked Pods go that were asked for', async () => {
  let gone = 0;
  await fc.assert(
    fc.asyncProperty(world, asked, async (world, { olderThan, ...flags }) => {
      const options = prunePodsOptions({
        ...flags,
        ...(olderThan === undefined ? {} : { olderThanMs: olderThan }),
      });
      const findings = await findingsOf(world, options);
      const pods = new Map(world.pods.map(pod => [pod.metadata.uid, pod]));
      const looked = world.pods.filter(
        ({ metadata }) => flags.allNamespaces || metadata.namespace === 'batch',
      );
      assert.equal(findings.length, looked.length, 'every Pod that was read has a verdict');
      for (const { target, verdict, why } of findings) {
        seen.add(why.code);
        const pod = pods.get(target.uid);
        assert.ok(pod !== undefined);
        const stays = mustStay(pod, world) ?? staysAsAsked(pod, world, options);
        const told = JSON.stringify({ pod, verdict, why, stays });
        assert.equal(verdict === 'delete', stays === undefined, told);
        if (verdict === 'delete') gone += 1;
      }
    }),
    { numRuns: 3000, seed: 20261202 },
  );
  assert.ok(gone > 300, `the worlds hold leaked Pods: ${gone} went`);
});

test('the generated worlds come to every reason there is', () => {
  const every: readonly ReasonCode[] = [
    'leaked',
    'leaked-by-collector',
    'mirror-pod',
    'has-other-owner',
    'no-job-labels',
    'job-exists',
    'labels-incomplete',
    'labels-disagree',
    'selected-by-job',
    'collector-is-due',
    'leaked-running',
    'end-unknown',
    'younger-than',
    'made-later-than',
    'protected',
    'hook',
    'kube-namespace',
    'terminating',
  ];
  assert.deepEqual(
    every.filter(code => !seen.has(code)),
    [],
  );
});
