// `status` can never disagree with the verbs that it sends people to: what it counts is what they would take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Job } from '../../../src/model/job.ts';
import type { JobPod } from '../../../src/model/job-pod.ts';
import { inEach } from '../../../src/model/living-job.ts';
import type { ObjectMeta } from '../../../src/model/object.ts';
import type { PruneJobsOptions } from '../../../src/model/options.ts';
import type { StatusSnapshot } from '../../../src/model/status-snapshot.ts';
import type { WorkingJob } from '../../../src/model/working-job.ts';
import { JobsThere, leakOf } from '../../../src/plan/leaked.ts';
import { planPruneJobs } from '../../../src/plan/prune-jobs.ts';
import { pruneAlone } from '../../../src/plan/status/history.ts';
import { planStatus } from '../../../src/plan/status.ts';
import { readCommandLine } from '../../../src/program.ts';
import { statusLines } from '../../../src/report/status-lines.ts';
import { ago, complete, failed, now, ownedBy, pruneSnapshot, running } from '../nouns.ts';
import { aJobPod, aLeakedPod, runningPod, statusSnapshot, without } from '../status-nouns.ts';
import { aSource, aWorkingJob } from '../stop-nouns.ts';

const spaces = ['a', 'b', 'kube-system'] as const;
const owners = ['nightly', 'stopped', 'gone', 'far', 'none'] as const;

const inSpace = <T extends ObjectMeta>(object: T, namespace: string): T => ({
  ...object,
  ref: { ...object.ref, namespace, uid: `${object.ref.uid} ${namespace}` },
});
const sourceIn = (name: string, namespace: string) =>
  inSpace(aSource(name, name === 'stopped' ? { suspended: true } : {}), namespace);

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
    owner: fc.constantFrom(...owners),
    manual: fc.boolean(),
    mark: fc.constantFrom<WorkingJob['marks'][number] | undefined>(
      undefined,
      undefined,
      'jobctl-keep',
      'helm-hook',
    ),
    dying: fc.boolean(),
    pod: fc.constantFrom('none', 'finished', 'running', 'kept', 'leaked', 'leaked running', 'leaked dying'),
  }),
  { maxLength: 30 },
);

const worlds = draws.map(drawn => {
  const jobs = drawn.map(({ state, space, owner, manual, mark, dying }, at) => {
    const near = sourceIn(owner === 'far' ? 'nightly' : owner, owner === 'far' ? 'b' : space);
    return inSpace(
      aWorkingJob(`j-${at}`, {
        state,
        manual,
        owners: owner === 'none' ? [] : ownedBy(near),
        marks: mark === undefined ? [] : [mark],
        ...(dying
          ? { deletingSince: ago('1h'), deletionGraceSeconds: 0, finalizers: ['example.com/x'] }
          : {}),
      }),
      space,
    );
  });
  const pods = drawn.flatMap(({ pod, space }, at): JobPod[] => {
    const job = jobs[at];
    if (pod === 'none' || job === undefined) return [];
    const dead = inSpace(aWorkingJob(`dead-${at}`), space);
    const run = pod.endsWith('running') ? runningPod : {};
    const end = pod.endsWith('dying') ? { deletingSince: ago('1h'), deletionGraceSeconds: 30 } : {};
    const made = pod.startsWith('leaked')
      ? aLeakedPod(`p-${at}`, dead, { ...run, ...end })
      : aJobPod(`p-${at}`, job, run);
    return [inSpace(pod === 'kept' ? { ...made, marks: ['jobctl-keep'] } : made, space)];
  });
  const sources = spaces.flatMap(space => ['nightly', 'stopped'].map(name => sourceIn(name, space)));
  return statusSnapshot({ allNamespaces: true, sources, jobs, pods });
});

const within = <T extends ObjectMeta>(objects: readonly T[], namespace: string): T[] =>
  objects.filter(({ ref }) => ref.namespace === namespace);

test('“too many” of a namespace is what prune jobs, asked about that namespace alone, would delete', () => {
  fc.assert(
    fc.property(worlds, world => {
      for (const { namespace, jobs, findings } of planStatus(world).places) {
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
  const asked = await readCommandLine(['prune', 'jobs', '-n', 'batch'], '0', 100);
  assert.ok(asked.do === 'run');
  assert.deepEqual(pruneAlone, asked.command.options(asked.words, asked.texts) as PruneJobsOptions);
});

test('the leaked Pods of a namespace are those that leakOf calls so, but for what is terminating', () => {
  fc.assert(
    fc.property(worlds, ({ jobs, pods, ...rest }) => {
      const living = jobs.map(({ ref }) => ({
        uid: ref.uid,
        name: ref.name,
        namespace: ref.namespace ?? '',
      }));
      const there = new JobsThere(inEach(spaces, living));
      for (const { namespace, leaked } of planStatus({ ...rest, jobs, pods }).places) {
        const all = within(pods, namespace).filter(pod => leakOf(pod, there, now).leaked);
        const staying = all.filter(({ deletingSince }) => deletingSince === undefined);
        assert.equal((leaked?.finished ?? 0) + (leaked?.running ?? 0), staying.length);
      }
    }),
  );
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
        assert.deepEqual(statusLines(planStatus(shuffled), form), statusLines(planStatus(world), form));
    }),
    { numRuns: 50 },
  );
});

function shuffle<T>(items: readonly T[], order: Iterator<number>): T[] {
  const keyed = items.map(item => ({ item, key: Number(order.next().value) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

test('what could not be read makes nothing leaked, gone or too many', () => {
  fc.assert(
    fc.property(
      worlds,
      fc.subarray([...(['job', 'cronJob', 'pod'] as const)], { minLength: 1 }),
      (world, unread) => {
        const seen = {
          ...world,
          ...without(...unread),
          ...(unread.includes('job') ? { jobs: [] } : {}),
          ...(unread.includes('cronJob') ? { sources: [] } : {}),
          ...(unread.includes('pod') ? { pods: [] } : {}),
        };
        const codes = planStatus(seen).places.flatMap(({ findings }) => findings.map(({ code }) => code));
        if (unread.includes('job') || unread.includes('pod'))
          assert.ok(!codes.some(code => code.startsWith('leaked')), String(codes));
        if (unread.includes('cronJob') || unread.includes('job')) {
          assert.ok(!codes.includes('beyond-retention'), String(codes));
          assert.ok(!codes.includes('owner-gone'), String(codes));
        }
      },
    ),
  );
});

test('every command that it shows can be typed', async () => {
  const lines = new Set<string>();
  fc.assert(
    fc.property(worlds, world => {
      for (const { next, findings } of planStatus(world).places)
        for (const { program, words } of [...next, ...findings.flatMap(finding => finding.next)])
          if (program === 'kubectl jobctl') lines.add(words.join(' '));
    }),
  );
  assert.ok(lines.size > 10);
  for (const line of lines) {
    const asked = await readCommandLine(line.split(' '), '0', 100);
    assert.ok(asked.do === 'run', line);
    assert.ok(asked.command.options(asked.words, asked.texts), line);
  }
});
