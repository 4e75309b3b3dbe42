import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterReader } from '../../../src/cluster/contract.ts';
import { GraceEnds } from '../../../src/execute/grace-end.ts';
import type { DeletePlan, Finding } from '../../../src/model/plan.ts';
import type { WorkingPod } from '../../../src/model/working-pod.ts';
import { ago, now } from '../nouns.ts';
import { aWorkingPod, exited, runs } from '../stop-nouns.ts';
import { smallCluster } from './small-cluster.ts';

const dying = (name: string, since: string, grace: number, more: Partial<WorkingPod> = {}): WorkingPod =>
  aWorkingPod(name, undefined, { deletingSince: ago(since), deletionGraceSeconds: grace, ...more });

function watch(pods: readonly WorkingPod[], ended = false, onRead = () => {}, clock = () => now) {
  const findings = pods.map(
    ({ ref }): Finding => ({
      target: ref,
      verdict: 'delete',
      why: { code: 'named' },
      seen: { as: 'pod', phase: 'Running', ended, graceSeconds: 30, preStopHooks: 0 },
    }),
  );
  const read: ClusterReader = {
    ...smallCluster([]).read,
    now: clock,
    listWorkingPods: ({ fieldSelector }) => {
      onRead();
      const value = pods.filter(({ ref }) => fieldSelector === `metadata.name=${ref.name}`);
      return Promise.resolve({ state: 'read', value });
    },
  };
  const ends = new GraceEnds({ findings } as unknown as DeletePlan, read);
  const objects = new Map(pods.map(pod => [pod.ref.uid, pod]));
  return { ends, present: { objects, unknown: new Set<string>() } };
}

async function toldOf(pod: WorkingPod, ended = false): Promise<unknown> {
  const { ends, present } = watch([pod], ended);
  await ends.look(present);
  return [...ends.goneNow([pod.ref])].map(event =>
    event.type === 'grace-used-up' ? [event.graceSeconds, ...event.containers] : event,
  );
}

const rows: readonly [string, WorkingPod, unknown][] = [
  ['within its grace period', dying('p', '10s', 30), []],
  ['at its very end, which may come within a second', dying('p', '30s', 30, { containers: [runs] }), []],
  ['that still ran past its end', dying('p', '31s', 30, { containers: [runs] }), [[30]]],
  [
    'past its end, its container killed',
    dying('p', '31s', 30, { containers: [exited(137)] }),
    [[30, 'main']],
  ],
  [
    'at its very end, its container killed',
    dying('p', '30s', 30, { containers: [exited(137)] }),
    [[30, 'main']],
  ],
  ['past its end, its container ended by itself', dying('p', '31s', 30, { containers: [exited(0)] }), []],
  [
    'past its end, killed for its memory',
    dying('p', '31s', 30, { containers: [{ ...exited(137), reason: 'OOMKilled' }] }),
    [],
  ],
  [
    'past its end, one of two killed',
    dying('p', '31s', 30, { containers: [exited(143, 'a'), exited(137, 'b')] }),
    [[30, 'b']],
  ],
  [
    'past its end, one of two still runs',
    dying('p', '31s', 30, { containers: [exited(143, 'a'), { ...runs, name: 'b' }] }),
    [[30]],
  ],
  ['long past its end, as on a node that does not answer', dying('p', '50s', 30, { containers: [runs] }), []],
  ['deleted by force: it had none', dying('p', '31s', 0, { containers: [runs] }), []],
  ['not being deleted', aWorkingPod('p', undefined), []],
];
for (const [what, pod, expected] of rows)
  test(`a Pod ${what}: ${JSON.stringify(expected)}`, async () =>
    assert.deepEqual(await toldOf(pod), expected));

test('one that had ended before the delete has no grace period to take', async () =>
  assert.deepEqual(await toldOf(dying('p', '31s', 30), true), []));

test('a Pod of which nothing is new is not read again: its node may not answer for ever', async () => {
  let reads = 0;
  const pod = dying('p', '31s', 30, { containers: [runs] });
  const { ends, present } = watch([pod], false, () => {
    reads += 1;
  });
  for (let looks = 0; looks < 5; looks += 1) await ends.look(present);
  assert.equal(reads, 1);
  const changed = { ...pod, ref: { ...pod.ref, resourceVersion: 'next' } };
  await ends.look({ ...present, objects: new Map([[pod.ref.uid, changed]]) });
  assert.equal(reads, 2);
});

test('fifty Pods on nodes that never answer are no reason to look closely for five minutes', async () => {
  let [looks, reads, nowMs] = [0, 0, now.getTime()];
  const pods = Array.from({ length: 50 }, (_, at) => dying(`p${at}`, '29s', 30, { containers: [runs] }));
  const { ends, present } = watch(
    pods,
    false,
    () => {
      reads += 1;
    },
    () => new Date(nowMs),
  );
  for (; nowMs < now.getTime() + 300_000; nowMs += ends.pauseMs(2000)) {
    await ends.look(present);
    looks += 1;
  }
  // ten seconds closely, the rest every two
  assert.ok(looks < 230 + 150, `${looks} looks`);
  assert.equal(reads, 20);
});

test('it is told once', async () => {
  const pod = dying('p', '31s', 30, { containers: [runs] });
  const { ends, present } = watch([pod]);
  await ends.look(present);
  assert.equal([...ends.goneNow([pod.ref])].length, 1);
  assert.equal([...ends.goneNow([pod.ref])].length, 0);
});

test('the next look comes when a grace period ends, closely from then on, and not sooner where none does', async () => {
  const pauseAt = async (since: string) => {
    const { ends, present } = watch([dying('p', since, 30)]);
    await ends.look(present);
    return ends.pauseMs(2000);
  };
  assert.equal(await pauseAt('10s'), 2000);
  assert.equal(await pauseAt('29s'), 1000);
  assert.equal(await pauseAt('31s'), 50);
  assert.equal(await pauseAt('41s'), 2000);
  assert.equal(watch([]).ends.pauseMs(2000), 2000);
});
