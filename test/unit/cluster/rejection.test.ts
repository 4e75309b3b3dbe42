// Who refused a change, read from the text of the server's message. Wordings: apiserver pkg/admission/plugin/webhook/errors/statuserror.go,
// pkg/util/webhook/error.go, pkg/admission/plugin/policy/validating/dispatcher.go, apimachinery pkg/api/validation/objectmeta.go,
// apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go, pkg/apis/core/validation/validation.go.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOfAnswer } from '../../../src/cluster/problem.ts';
import { rejectionIn } from '../../../src/cluster/rejection.ts';
import type { Rejection } from '../../../src/model/problem.ts';

const service = 'https://guard.ops.svc:443/validate';
const post = `Post "${service}?timeout=10s"`;

const messages: readonly (readonly [string, string, Rejection | undefined])[] = [
  [
    'a webhook that denies with a message',
    'admission webhook "guard.example.com" denied the request: not on Fridays',
    { by: 'webhook', name: 'guard.example.com' },
  ],
  [
    'a webhook that denies without a word',
    'admission webhook "guard.example.com" denied the request without explanation',
    { by: 'webhook', name: 'guard.example.com' },
  ],
  [
    'a webhook whose message names another webhook',
    'admission webhook "guard.example.com" denied the request: admission webhook "other.example.com" denied the request',
    { by: 'webhook', name: 'guard.example.com' },
  ],
  [
    'U11: a webhook whose service has no endpoints',
    `Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: ${post}: no endpoints available for service "guard"`,
    { by: 'silent-webhook', name: 'guard.example.com', address: service },
  ],
  [
    'a webhook whose service is not there',
    `Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: ${post}: service "guard" not found`,
    { by: 'silent-webhook', name: 'guard.example.com', address: service },
  ],
  [
    'a webhook that refuses connections, as older servers say it',
    `Internal error occurred: failed calling webhook "guard.example.com": ${post}: dial tcp 10.0.0.7:443: connect: connection refused`,
    { by: 'silent-webhook', name: 'guard.example.com', address: service },
  ],
  [
    'a webhook whose certificate is not trusted',
    `Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: ${post}: tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    { by: 'silent-webhook', name: 'guard.example.com', address: service },
  ],
  [
    'a webhook that answers too late',
    `Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: ${post}: context deadline exceeded`,
    { by: 'silent-webhook', name: 'guard.example.com', address: service },
  ],
  [
    'a webhook that cannot be called, without an address',
    'Internal error occurred: failed calling webhook "guard.example.com": could not get REST client: unable to load root certificates',
    { by: 'silent-webhook', name: 'guard.example.com', address: '' },
  ],
  [
    'a webhook that cannot be called, without a reason',
    'Internal error occurred: failed calling webhook "guard.example.com"; no further details available',
    { by: 'silent-webhook', name: 'guard.example.com', address: '' },
  ],
  [
    'a webhook that says nothing about dry runs',
    'admission webhook "guard.example.com" does not support dry run',
    { by: 'no-dry-run', name: 'guard.example.com' },
  ],
  [
    'U30: a ValidatingAdmissionPolicy with its binding',
    `widgets.example.com "w" is forbidden: ValidatingAdmissionPolicy 'keep-finalizers' with binding 'everywhere' denied request: finalizers are kept`,
    { by: 'policy', name: 'keep-finalizers', binding: 'everywhere' },
  ],
  [
    'a policy whose binding is not configured right',
    `pods "p" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'all' denied request: failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
    { by: 'policy', name: 'keep', binding: 'all' },
  ],
  [
    'a policy that is not configured right itself: its parameters’ kind is gone',
    `pods "p" is forbidden: ValidatingAdmissionPolicy 'keep' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Rule'`,
    { by: 'policy', name: 'keep', binding: '' },
  ],
  [
    'U12: a conversion webhook that refuses connections',
    `conversion webhook for example.com/v1alpha1, Kind=Widget failed: Post "https://convert.ops.svc:443/convert?timeout=30s": dial tcp 10.0.0.8:443: connect: connection refused`,
    {
      by: 'conversion',
      kind: 'example.com/v1alpha1, Kind=Widget',
      address: 'https://convert.ops.svc:443/convert',
    },
  ],
  [
    'a conversion webhook that says no',
    'conversion webhook for example.com/v1alpha1, Kind=Widget failed: the field size is not known',
    { by: 'conversion', kind: 'example.com/v1alpha1, Kind=Widget', address: '' },
  ],
  [
    'U22: a finalizer that stays and is not allowed any more',
    'ServiceAccount "s" is invalid: metadata.finalizers: Invalid value: "oldname.example": name is neither a standard finalizer name nor is it fully qualified',
    { by: 'finalizer-name', name: 'oldname.example' },
  ],
  [
    'U22: the same with its place in the list',
    'Pod "p" is invalid: metadata.finalizers[1]: Invalid value: "oldname.example": name is neither a standard finalizer name nor is it fully qualified',
    { by: 'finalizer-name', name: 'oldname.example' },
  ],
  [
    'U13: an immutable template that somebody changed on the way',
    'Job.batch "j" is invalid: spec.template: Invalid value: core.PodTemplateSpec{ObjectMeta:v1.ObjectMeta{Name:"",\nLabels:map[string]string{"a":"b"}}}: field is immutable',
    { by: 'mutation' },
  ],
  [
    'a Pod whose spec somebody changed on the way',
    'Pod "p" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)\n  core.PodSpec{\n',
    { by: 'mutation' },
  ],
  [
    'a right that is missing',
    'pods "p" is forbidden: User "x" cannot patch resource "pods" in API group "" in the namespace "a"',
    undefined,
  ],
  [
    'U21: a list of yesterday',
    'Widget "w" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b"}',
    undefined,
  ],
  [
    'another writer',
    'Operation cannot be fulfilled on jobs.batch "j": the object has been modified; please apply your changes to the latest version and try again',
    undefined,
  ],
  ['nothing at all', '', undefined],
];
for (const [about, message, expected] of messages)
  test(`${about}: ${expected?.by ?? 'nobody is named'}`, () =>
    assert.deepEqual(rejectionIn(message), expected));

test('the rejection comes with the problem of an answer, whatever its status', () => {
  for (const [status, reason] of [
    [400, 'BadRequest'],
    [403, 'Forbidden'],
    [422, 'Invalid'],
    [500, 'InternalError'],
  ] as const) {
    const message = 'admission webhook "guard.example.com" denied the request: no';
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', reason, message });
    assert.deepEqual(problemOfAnswer(status, body).rejection, { by: 'webhook', name: 'guard.example.com' });
  }
});

test('an answer that nobody refused has no rejection', () =>
  assert.equal('rejection' in problemOfAnswer(500, 'etcdserver: no leader'), false));
