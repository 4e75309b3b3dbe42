// Metadata and Pods as the server sends them → small records.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateOf, toObjectMeta } from '../../../src/cluster/adapt-meta.ts';
import { toPod } from '../../../src/cluster/adapt-pod.ts';
import type { Kind } from '../../../src/model/kind.ts';

const pod: Kind = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  resource: 'pods',
  singular: 'pod',
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: [],
};
const metadata = {
  name: 'x',
  namespace: 'n',
  uid: 'u',
  resourceVersion: '7',
  creationTimestamp: '2026-03-01T12:00:00Z',
};

test('an object that says little becomes a record with what it says', () => {
  assert.deepEqual(toObjectMeta(pod, { metadata }), {
    ref: { kind: pod, namespace: 'n', name: 'x', uid: 'u', resourceVersion: '7' },
    createdAt: new Date('2026-03-01T12:00:00Z'),
    finalizers: [],
    owners: [],
    marks: [],
    managers: [],
  });
});

test('a cluster-scoped kind has no namespace, whatever the object says', () => {
  assert.equal('namespace' in toObjectMeta({ ...pod, namespaced: false }, { metadata }).ref, false);
});

test('deletionTimestamp is the end of the grace period: the delete was that much before', () => {
  const deletionTimestamp = '2026-03-01T12:05:00Z';
  const since = (more: object) =>
    toObjectMeta(pod, { metadata: { ...metadata, deletionTimestamp, ...more } }).deletingSince;
  assert.deepEqual(since({ deletionGracePeriodSeconds: 300 }), new Date('2026-03-01T12:00:00Z'));
  assert.deepEqual(since({}), new Date(deletionTimestamp));
});

test('owner references: group and version taken apart, everything missing as nothing', () => {
  const ownerReferences = [
    { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'a', controller: true, blockOwnerDeletion: true },
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'm', uid: 'b' },
    null,
  ];
  const [job, map, none] = toObjectMeta(pod, { metadata: { ...metadata, ownerReferences } }).owners;
  assert.deepEqual(job, {
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    name: 'j',
    uid: 'a',
    controller: true,
    blocking: true,
  });
  assert.deepEqual([map?.group, map?.version, map?.controller, map?.blocking], ['', 'v1', false, false]);
  assert.deepEqual([none?.kind, none?.uid], ['', '']);
});

test('what is no date is none', () => {
  assert.deepEqual(
    [dateOf('soon'), dateOf(''), dateOf(null), dateOf(7)],
    [undefined, undefined, undefined, undefined],
  );
  assert.deepEqual(dateOf('2026-03-01T12:00:00.123456Z'), new Date('2026-03-01T12:00:00.123Z'));
});

test('a Pod: phase, node, grace, and the preStop hooks of containers that still run', () => {
  const hook = { lifecycle: { preStop: { exec: {} } } };
  const running = (name: string) => ({ name, state: { running: {} } });
  const made = toPod(pod, {
    metadata,
    spec: {
      nodeName: 'node-1',
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'a', ...hook }, { name: 'b', ...hook }, { name: 'c' }],
      initContainers: [{ name: 'sidecar', ...hook }],
    },
    status: {
      phase: 'Running',
      containerStatuses: [running('a'), { name: 'b', state: { terminated: {} } }, running('c')],
      initContainerStatuses: [running('sidecar')],
    },
  });
  const { phase, node, graceSeconds, preStopHooks, runningContainers } = made;
  assert.deepEqual(
    [phase, node, graceSeconds, preStopHooks, runningContainers],
    ['Running', 'node-1', 0, 2, 3],
  );
});

test('a Pod that says nothing has the standard grace period and an unknown phase', () => {
  const { phase, graceSeconds, runningContainers, preStopHooks, ...rest } = toPod(pod, { metadata });
  assert.deepEqual([phase, graceSeconds, runningContainers, preStopHooks], ['Unknown', 30, 0, 0]);
  assert.equal('node' in rest, false);
});
