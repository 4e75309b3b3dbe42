// `status` can never disagree with the verbs that it sends people to: what it counts is what they would take, and each command that it
// shows takes something.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { given } from '../../../src/model/given.ts';
import type { Job } from '../../../src/model/job.ts';
import type { JobPod } from '../../../src/model/job-pod.ts';
import { isSameKind } from '../../../src/model/kind.ts';
import type { LabelSelector } from '../../../src/model/label-selector.ts';
import { inEach } from '../../../src/model/living-job.ts';
import { controllerOf, type ObjectMeta, type OwnerReference } from '../../../src/model/object.ts';
import type { Options, PrunePodsOptions } from '../../../src/model/options.ts';
import type { Ref } from '../../../src/model/ref.ts';
import type { PrunePodsSnapshot } from '../../../src/model/snapshot.ts';
import type { NextCommand, StatusCode, StatusFinding } from '../../../src/model/status.ts';
import type { StatusSnapshot } from '../../../src/model/status-snapshot.ts';
import type { WorkingJob } from '../../../src/model/working-job.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import { planPruneJobs } from '../../../src/plan/prune-jobs.ts';
import { planPrunePods } from '../../../src/plan/prune-pods.ts';
import { pruneAlone } from '../../../src/plan/status/history.ts';
import { prunePodsWithRunning } from '../../../src/plan/status/leaks.ts';
import { readCommandLine } from '../../../src/program.ts';
import { stuckCell } from '../../../src/report/status-cells.ts';
import { statusLines } from '../../../src/report/status-lines.ts';
import { statusWords } from '../../../src/report/status-words.ts';
import {
  ago,
  anObject,
  complete,
  deleteSnapshot,
  failed,
  kinds,
  looked,
  ownedBy,
  pruneSnapshot,
  running,
} from '../nouns.ts';
import { aJobPod, aLeakedPod, planned, runningPod, statusSnapshot, without } from '../status-nouns.ts';
import { aScaledSource, aSource, aWorkingJob } from '../stop-nouns.ts';

const spaces = ['a', 'b', 'kube-system'] as const;
const owners = ['nightly', 'stopped', 'queue', 'gone', 'earlier', 'far', 'widget', 'none'] as const;
const pods = [
  'none',
  'finished',
  'running',
  'leaked',
  'leaked running',
  'leaked dying',
  'left',
  'left young',
  'chosen',
  'mirror',
] as const;
const marks = [undefined, undefined, undefined, 'jobctl-keep', 'jobctl-stopped', 'helm-hook'] as const;

const inSpace = <T extends ObjectMeta>(object: T, namespace: string): T => ({
  ...object,
  ref: { ...object.ref, namespace, uid: `${object.ref.uid} ${namespace}` },
});
const sourceIn = (name: string, namespace: string) =>
  inSpace(
    name === 'queue' ? aScaledSource(name) : aSource(name, name === 'stopped' ? { suspended: true } : {}),
    namespace,
  );

function ownersOf(owner: (typeof owners)[number], space: string): OwnerReference[] {
  switch (owner) {
    case 'none':
      return [];
    case 'widget':
      return ownedBy(inSpace(anObject(kinds.widget, 'w'), space), { controller: false });
    case 'far':
      return ownedBy(sourceIn('nightly', 'b'));
    case 'earlier':
      return ownedBy(sourceIn('nightly', space), { uid: `of another life in ${space}` });
    default:
      return ownedBy(sourceIn(owner, space));
  }
}

const states = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map(hours => complete(`${hours}h`)),
  fc.integer({ min: 1, max: 60 }).map(hours => failed(`${hours}h`)),
  fc.constantFrom<Job['state']>(
    running(),
    { is: 'ending' },
    { is: 'suspended' },
    { is: 'never-started' },
    { is: 'idle' },
  ),
);
const draws = fc.array(
  fc.record({
    state: states,
    space: fc.constantFrom(...spaces),
    owner: fc.oneof(
      { weight: 2, arbitrary: fc.constant('nightly' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...owners) },
    ),
    manual: fc.boolean(),
    mark: fc.constantFrom(...marks),
    dying: fc.boolean(),
    halfStopped: fc.constantFrom(false, false, false, true),
    parallelism: fc.constantFrom(1, 1, 1, 0),
    pod: fc.constantFrom(...pods),
    podMark: fc.constantFrom(...marks),
  }),
  { maxLength: 30 },
);

type Drawn = typeof draws extends fc.Arbitrary<readonly (infer D)[]> ? D : never;

const marked = (mark: Drawn['mark']) => ({ marks: mark === undefined ? [] : [mark] });
const gone = { deletingSince: ago('1h'), deletionGraceSeconds: 0, finalizers: ['example.com/x'] };
const chosenBy: LabelSelector = { matchLabels: { app: 'chosen' }, matchExpressions: [] };

function jobOf(drawn: Drawn, at: number): WorkingJob {
  const { state, space, owner, manual, mark, dying, halfStopped, parallelism, pod } = drawn;
  const { ref } = inSpace(aWorkingJob(`j-${at}`), space);
  const memory = { uid: ref.uid, at: ago('1h'), by: 'anna', changes: [] };
  return {
    ...aWorkingJob(`j-${at}`, {
      state,
      manual,
      owners: ownersOf(owner, space),
      limits: { parallelism },
      ...marked(mark),
      ...(halfStopped ? { remembered: { state: 'remembered', memory } } : {}),
      ...(dying ? gone : {}),
      ...(pod === 'chosen' ? { standardSelector: false, selector: chosenBy } : {}),
    }),
    ref,
  };
}

function podOf({ pod, space, podMark }: Drawn, at: number, job: WorkingJob): JobPod[] {
  if (pod === 'none') return [];
  const dead = inSpace(aWorkingJob(`dead-${at}`), space);
  const more = {
    ...marked(podMark),
    ...(pod.endsWith('running') ? runningPod : {}),
    ...(pod.endsWith('dying') ? { deletingSince: ago('1h'), deletionGraceSeconds: 30 } : {}),
    ...(pod.endsWith('young') ? { endedAt: ago('1m') } : {}),
    mirror: pod === 'mirror',
  };
  const isOfLiving = pod === 'finished' || pod === 'running';
  const made = isOfLiving
    ? aJobPod(`p-${at}`, job, more)
    : pod.startsWith('left')
      ? aJobPod(`p-${at}`, dead, more)
      : aLeakedPod(`p-${at}`, dead, more);
  const labels = pod === 'chosen' ? { ...made.labels, app: 'chosen' } : made.labels;
  return [inSpace({ ...made, labels }, space)];
}

const worlds = draws.map(drawn => {
  const jobs = drawn.map(jobOf);
  const seen = jobs.flatMap((job, at) => podOf(drawn[at] as Drawn, at, job));
  const sources = spaces.flatMap(space => ['nightly', 'stopped', 'queue'].map(name => sourceIn(name, space)));
  return statusSnapshot({ allNamespaces: true, sources, jobs, pods: seen });
});

test('the worlds that are drawn have each sort of finding in them, and each verb as the next command', () => {
  const found = fc
    .sample(worlds, { seed: 1, numRuns: 300 })
    .flatMap(world => planned(world).places.flatMap(({ findings }) => findings));
  // nothing is wrong with the CronJobs that are drawn
  const others = ['never-runs', 'stop-undone', 'stopped'];
  const expected = [...Object.keys(statusWords), 'stuck'].filter(code => !others.includes(code));
  assert.deepEqual([...new Set(found.map(({ code }) => code))].sort(), expected.sort());
  const verbs = found.flatMap(({ next }) => next.map(({ program, words }) => `${program} ${words[0]}`));
  assert.deepEqual([...new Set(verbs)].filter(verb => verb.includes('jobctl')).sort(), [
    'kubectl jobctl delete',
    'kubectl jobctl prune',
    'kubectl jobctl resume',
    'kubectl jobctl status',
    'kubectl jobctl stop',
    'kubectl jobctl unstick',
  ]);
});

const within = <T extends ObjectMeta>(objects: readonly T[], namespace: string): T[] =>
  objects.filter(({ ref }) => ref.namespace === namespace);

test('“too many” of a namespace is what prune jobs, asked about that namespace alone, would delete', () => {
  fc.assert(
    fc.property(worlds, world => {
      for (const { namespace, jobs, findings } of planned(world).places) {
        const { sources, pods } = world;
        const prune = pruneSnapshot(within(world.jobs, namespace), within(sources, namespace), {
          pods: within(pods, namespace),
        });
        const going = planPruneJobs(prune, pruneAlone).actions.map(({ target }) => target.uid);
        const told = findings.find(({ code }) => code === 'beyond-retention')?.targets ?? [];
        assert.equal(jobs?.tooMany, going.length);
        assert.deepEqual(told.map(({ uid }) => uid).sort(), going.sort());
      }
    }),
  );
});

test('what is asked of prune is what its command line without flags means', async () => {
  assert.deepEqual(pruneAlone, await optionsOf(['prune', 'jobs', '-n', 'batch']));
});

/** What is read for a `prune pods` of one namespace. */
function podsSnapshot({ jobs, pods: all, ...moment }: StatusSnapshot, namespace: string): PrunePodsSnapshot {
  const living = within(jobs, namespace).map(({ ref, selector }) => ({
    uid: ref.uid,
    name: ref.name,
    namespace,
    ...given({ selector }),
  }));
  return {
    ...moment,
    pods: within(all, namespace),
    jobs: inEach([namespace], living),
    rights: new Map(),
  };
}

const prunedPods = (world: StatusSnapshot, namespace: string, more: Partial<PrunePodsOptions>): string[] =>
  planPrunePods(podsSnapshot(world, namespace), { ...prunePodsWithRunning, ...more })
    .actions.map(({ target }) => target.uid)
    .sort();

test('“leaked” of a namespace is what prune pods, asked about that namespace alone, would delete; what it keeps is told as kept', () => {
  fc.assert(
    fc.property(worlds, world => {
      for (const { namespace, leaked, findings } of planned(world).places) {
        const all = prunedPods(world, namespace, {});
        const finished = prunedPods(world, namespace, { includeRunning: false });
        const kept = prunedPods(world, namespace, { includeProtected: true }).filter(
          uid => !all.includes(uid),
        );
        const told = (code: StatusCode) =>
          findings.filter(one => one.code === code).flatMap(({ targets }) => targets.map(({ uid }) => uid));
        assert.deepEqual(told('leaked-finished').sort(), finished);
        assert.deepEqual([...told('leaked-finished'), ...told('leaked-running')].sort(), all);
        assert.deepEqual(told('leaked-kept').sort(), kept);
        const counts = {
          finished: finished.length,
          running: all.length - finished.length,
          kept: kept.length,
        };
        assert.deepEqual(leaked, counts);
      }
    }),
  );
});

test('what is asked of prune pods is what its command line means', async () => {
  const options = await optionsOf(['prune', 'pods', '--include-running', '-n', 'batch']);
  assert.deepEqual(prunePodsWithRunning, options);
});

test('the same cluster gives the same picture, in whatever order the server answered', () => {
  fc.assert(
    fc.property(worlds, fc.infiniteStream(fc.integer()), (world, order) => {
      const shuffled: StatusSnapshot = {
        ...world,
        jobs: shuffle(world.jobs, order),
        pods: shuffle(world.pods, order),
        sources: shuffle(world.sources, order),
      };
      for (const form of ['text', 'wide', 'json'] as const)
        assert.deepEqual(statusLines(planned(shuffled), form), statusLines(planned(world), form));
    }),
    { numRuns: 50 },
  );
});

function shuffle<T>(items: readonly T[], order: Iterator<number>): T[] {
  const keyed = items.map(item => ({ item, key: Number(order.next().value) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

const lists = { job: 'jobs', cronJob: 'sources', scaledJob: 'sources', pod: 'pods' } as const;
type Unread = keyof typeof lists;

/** The same world, where some kinds could not be listed. */
function seenWithout(world: StatusSnapshot, unread: readonly Unread[]): StatusSnapshot {
  const isRead = ({ ref }: ObjectMeta) => !unread.some(word => isSameKind(kinds[word], ref.kind));
  return {
    ...world,
    ...without(...unread),
    jobs: world.jobs.filter(isRead),
    sources: world.sources.filter(isRead),
    pods: world.pods.filter(isRead),
  };
}

test('what could not be read makes nothing leaked, idle, gone, too many or superseded, and what may be stuck is not known', () => {
  fc.assert(
    fc.property(
      worlds,
      fc.subarray(Object.keys(lists) as Unread[], { minLength: 1, maxLength: 3 }),
      (world, unread) => {
        const [part, whole] = [planned(seenWithout(world, unread)), planned(world)];
        const toDo = (status: typeof whole) =>
          status.places.flatMap(({ findings }) =>
            findings.filter(({ needs }) => needs).flatMap(({ code, targets }) => targets.map(told(code))),
          );
        const all = new Set(toDo(whole));
        assert.deepEqual(
          toDo(part).filter(one => !all.has(one)),
          [],
          'with more read there is not less to be done',
        );
        for (const place of part.places) {
          assert.match(stuckCell(part, place), /\?$/);
          const codes = place.findings.map(({ code }) => code);
          if (unread.includes('pod')) assert.ok(!codes.includes('idle'));
          if (unread.includes('job') || unread.includes('pod')) {
            assert.equal(place.leaked, undefined);
            assert.ok(!codes.some(code => code.startsWith('leaked')), String(codes));
          }
          for (const finding of place.findings) assertKnown(finding, unread, world);
        }
      },
    ),
  );
});

const told =
  (code: StatusCode) =>
  ({ uid }: Ref): string =>
    `${code} ${uid}`;

function assertKnown(
  { code, targets, facts }: StatusFinding,
  unread: readonly Unread[],
  world: StatusSnapshot,
) {
  const makers = targets.map(({ uid }) =>
    controllerOf(world.jobs.find(({ ref }) => ref.uid === uid) ?? nothing),
  );
  const isUnread = (owner: OwnerReference | undefined) =>
    owner !== undefined && unread.some(word => isSameKind(kinds[word], owner));
  if (code === 'beyond-retention' || code === 'owner-gone')
    assert.ok(!makers.some(isUnread), `${code} under ${makers.map(owner => owner?.kind)}`);
  if (code !== 'failed-before') return;
  const [maker] = makers;
  assert.ok(maker !== undefined && ['CronJob', 'ScaledJob'].includes(maker.kind), maker?.kind);
  assert.ok(String(facts['owner']).endsWith(`/${maker.name}`), String(facts['owner']));
}

const nothing = anObject(kinds.job, 'nothing');

const known = new Map<string, Promise<Options>>();

/** Throws where the line cannot be typed. */
function optionsOf(words: readonly string[]): Promise<Options> {
  const line = words.join(' ');
  const options =
    known.get(line) ??
    readCommandLine(words, '0', 100).then(asked => {
      assert.ok(asked.do === 'run', line);
      return asked.command.options(asked.words, asked.texts);
    });
  known.set(line, options);
  return options;
}

/** Words for kubectl that do what a finding is about. */
const kubectlWords = ['describe', 'logs', 'edit', 'patch'];

test('every command that it shows can be typed, and does something about what it is shown for', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async world => {
      const { places } = planned(world);
      const shown = places.flatMap(({ findings }) =>
        findings.flatMap(finding => finding.next.map(command => ({ finding, command }))),
      );
      for (const { words } of places.flatMap(({ next }) => next)) await optionsOf(words);
      for (const { finding, command } of shown) await assertOfUse(command, finding, world);
    }),
    { numRuns: 60 },
  );
});

async function assertOfUse({ program, words }: NextCommand, finding: StatusFinding, world: StatusSnapshot) {
  if (program === 'kubectl') {
    assert.ok(kubectlWords.includes(words[0] ?? ''), words[0]);
    return;
  }
  const options = await optionsOf(words);
  const taken = takenBy(options, finding, world);
  assert.ok(taken.length > 0, `${words.join(' ')} does nothing about ${finding.code}`);
}

/** Uids of what a finding is about, or of what makes it, that this command would change. */
function takenBy(options: Options, finding: StatusFinding, world: StatusSnapshot): string[] {
  const about = new Set(finding.targets.map(({ uid }) => uid));
  const jobs = within(world.jobs, finding.namespace);
  const sources = within(world.sources, finding.namespace);
  const ofTargets = (uids: readonly string[]) => uids.filter(uid => about.has(uid));
  switch (options.verb) {
    case 'prune jobs': {
      const owner = jobs.flatMap(job => job.owners).find(one => one.name === options.owner?.name);
      const kind = Object.values(kinds).find(one => owner !== undefined && isSameKind(one, owner));
      const snapshot = pruneSnapshot(jobs, sources, {
        pods: within(world.pods, finding.namespace),
        ...given({ ownerKind: kind }),
      });
      return ofTargets(planPruneJobs(snapshot, options).actions.map(({ target }) => target.uid));
    }
    case 'prune pods':
      return ofTargets(prunedPods(world, finding.namespace, options));
    case 'delete': {
      const meant = jobs.filter(job => isNamedIn(options.words, job));
      const snapshot = deleteSnapshot(meant.map(looked.job), []);
      return ofTargets(planDelete(snapshot, options).actions.map(({ target }) => target.uid));
    }
    case 'stop':
    case 'resume': {
      if (options.words.by === 'nothing') return [...about];
      const isStopping = options.verb === 'stop';
      const meant = [...jobs, ...sources].filter(object => isNamedIn(options.words, object));
      return meant
        .filter(object => options.includeProtected || !object.marks.some(mark => mark !== 'jobctl-stopped'))
        .filter(object => !('schedule' in object) || object.suspended !== isStopping)
        .map(({ ref }) => ref.uid);
    }
    case 'status':
      return [...about];
    case 'unstick': {
      const all: ObjectMeta[] = [...jobs, ...sources, ...within(world.pods, finding.namespace)];
      return ofTargets(all.filter(object => object.deletingSince !== undefined).map(({ ref }) => ref.uid));
    }
  }
}

function isNamedIn(words: { readonly by: string }, { ref }: ObjectMeta): boolean {
  const named = words as { readonly targets?: readonly { readonly type: string; readonly name: string }[] };
  assert.equal(words.by, 'name');
  return named.targets?.some(({ type, name }) => type === ref.kind.singular && name === ref.name) ?? false;
}
