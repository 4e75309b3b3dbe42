// A stop that is killed at each point between two of its writes: nothing is lost, the next stop finishes, and a resume knows how all was at the start.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inParallel, type KubeObject } from '../cluster/admin.ts';
import { sharedControlPlane } from '../cluster/shared.ts';
import { podPath } from '../cluster/state/pods.ts';
import { countingProxy } from './counting-proxy.ts';
import { session } from './kubectl-jobctl.ts';
import type { Place } from './operator.ts';
import { aPlaceToResume, stateOf, whileWatching } from './resume-place.ts';
import {
  aCronJob,
  endOf,
  jobsOf,
  pathOf,
  phaseOf,
  podsOf,
  rememberedOn,
  startAll,
  uidsOf,
  type Work,
} from './stop-place.ts';

const plane = await sharedControlPlane();
const { admin } = plane;

/** After the first failure the Job controller waits 10 s, after the second 20 s, before it makes another Pod. */
const harmSeconds = 35;
const together = 3;

interface Room extends Place {
  readonly cronJob: KubeObject;
  readonly works: readonly Work[];
  readonly before: readonly Awaited<ReturnType<typeof stateOf>>[];
}

/** A CronJob with work of two kinds. Pods end one after the other, so that parallelism has to follow. */
async function aRoom(t: TestContext): Promise<Room> {
  const place = await aPlaceToResume(t, plane);
  const { namespace } = place;
  const cronJob = await aCronJob(admin, namespace, 'c', { failedJobsHistoryLimit: 5 });
  const works = await startAll(admin, [
    {
      name: 'counted',
      namespace,
      owner: cronJob,
      spec: { parallelism: 3, completions: 6, backoffLimit: 4, ttlSecondsAfterFinished: 600 },
      play: { failsFirst: 1, takesToEnd: [0, 1, 2] },
    },
    {
      name: 'indexed',
      namespace,
      owner: cronJob,
      spec: {
        completionMode: 'Indexed',
        parallelism: 2,
        completions: 2,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 1,
      },
      play: { takesToEnd: [0, 2] },
    },
  ]);
  const before = await Promise.all([cronJob, ...works.map(({ job }) => job)].map(one => stateOf(plane, one)));
  return { ...place, cronJob, works, before };
}

interface Killed extends Room {
  readonly nth: number;
  readonly writes: readonly string[];
  /** It came to its end before so many writes. */
  readonly endedByItself: boolean;
}

const words = (reason: string) => `stop cronjob/c --reason ${reason} --no-save --yes`;

async function killAfter(t: TestContext, nth: number): Promise<Killed> {
  const room = await aRoom(t);
  const proxy = await countingProxy(t, room.kubeconfig, { mostWrites: nth });
  const stopping = session(plane, proxy.kubeconfig).start(words('first'));
  const first = await Promise.race([stopping.ended, proxy.spent]);
  if (first === undefined) stopping.process.kill('SIGKILL');
  const ended = await stopping.ended;
  const endedByItself = first !== undefined;
  if (endedByItself) assert.equal(ended.code, 0, ended.stderr);
  return { ...room, nth, writes: proxy.writes(), endedByItself };
}

/** Several at a time, until one needs no more than its number of writes. */
async function killAtEach(t: TestContext): Promise<Killed[]> {
  const killed: Killed[] = [];
  for (let from = 1; !killed.some(({ endedByItself }) => endedByItself); from += together) {
    assert.ok(from < 60, 'a stop of two Jobs needs no such number of writes');
    const numbers = Array.from({ length: together }, (_, at) => from + at);
    killed.push(...(await inParallel(numbers, nth => killAfter(t, nth))));
  }
  return killed;
}

const originals = ({ works }: Room): string[] => works.flatMap(({ pods }) => uidsOf(pods)).sort();

async function assertNothingLost(room: Killed): Promise<void> {
  const there = new Set(uidsOf(await admin.list(podPath(room.namespace))));
  const lost = originals(room).filter(uid => !there.has(uid));
  assert.deepEqual(lost, [], `killed after write ${room.nth}, ${room.writes.at(-1)}: Pods are gone`);
}

/** As it was before the first stop, whatever the second has found. */
function assertRemembers(now: KubeObject, before: KubeObject, nth: number): void {
  const spec = before.spec ?? {};
  for (const [path, was] of Object.entries(rememberedOn(now))) {
    const field = path.replace('/spec/', '');
    assert.deepEqual(was, spec[field] ?? null, `killed after write ${nth}: ${now.kind} ${path}`);
  }
}

test('killed with SIGKILL between any two of its writes a stop has lost nothing, the second stop finishes with everything kept, and a resume gives back byte for byte', {
  timeout: 900_000,
}, async t => {
  const killed = await killAtEach(t);
  const last = killed.find(({ endedByItself }) => endedByItself);
  assert.ok(last && last.nth > 10, `only ${last?.nth} writes`);
  t.diagnostic(`a whole stop took ${last.writes.length} writes; killed after each of 1 to ${last.nth - 1}`);

  // all of them at once: whatever the controllers do to work that nobody watches over
  await whileWatching(harmSeconds, async () => {
    for (const room of killed) await assertNothingLost(room);
  });

  await inParallel(
    killed,
    async room => {
      const { run, nth, works, cronJob, namespace, before } = room;
      const where = `killed after write ${nth}, ${room.writes.at(-1)}`;
      const made = (await Promise.all(works.map(({ job }) => podsOf(admin, job)))).flatMap(uidsOf).sort();
      const second = await run(words('second'));
      assert.equal(second.code, 0, `${where}: ${second.stdout}${second.stderr}`);
      await assertNothingLost(room);

      const ended = await Promise.all(works.map(({ job }) => admin.get(pathOf(job))));
      for (const job of ended) assert.match(endOf(job) ?? '', /^Failed\//, `${where}: ${job.metadata.name}`);
      const pods = (await Promise.all(works.map(({ job }) => podsOf(admin, job)))).flat();
      // those that came up while nobody watched are kept too
      for (const uid of made) assert.ok(uidsOf(pods).includes(uid), `${where}: a Pod is gone`);
      for (const pod of pods) assert.equal(phaseOf(pod), 'Failed', where);
      assert.deepEqual(
        uidsOf(await jobsOf(admin, namespace, cronJob.metadata.uid)),
        uidsOf(works.map(({ job }) => job)),
      );
      assert.equal((await admin.get(pathOf(cronJob))).spec?.['suspend'], true, where);
      for (const one of [cronJob, ...works.map(({ job }) => job)])
        assertRemembers(await admin.get(pathOf(one)), one, nth);

      const resumed = await run('resume cronjob/c --release-evidence --yes');
      assert.equal(resumed.code, 0, `${where}: ${resumed.stderr}`);
      const after = await Promise.all(
        [cronJob, ...works.map(({ job }) => job)].map(one => stateOf(plane, one)),
      );
      assert.deepEqual(after, before, where);
    },
    together,
  );
});
