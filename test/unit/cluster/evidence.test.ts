// API objects → evidence. What is missing or of the wrong type is no reason to stop, and never a sign of life.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Fields } from '../../../src/cluster/adapt-meta.ts';
import { evidenceSources } from '../../../src/cluster/evidence.ts';
import { type EvidenceKinds, says } from '../../../src/model/evidence.ts';
import { now } from '../nouns.ts';

type What = keyof EvidenceKinds;
const records = (what: What, item: Fields): readonly unknown[] => evidenceSources[what].toRecords(item);
const moment = '2026-03-01T12:00:00Z';
const micro = '2026-03-01T12:00:00.000000Z';
const metadata = { name: 'n', namespace: 'ns', uid: 'u' };

const whole: readonly (readonly [string, What, Fields, readonly unknown[]])[] = [
  [
    'a Lease',
    'leases',
    { metadata, spec: { holderIdentity: 'a_1', renewTime: micro, leaseDurationSeconds: 60 } },
    [{ namespace: 'ns', name: 'n', holder: 'a_1', renewedAt: now, seconds: 60 }],
  ],
  [
    'a Lease that nobody holds',
    'leases',
    { metadata, spec: { holderIdentity: '', renewTime: null } },
    [{ namespace: 'ns', name: 'n', holder: '', seconds: 15 }],
  ],
  [
    'a Lease whose time cannot be read',
    'leases',
    { metadata, spec: { renewTime: 'yesterday', leaseDurationSeconds: '60' } },
    [{ namespace: 'ns', name: 'n', holder: '', seconds: 15 }],
  ],
  [
    'a warning',
    'warnings',
    {
      type: 'Warning',
      involvedObject: { uid: 'x' },
      reason: 'FailedKillPod',
      message: 'm',
      source: { component: 'kubelet' },
      lastTimestamp: moment,
    },
    [{ about: 'x', reason: 'FailedKillPod', message: 'm', from: 'kubelet', at: now }],
  ],
  [
    'a warning of the new kind, in a series',
    'warnings',
    {
      type: 'Warning',
      involvedObject: { uid: 'x' },
      reason: 'R',
      message: 'm',
      reportingComponent: 'keda',
      source: {},
      lastTimestamp: null,
      eventTime: '2026-03-01T11:00:00.000000Z',
      series: { lastObservedTime: micro },
    },
    [{ about: 'x', reason: 'R', message: 'm', from: 'keda', at: now }],
  ],
  ['a normal event', 'warnings', { type: 'Normal', involvedObject: { uid: 'x' }, reason: 'Pulled' }, []],
  ['an event without a type', 'warnings', { involvedObject: { uid: 'x' } }, []],
  [
    'validating webhooks',
    'validatingWebhooks',
    {
      metadata,
      webhooks: [
        {
          name: 'a.example',
          failurePolicy: 'Fail',
          clientConfig: { service: { namespace: 'ops', name: 'guard' } },
          rules: [
            { operations: ['CREATE', 'UPDATE'], apiGroups: ['', 'batch'], resources: ['pods', 'jobs'] },
            { operations: ['DELETE'], apiGroups: ['*'], resources: ['*'] },
          ],
        },
        {
          name: 'b.example',
          failurePolicy: 'Ignore',
          clientConfig: { url: 'https://10.0.0.1' },
          rules: [{ operations: ['*'], apiGroups: ['*'], resources: ['*/*'] }],
        },
      ],
    },
    [
      {
        configuration: 'validatingwebhookconfiguration/n',
        name: 'a.example',
        mutating: false,
        service: 'ops/guard',
        failsClosed: true,
        updates: [
          { group: '', resource: 'pods' },
          { group: '', resource: 'jobs' },
          { group: 'batch', resource: 'pods' },
          { group: 'batch', resource: 'jobs' },
        ],
      },
      {
        configuration: 'validatingwebhookconfiguration/n',
        name: 'b.example',
        mutating: false,
        failsClosed: false,
        updates: [{ group: '*', resource: '*/*' }],
      },
    ],
  ],
  [
    'a mutating webhook without a policy of failure, which is Fail',
    'mutatingWebhooks',
    { metadata, webhooks: [{ name: 'c.example' }] },
    [
      {
        configuration: 'mutatingwebhookconfiguration/n',
        name: 'c.example',
        mutating: true,
        failsClosed: true,
        updates: [],
      },
    ],
  ],
  ['a configuration without webhooks', 'validatingWebhooks', { metadata, webhooks: null }, []],
  [
    'endpoints: what does not say that it is not ready is ready',
    'endpoints',
    {
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'guard' } },
      endpoints: [{ conditions: { ready: true } }, { conditions: { ready: false } }, { conditions: {} }, {}],
    },
    [{ service: 'ns/guard', ready: 3 }],
  ],
  ['a slice without endpoints', 'endpoints', { metadata, endpoints: null }, [{ service: 'ns/', ready: 0 }]],
  [
    'an attachment',
    'attachments',
    {
      metadata,
      spec: { source: { persistentVolumeName: 'v' }, nodeName: 'node-1' },
      status: { attached: true },
    },
    [{ name: 'n', volume: 'v', node: 'node-1', attached: true }],
  ],
  [
    'an attachment of an inline volume',
    'attachments',
    { metadata, spec: { source: { inlineVolumeSpec: {} } }, status: {} },
    [{ name: 'n', volume: '', node: '', attached: false }],
  ],
  [
    'a volume that is bound',
    'volumes',
    { metadata, spec: { claimRef: { namespace: 'a', name: 'c', uid: 'cu' } } },
    [{ name: 'n', uid: 'u', claim: { namespace: 'a', name: 'c', uid: 'cu' } }],
  ],
  ['a volume that is free', 'volumes', { metadata, spec: {} }, [{ name: 'n', uid: 'u' }]],
  [
    'a namespace',
    'namespaces',
    {
      metadata,
      spec: { finalizers: ['kubernetes', 7] },
      status: { conditions: [{ type: 'T', status: 'True', reason: 'R', message: 'M' }, null] },
    },
    [
      {
        name: 'n',
        uid: 'u',
        finalizers: ['kubernetes'],
        conditions: [
          { type: 'T', status: 'True', message: 'M' },
          { type: '', status: '', message: '' },
        ],
      },
    ],
  ],
  [
    'a definition that converts through a service',
    'definitions',
    {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [
          { name: 'v1', served: true, storage: false },
          { name: 'v1alpha1', served: true, storage: true },
          { name: 'v0', served: false, storage: false },
        ],
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { service: { namespace: 'ops', name: 'convert' } } },
        },
      },
    },
    [
      {
        name: 'widgets.example.com',
        group: 'example.com',
        kind: 'Widget',
        resource: 'widgets',
        storedVersion: 'v1alpha1',
        servedVersions: ['v1', 'v1alpha1'],
        conversion: 'ops/convert',
      },
    ],
  ],
  [
    'a definition that converts by address',
    'definitions',
    { metadata, spec: { conversion: { webhook: { clientConfig: { url: 'https://10.0.0.1/c' } } } } },
    [
      {
        name: 'n',
        group: '',
        kind: '',
        resource: '',
        storedVersion: '',
        servedVersions: [],
        conversion: 'https://10.0.0.1/c',
      },
    ],
  ],
  [
    'a definition that converts nothing',
    'definitions',
    { metadata, spec: { conversion: { strategy: 'None' } } },
    [{ name: 'n', group: '', kind: '', resource: '', storedVersion: '', servedVersions: [] }],
  ],
  [
    'U28: an Application with what it manages',
    'applications',
    { metadata, status: { resources: [{}, {}, {}] } },
    [{ uid: 'u', managed: 3 }],
  ],
  ['an Application without a status', 'applications', { metadata }, [{ uid: 'u', managed: 0 }]],
];
for (const [about, what, item, expected] of whole)
  test(`${about} becomes ${expected.length} of ${what}`, () =>
    assert.deepEqual(records(what, item), expected));

const everything = Object.keys(evidenceSources) as What[];
const oddities: readonly unknown[] = [undefined, null, 7, '', 'x', true, [], [null], [7], {}, { name: 7 }];
for (const what of everything) {
  test(`${what}: missing fields and fields of the wrong type never throw`, () => {
    for (const odd of oddities) {
      for (const item of [
        {},
        {
          metadata: odd,
          spec: odd,
          status: odd,
          webhooks: odd,
          endpoints: odd,
          involvedObject: odd,
          type: 'Warning',
        },
        {
          metadata,
          spec: {
            ...spread(odd),
            finalizers: odd,
            versions: odd,
            names: odd,
            conversion: odd,
            claimRef: odd,
            source: odd,
          },
        },
        {
          metadata,
          status: { conditions: odd, resources: odd },
          webhooks: [odd, { clientConfig: odd, rules: odd }],
        },
        { metadata, webhooks: [{ rules: [odd, { operations: odd, apiGroups: odd, resources: odd }] }] },
        { metadata, webhooks: [{ rules: [{ operations: ['*'], apiGroups: odd, resources: odd }] }] },
        { metadata: { ...metadata, labels: odd }, endpoints: [odd, { conditions: odd }] },
      ])
        assert.ok(Array.isArray(records(what, item)));
    }
  });

  test(`${what}: whatever JSON is sent, nothing throws`, () =>
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('metadata', 'spec', 'status', 'type', 'webhooks', 'endpoints'),
          fc.jsonValue(),
        ),
        item => {
          records(what, item);
        },
      ),
    ));

  test(`${what}: read where a server serves it`, () => {
    const { group, version, resource } = evidenceSources[what].at;
    assert.match(`${group}/${version}/${resource}`, /^[a-z0-9.]*\/v[0-9a-z]+\/[a-z]+$/);
  });
}

function spread(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

const sayings: readonly (readonly [string, string, boolean])[] = [
  ['keda-operator', 'keda', true],
  ['keda', 'keda', true],
  ['KEDA-Operator', 'keda', true],
  ['my.keda.operator', 'keda', true],
  ['kedarnath', 'keda', false],
  ['akeda', 'keda', false],
  ['keda-operator', 'keda-operator', true],
  ['keda.operator', 'keda-operator', true],
  ['keda-operators', 'keda-operator', false],
  ['', 'keda', false],
];
for (const [text, word, expected] of sayings)
  test(`"${text}" ${expected ? 'says' : 'does not say'} "${word}" as a whole word`, () =>
    assert.equal(says(text, word), expected));

test('a word that is also a pattern is taken as it is', () => assert.equal(says('a(b', 'a(b'), true));
