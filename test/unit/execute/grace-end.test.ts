import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterReader } from '../../../src/cluster/contract.ts';
import { GraceEnds } from '../../../src/execute/grace-end.ts';
import type { DeletePlan, Finding } from '../../../src/model/plan.ts';
import type { WorkingPod } from '../../../src/model/working-pod.ts';
import { ago } from '../nouns.ts';
import { aWorkingPod, exited, runs } from '../stop-nouns.ts';
import { smallCluster } from './small-cluster.ts';

const dying = (name: string, since: string, grace: number, more: Partial<WorkingPod> = {}): WorkingPod =>
  aWorkingPod(name, undefined, { deletingSince: ago(since), deletionGraceSeconds: grace, ...more });

function watch(pods: readonly WorkingPod[], ended = false) {
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
    listWorkingPods: ({ fieldSelector }) =>
      Promise.resolve({
        state: 'read',
        value: pods.filter(({ ref }) => fieldSelector === `metadata.name=${ref.name}`),
      }),
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
  ['at its very end', dying('p', '30s', 30), [[30]]],
  [
    'past its end, its container killed',
    dying('p', '31s', 30, { containers: [exited(137)] }),
    [[30, 'main']],
  ],
  ['past its end, its container ended by itself', dying('p', '31s', 30, { containers: [exited(0)] }), [[30]]],
  [
    'past its end, killed for its memory',
    dying('p', '31s', 30, { containers: [{ ...exited(137), reason: 'OOMKilled' }] }),
    [[30]],
  ],
  [
    'past its end, one of two killed',
    dying('p', '31s', 30, { containers: [exited(143, 'a'), exited(137, 'b')] }),
    [[30, 'b']],
  ],
  ['deleted by force: it had none', dying('p', '31s', 0), []],
  ['not being deleted', aWorkingPod('p', undefined), []],
];
for (const [what, pod, expected] of rows)
  test(`a Pod ${what}: ${JSON.stringify(expected)}`, async () =>
    assert.deepEqual(await toldOf(pod), expected));

test('one that had ended before the delete has no grace period to take', async () =>
  assert.deepEqual(await toldOf(dying('p', '31s', 30), true), []));

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
  assert.equal(await pauseAt('40s'), 200);
  assert.equal(watch([]).ends.pauseMs(2000), 2000);
});
