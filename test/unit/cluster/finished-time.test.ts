// The end of a Pod as the Job controller reckons it: each case of getFinishedTime, through the adapter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toWorkingPod } from '../../../src/cluster/adapt-work.ts';
import { kinds } from '../nouns.ts';

const at = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, '0')}:00Z`;
const ended = (name: string, minute?: number) => ({
  name,
  state: { terminated: minute === undefined ? {} : { finishedAt: at(minute) } },
});
const runs = (name: string) => ({ name, state: { running: { startedAt: at(1) } } });
const notReady = { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: at(30) }] };
const sidecar = { initContainers: [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'prepare' }] };
const dying = { deletionTimestamp: at(41), deletionGracePeriodSeconds: 60 };

const rows: readonly [what: string, expected: number, status: object, spec?: object, meta?: object][] = [
  ['its container has ended', 20, { containerStatuses: [ended('a', 20)] }],
  ['the last of two', 25, { containerStatuses: [ended('a', 25), ended('b', 20)] }],
  ['one of two still runs: by Ready', 30, { containerStatuses: [ended('a', 20), runs('b')], ...notReady }],
  ['an end without a time: by Ready', 30, { containerStatuses: [ended('a')], ...notReady }],
  [
    'a sidecar ends later',
    28,
    {
      containerStatuses: [ended('a', 20)],
      initContainerStatuses: [ended('proxy', 28), ended('prepare', 29)],
    },
    sidecar,
  ],
  [
    'a sidecar still runs: by Ready',
    30,
    { containerStatuses: [ended('a', 20)], initContainerStatuses: [runs('proxy')], ...notReady },
    sidecar,
  ],
  [
    'an ephemeral container does not count',
    20,
    { containerStatuses: [ended('a', 20)], ephemeralContainerStatuses: [runs('debug')] },
  ],
  ['evicted before any container was told of: by Ready', 30, notReady],
  ['being deleted, nothing else known: when that was asked for', 40, {}, {}, dying],
  ['nothing known', 0, {}],
];
for (const [what, expected, status, spec = {}, meta = {}] of rows)
  test(`the end of a Pod: ${what}`, () => {
    const metadata = { name: 'p', namespace: 'batch', uid: 'u', creationTimestamp: at(0), ...meta };
    const { finishedAt } = toWorkingPod(kinds.pod, { metadata, spec, status });
    assert.equal(finishedAt.toISOString(), new Date(at(expected)).toISOString());
  });
